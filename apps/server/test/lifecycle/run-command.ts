import { join } from 'node:path'
import { runCli } from '../../src/commands/cli.ts'
import { isLongRun } from '../support/size.ts'
import { launchService, ROOT } from './given-service.ts'

type Name = 'backup' | 'restore' | 'verify' | 'processor:replay' | 'processor:reconcile' | 'admin disable-two-factor'
type Env = Record<string, string>

const CLI = join(ROOT, 'apps/server/src/commands/cli.ts')

/** Runs a command as `npm run tributary` does. */
export const runProcess = (name: Name, env: Env, ...args: string[]) =>
  launchService({ env, command: [process.execPath, CLI, ...name.split(' '), ...args] }).ended()

/** Runs a command: as a process in the long run, in this process in the short one. */
export const runCommand = async (name: Name, env: Env, ...args: string[]) => {
  if (isLongRun) return runProcess(name, env, ...args)
  const output = { stdout: '', stderr: '' }
  const code = await runCli({
    args: [...name.split(' '), ...args],
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
