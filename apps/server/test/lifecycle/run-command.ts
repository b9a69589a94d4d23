import { join } from 'node:path'
import type { Command } from '../../src/commands/terminal.ts'
import { isLongRun } from '../support/size.ts'
import { launchService, ROOT } from './given-service.ts'

type Name = 'backup' | 'restore' | 'verify-ledger' | 'processor-replay' | 'processor-reconcile' | 'reset-two-factor'
type Env = Record<string, string>

const fileOf = (name: Name) => join(ROOT, 'apps/server/src/commands', `${name}.ts`)

/** Runs a command as `npm run` does. */
export const runProcess = (name: Name, env: Env, ...args: string[]) =>
  launchService({ env, command: [process.execPath, fileOf(name), ...args] }).ended()

/** Runs a command: as a process in the long run, in this process in the short one. */
export const runCommand = async (name: Name, env: Env, ...args: string[]) => {
  if (isLongRun) return runProcess(name, env, ...args)
  const { command } = (await import(fileOf(name))) as { command: Command }
  const output = { stdout: '', stderr: '' }
  const code = await command({
    args,
    env,
    print: (line) => {
      output.stdout += `${line}\n`
    },
    printError: (line) => {
      output.stderr += `${line}\n`
    },
  })
  return { code, ...output }
}
