import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs a program in our terminal and returns the exit code that a shell would see. */
export const runStep = (program, args, options = {}) =>
  exitCodeOf(spawn(program, args, { stdio: 'inherit', ...options }))

export const exitCodeOf = (child) =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
