import { parseArgs } from 'node:util'
import { programId } from '@tributary/contract'
import { StartupError } from '../config/startup-error.ts'

const OPTIONS = {
  program: { type: 'string' },
  since: { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

type Name = keyof typeof OPTIONS
type Values = { program?: string; since?: string; days?: string; 'dry-run'?: boolean }

/**
 * What follows a command's name. A word that this command does not know is answered with how it is used, and never passed over:
 * who asks for a dry run must not get a real one.
 */
export const readOptions = (words: string[], names: Name[], usage: string) => {
  const values = parse(words, names, usage)
  const program = programId.safeParse(values.program)
  if (!program.success) throw new StartupError(`Say which program, and use it as ${usage}`)
  return { programId: program.data, since: values.since, days: values.days, dryRun: values['dry-run'] ?? false }
}

const parse = (words: string[], names: Name[], usage: string): Values => {
  try {
    return parseArgs({ args: words, options: Object.fromEntries(names.map((name) => [name, OPTIONS[name]])) }).values
  } catch (error) {
    // Its first sentence says what is wrong; the rest is about programs in general.
    const [sentence] = (error as Error).message.split(/\.\s|\n/)
    throw new StartupError(`${sentence}. Use it as ${usage}`)
  }
}
