import type { WatchedProcess } from './watched-process.ts'

const LONGEST_PAUSE_MS = 5_000
const SHUTDOWN_PATIENCE_MS = 20_000

type Options = { start(): Promise<WatchedProcess>; log(line: string): void }

/** Keeps one server running: starts it again when it ends unasked, more and more slowly while that does not help. */
export const supervise = async ({ start, log }: Options) => {
  let server = await start()
  let stopping = false

  const keepRunning = async () => {
    for (let pauseMs = 100; ; ) {
      const startedAt = Date.now()
      await server.ended
      if (stopping) return
      pauseMs = Date.now() - startedAt > 60_000 ? 100 : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      log('The embedded Postgres ended unexpectedly and is being started again.')
      await Bun.sleep(pauseMs)
      try {
        server = await start()
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
      }
      if (stopping) await stopServer()
    }
  }

  /** Fast shutdown writes a checkpoint. Should a sick disk hold that up, ending at once is safe, only slower to start from. */
  const stopServer = async () => {
    const impatience = setTimeout(() => process.kill(server.pid, 'SIGQUIT'), SHUTDOWN_PATIENCE_MS)
    await server.stop()
    clearTimeout(impatience)
  }

  const running = keepRunning()
  const stop = async () => {
    stopping = true
    await stopServer()
    await running
  }
  return { stop }
}
