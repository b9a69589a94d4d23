import type { WatchedProcess } from './watched-process.ts'

const MAX_DELAY_MS = 5_000
const SHUTDOWN_TIMEOUT_MS = 20_000

type Options = { start(): Promise<WatchedProcess>; log(line: string): void }

/** Restarts the server when it exits unexpectedly, with a growing delay while restarts fail. */
export const supervise = async ({ start, log }: Options) => {
  let server = await start()
  let stopping = false

  const keepRunning = async () => {
    for (let delayMs = 100; ; ) {
      const startedAt = Date.now()
      await server.ended
      if (stopping) return
      delayMs = Date.now() - startedAt > 60_000 ? 100 : Math.min(delayMs * 2, MAX_DELAY_MS)
      log('The embedded Postgres exited unexpectedly and is being restarted.')
      await Bun.sleep(delayMs)
      try {
        server = await start()
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
      }
      if (stopping) await stopServer()
    }
  }

  /** Fast shutdown writes a checkpoint. If a failing disk blocks that, an immediate shutdown is safe but slower to recover. */
  const stopServer = async () => {
    const timeout = setTimeout(() => process.kill(server.pid, 'SIGQUIT'), SHUTDOWN_TIMEOUT_MS)
    await server.stop()
    clearTimeout(timeout)
  }

  const running = keepRunning()
  const stop = async () => {
    stopping = true
    await stopServer()
    await running
  }
  return { stop }
}
