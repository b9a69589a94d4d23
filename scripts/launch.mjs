import { spawn } from 'node:child_process'
import { exitCodeOf } from './run-step.mjs'

/** Read immediately: npm may be killed during an installation, and then its PID is lost. */
const parent = process.ppid

/**
 * The garbage collector lets the heap grow by a share of the machine's memory, or double while it is small by that
 * measure. With this size it keeps one process near 200 MB under load (docs/decisions/0016) on any machine. An explicit
 * setting overrides it.
 */
export const MEMORY_SETTINGS = { BUN_JSC_forceRAMSize: '220000000', BUN_JSC_smallHeapGrowthFactor: '1.8' }

/** Runs the service so that it ends with this process, however that happens. */
export const launch = async ({ root, bun }, bunArguments) => {
  // The channel carries nothing: it closes when this process is killed, which tells the service to stop.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const service = spawn(bun, bunArguments, { cwd: root, stdio, env: { ...MEMORY_SETTINGS, ...process.env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => service.kill(signal))
  stopWithNpm(() => service.kill('SIGTERM'))
  process.exit(await exitCodeOf(service))
}

/** npm forwards the signals it can catch; when npm itself is killed, only a new parent PID shows it. */
const stopWithNpm = (stop) => {
  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 500)
}
