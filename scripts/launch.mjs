import { spawn } from 'node:child_process'
import { exitCodeOf } from './run-step.mjs'

/** Read at once: during an installation npm may be killed, and then it is too late to learn who it was. */
const parent = process.ppid

/**
 * The collector of garbage lets the heap grow by a share of the machine's memory, and one that is small by that measure to its
 * double. Told this, it keeps one process near 200 MB under load (docs/decisions/0016), on a machine of any size. Whoever sets it
 * otherwise is listened to.
 */
export const FRUGAL = { BUN_JSC_forceRAMSize: '220000000', BUN_JSC_smallHeapGrowthFactor: '1.8' }

/** Runs the service so that it ends when this process does, however that happens. */
export const launch = async ({ root, bun }, bunArguments) => {
  // The channel carries nothing: it closes when this process is killed outright, which tells the service to stop.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const service = spawn(bun, bunArguments, { cwd: root, stdio, env: { ...FRUGAL, ...process.env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => service.kill(signal))
  stopWithNpm(() => service.kill('SIGTERM'))
  process.exit(await exitCodeOf(service))
}

/** npm hands on the signals it can see; when npm itself is killed outright, only a new parent tells of it. */
const stopWithNpm = (stop) => {
  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 500)
}
