import { parseArgs } from 'node:util'
import { TRIBUTARY } from '../../config/command-name.ts'
import { StartupError } from '../../config/startup-error.ts'

type Expected<Name extends string, Flag extends string> = {
  /** Arguments without a name, all required. */
  words?: number
  options?: readonly Name[]
  /** Options without a value. */
  flags?: readonly Flag[]
  usage: string
}

/** Reads the arguments of a command. Rejects unknown options and wrong numbers of arguments instead of ignoring them. */
export const readArguments = <Name extends string = never, Flag extends string = never>(
  args: string[],
  { words = 0, options = [], flags = [], usage }: Expected<Name, Flag>,
) => {
  const types = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' as const }] as const),
    ...flags.map((name) => [name, { type: 'boolean' as const }] as const),
  ])
  try {
    const { values, positionals } = parseArgs({ args, options: types, allowPositionals: true })
    if (positionals.length !== words)
      throw new Error(positionals.length < words ? 'An argument is missing' : 'Too many arguments')
    return { words: positionals, options: values as { [key in Name]?: string } & { [key in Flag]?: boolean } }
  } catch (error) {
    // The first sentence names the problem; the rest explains option parsing in general.
    const [reason] = (error as Error).message.split(/\.\s|\n/)
    throw new StartupError(`${reason}. Usage: ${TRIBUTARY} admin ${usage}`)
  }
}

export const readEmail = (word: string | undefined) => {
  if (!word || !/^[^\s@]+@[^\s@]+$/.test(word)) throw new StartupError(`"${word}" is not an email address.`)
  return word.toLowerCase()
}
