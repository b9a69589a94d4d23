import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { StartupError } from '../config/startup-error.ts'
import { SchemaMismatch } from '../database/schema/own-migrations.ts'
import type { Assignment, FromWorker, ToWorker } from './messages.ts'

/** Sources are TypeScript, the published package is JavaScript. */
const WORKER_FILE = `${import.meta.dir}/worker${extname(import.meta.path)}`

export type WorkerProcess = {
  pid: number
  ended: Promise<void>
  send(message: ToWorker): void
  /** Resolves with the next message of this kind. */
  waitFor(kind: FromWorker['kind']): Promise<void>
  kill(): void
}

/** Starts a worker and resolves when it serves; throws its error message if it does not start. */
export const startWorker = (
  assignment: Assignment,
  onMessage: (message: FromWorker, worker: WorkerProcess) => void,
): Promise<WorkerProcess> => {
  const child = spawn(process.execPath, [WORKER_FILE], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const listeners = new Map<FromWorker['kind'], () => void>()
  let failure = new StartupError('A worker exited before it was ready.')
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const worker: WorkerProcess = {
    pid: child.pid ?? 0,
    ended,
    // A worker that has just exited ignores messages; `ended` covers that case.
    send: (message) => void (child.connected && child.send(message, () => {})),
    waitFor: (kind) => Promise.race([ended, new Promise<void>((resolve) => listeners.set(kind, resolve))]),
    kill: () => void child.kill('SIGKILL'),
  }
  return new Promise((resolve, reject) => {
    ended.then(() => reject(failure))
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') worker.send({ kind: 'serve', assignment })
      else if (message.kind === 'serving') resolve(worker)
      else if (message.kind === 'failed')
        failure = message.isSchemaMismatch ? new SchemaMismatch(message.reason) : new StartupError(message.reason)
      listeners.get(message.kind)?.()
      onMessage(message, worker)
    })
  })
}
