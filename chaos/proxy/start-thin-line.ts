import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A line to the database on which clicks can be sent only so fast. */
export const startThinLine = (socketFolder: string, bytesPerSecond: number) => {
  const program = [join(import.meta.dir, 'thin-line.ts'), socketFolder, String(bytesPerSecond)]
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise<{ port: number; close(): void }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the line to the database ended')))
    child.once('message', (port: number) => resolve({ port, close: () => child.kill('SIGKILL') }))
  })
}
