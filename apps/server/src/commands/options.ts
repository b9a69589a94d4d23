import { parseArgs } from 'node:util'
import { StartupError } from '../config.ts'

const OPTIONS = {
  program: { type: 'string' },
  since: { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

/** What follows a command's name. A word that nobody knows is answered with how the command is used. */
export const readOptions = (usage: string) => {
  try {
    const { values } = parseArgs({ options: OPTIONS })
    const programId = Number(values.program)
    if (!Number.isInteger(programId) || programId < 1 || programId > 2_147_483_647) throw new RangeError('no program')
    return { programId, since: values.since, days: values.days, dryRun: values['dry-run'] ?? false }
  } catch {
    throw new StartupError(`Say which program, and use it as ${usage}`)
  }
}
