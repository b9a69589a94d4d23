/** The `tributary` command: every operator's command under one name. In a clone the same commands are npm scripts. */
import { VERSION } from '@tributary/contract/version'
import { ADMIN_SCRIPT } from './admin/admin.ts'
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
    'Usage: tributary <command> [options]',
    '',
    ...formatCommands(COMMANDS),
    '',
    `Run tributary <command> --help for details. ${CONFIGURATION}`,
  ].join('\n')

/** The typed command: the npm script in a clone, otherwise `tributary`. */
const typedName = (name: string, script: string | undefined, isClone: boolean) => {
  if (!isClone || !script) return `tributary ${name}`
  return script === ADMIN_SCRIPT ? name.replace(/^admin/, `${script} --`) : `${script} --`
}

const describe = (typed: string, { usage, summary, details = [], commands }: CommandEntry) =>
  [
    `Usage: ${`${typed} ${usage}`.trim()}`,
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

/** Messages name the npm script of a clone; here the same command has another name. */
const withOwnName = (text: unknown, name: string, script: string | undefined) => {
  if (typeof text !== 'string' || !script) return text
  const own = `tributary ${script === ADMIN_SCRIPT ? 'admin' : name}`
  return text.replaceAll(`${script} --`, own).replaceAll(script, own)
}

/** Resolves with the exit code; null while the service runs. */
export const runCli = async (
  { args: words, env, print, printError }: Terminal,
  { isClone = false } = {},
): Promise<number | null> => {
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
    printError(`There is no command "${words[0]}". Run tributary --help to see all commands.`)
    return 1
  }
  const { name, entry, args } = found
  if (args.some(isHelp)) {
    print(describe(typedName(name, entry.script, isClone), entry))
    return 0
  }
  if (entry.commands) {
    printError(describe(typedName(name, entry.script, isClone), entry))
    return 1
  }
  const rename = (text: unknown) => (isClone ? text : withOwnName(text, name, entry.script))
  return entry.run({
    args,
    env,
    print: (line) => print(String(rename(line))),
    printError: (line) => printError(rename(line)),
  })
}

if (import.meta.main) {
  const terminal = { args: process.argv.slice(2), env: process.env, print: console.log, printError: console.error }
  // The package has JavaScript; sources run only in a clone.
  const code = await runCli(terminal, { isClone: process.argv[1]?.endsWith('.ts') ?? false })
  if (code !== null) process.exitCode = code
}
