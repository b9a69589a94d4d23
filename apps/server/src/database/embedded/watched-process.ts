import { spawn } from 'node:child_process'
import type { Account } from './account.ts'

export type WatchedProcess = {
  /** The PID of the program, not of the shell around it. */
  pid: number
  ended: Promise<{ code: number; output: string }>
  /** Sends SIGINT, which is Postgres' fast shutdown, and waits for the exit. */
  stop(): Promise<void>
}

/**
 * A shell between us and the program, in its own session so that Ctrl-C does not reach it, reads from our pipe. The pipe closes
 * when we close it or die, even by `kill -9`, and then the shell stops the program. Only the program and its children hold its
 * standard output, so its end means that all of them have exited.
 */
const WATCHDOG = `
trap '' HUP INT TERM
"$@" </dev/null &
echo $!
exec >/dev/null
read -r _
kill -INT $! 2>/dev/null
wait $!`

export const startWatched = (
  command: string[],
  {
    account,
    errors = 'pipe',
    env,
  }: { account: Account | null; errors?: number | 'pipe'; env?: Record<string, string> },
): Promise<WatchedProcess> => {
  const shell = spawn('/bin/sh', ['-c', WATCHDOG, 'tributary-watchdog', ...command], {
    stdio: ['pipe', 'pipe', errors],
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...env },
    ...account,
  })
  const { stdin, stdout, stderr } = shell
  if (!stdin || !stdout) throw new Error('the watchdog has no pipes')

  let output = ''
  const ended = new Promise<{ code: number; output: string }>((resolve) => {
    shell.once('close', (code) => resolve({ code: code ?? 1, output }))
    // A killed watchdog leaves its program running; the caller cleans up.
    shell.once('exit', (_, signal) => signal && resolve({ code: 1, output }))
  })
  const stop = async () => {
    stdin.end()
    await ended
  }
  stdin.on('error', () => {}) // the shell may have gone first
  stdout.once('end', () => stdin.end())
  stderr?.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    shell.once('error', reject)
    stdout.once('data', (chunk) => resolve({ pid: Number.parseInt(String(chunk), 10), ended, stop }))
    stdout.on('data', (chunk) => {
      output += chunk
    })
    ended.then(() => reject(new Error(`the watchdog exited before its program started: ${output}`)))
  })
}
