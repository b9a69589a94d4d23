import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs a program to its end with our terminal, and answers the exit code a shell would see. */
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
