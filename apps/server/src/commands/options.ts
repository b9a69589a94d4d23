import { parseArgs } from 'node:util'
import { programId } from '@tributary/contract'
import { StartupError } from '../config/startup-error.ts'

const OPTIONS = {
  program: { type: 'string' },
  since: { type: 'string' },
  days: { type: 'string' },
  processor: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

type Name = keyof typeof OPTIONS
type Values = { program?: string; since?: string; days?: string; processor?: string; 'dry-run'?: boolean }

/** Rejects unknown options instead of ignoring them: a mistyped --dry-run must not run for real. */
export const readOptions = (args: string[], names: Name[], usage: string) => {
  const values = parse(args, names, usage)
  const program = programId.safeParse(values.program)
  if (!program.success) throw new StartupError(`--program must be a program ID. Usage: ${usage}`)
  return {
    programId: program.data,
    since: values.since,
    days: values.days,
    processor: values.processor,
    dryRun: values['dry-run'] ?? false,
  }
}

const parse = (args: string[], names: Name[], usage: string): Values => {
  try {
    return parseArgs({ args, options: Object.fromEntries(names.map((name) => [name, OPTIONS[name]])) }).values
  } catch (error) {
    // The first sentence names the problem; the rest explains option parsing in general.
    const [reason] = (error as Error).message.split(/\.\s|\n/)
    throw new StartupError(`${reason}. Usage: ${usage}`)
  }
}
