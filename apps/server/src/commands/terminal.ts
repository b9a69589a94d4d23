import { StartupError } from '../config/startup-error.ts'

/** What a command reads, and where it answers. */
export type Terminal = {
  words: string[]
  env: Record<string, string | undefined>
  say: (line: string) => void
  complain: (line: unknown) => void
}

/** Ends with its exit code. */
export type Command = (terminal: Terminal) => Promise<number>

/** What a person can mend is one sentence; anything else is a bug and shown whole. */
export const orSentence =
  (work: Command, codeOf = (_: unknown) => 1): Command =>
  async (terminal) => {
    try {
      return await work(terminal)
    } catch (error) {
      terminal.complain(error instanceof StartupError ? error.message : error)
      return codeOf(error)
    }
  }

/** For a file that was started as a process of its own. */
export const runCommand = async (command: Command, env: Terminal['env']) => {
  process.exitCode = await command({ words: process.argv.slice(2), env, say: console.log, complain: console.error })
}
