/** The `tributary` command: every operator's command under one name. */
import { VERSION } from '@tributary/contract/version'
import { TRIBUTARY } from '../config/command-name.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import type { Terminal } from './terminal.ts'

const CONFIGURATION = 'Settings are environment variables; docs/configuration.md lists them.'

const formatCommands = (entries: Record<string, CommandEntry>) => {
  const width = Math.max(...Object.keys(entries).map((name) => name.length)) + 2
  return Object.entries(entries).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`)
}

const overview = () =>
  [
    `Tributary ${VERSION}: self-hosted referral tracking.`,
    '',
    `Usage: ${TRIBUTARY} <command> [options]`,
    '',
    ...formatCommands(COMMANDS),
    '',
    `Run ${TRIBUTARY} <command> --help for details. ${CONFIGURATION}`,
  ].join('\n')

const describe = (name: string, { usage, summary, details = [], commands }: CommandEntry) =>
  [
    `Usage: ${TRIBUTARY} ${`${name} ${usage}`.trim()}`,
    '',
    `${summary}.`,
    ...(commands ? ['', ...formatCommands(commands)] : []),
    ...(details.length > 0 ? ['', ...details] : []),
    '',
    CONFIGURATION,
  ].join('\n')

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

/** Finds `admin create-key` as well as `backup`; the rest are the command's arguments. */
const find = (args: string[]) => {
  const [first = '', second = '', ...rest] = args
  const entry = COMMANDS[first]
  const inner = entry?.commands?.[second]
  if (inner) return { name: `${first} ${second}`, entry: inner, args: rest }
  return entry && { name: first, entry, args: args.slice(1) }
}

/** Resolves with the exit code; null while the service runs. */
export const runCli = async ({ args: words, env, print, printError }: Terminal): Promise<number | null> => {
  if (words.length === 0 || isHelp(words[0])) {
    print(overview())
    return words.length === 0 ? 1 : 0
  }
  if (words[0] === '--version' || words[0] === '-v') {
    print(VERSION)
    return 0
  }
  const found = find(words)
  if (!found) {
    printError(`There is no command "${words[0]}". Run ${TRIBUTARY} --help to see all commands.`)
    return 1
  }
  const { name, entry, args } = found
  if (args.some(isHelp)) {
    print(describe(name, entry))
    return 0
  }
  if (entry.commands) {
    printError(describe(name, entry))
    return 1
  }
  return entry.run({ args, env, print, printError })
}

if (import.meta.main) {
  const terminal = { args: process.argv.slice(2), env: process.env, print: console.log, printError: console.error }
  const code = await runCli(terminal)
  if (code !== null) {
    process.exitCode = code
    // An open channel to the launcher would keep the process alive.
    process.disconnect?.()
  }
}
