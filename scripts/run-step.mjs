import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'

/** Runs a program in our terminal and returns the exit code that a shell would see. */
export const runStep = (program, args, options = {}) =>
  exitCodeOf(spawn(program, args, { stdio: 'inherit', ...options }))

/** Runs a program without a terminal, and returns what it wrote too. */
export const readStep = async (program, args, options = {}) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const [status, stdout, stderr] = await Promise.all([exitCodeOf(child), text(child.stdout), text(child.stderr)])
  return { status, stdout, stderr }
}

export const exitCodeOf = (child) =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
