import { StartupError } from '../config/startup-error.ts'

/** A command's input and output. */
export type Terminal = {
  args: string[]
  env: Record<string, string | undefined>
  print: (line: string) => void
  printError: (line: unknown) => void
}

/** Resolves with the exit code. */
export type Command = (terminal: Terminal) => Promise<number>

/** An operator can fix a StartupError, so it prints one sentence. Anything else is a bug and prints in full. */
export const withErrorOutput =
  (work: Command, codeOf = (_: unknown) => 1): Command =>
  async (terminal) => {
    try {
      return await work(terminal)
    } catch (error) {
      terminal.printError(error instanceof StartupError ? error.message : error)
      return codeOf(error)
    }
  }

export const formatNumber = (count: number) => count.toLocaleString('en-US')

/** "1 program", "2,000 programs". */
export const formatCount = (count: number, word: string) => `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`
