import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A connection to the database with limited bandwidth for clicks. */
export const startSlowProxy = (socketFolder: string, bytesPerSecond: number) => {
  const program = [join(import.meta.dir, 'slow-proxy.ts'), socketFolder, String(bytesPerSecond)]
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise<{ port: number; close(): void }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the proxy to the database ended')))
    child.once('message', (port: number) => resolve({ port, close: () => child.kill('SIGKILL') }))
  })
}
