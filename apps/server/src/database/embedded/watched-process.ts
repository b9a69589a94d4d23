import { spawn } from 'node:child_process'
import type { Account } from './account.ts'

export type WatchedProcess = {
  /** The process itself, not the shell above it. */
  pid: number
  ended: Promise<{ code: number; output: string }>
  /** Asks it to end (SIGINT, Postgres' fast shutdown) and waits until it has. */
  stop(): Promise<void>
}

/**
 * A shell between us and the program, in its own session so that Ctrl-C does not reach it, waits at a pipe from us.
 * The pipe ends when we close it or when we die, `kill -9` included; either way the shell stops the program.
 * Nobody but the program holds its standard output: when that ends, so has the program with all of its children.
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
    // A killed watchdog leaves its program running and unwatched, which is for the caller to put right.
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
    ended.then(() => reject(new Error(`the watchdog ended before its program began: ${output}`)))
  })
}
