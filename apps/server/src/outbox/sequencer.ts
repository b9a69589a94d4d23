import type { Database } from '../database/connect.ts'
import { type FanOut, sequenceAll } from './sequence.ts'

/**
 * Polling instead of NOTIFY: a notification takes a lock that makes commits of all programs wait for each other. Sequencers do send
 * one per batch with deliveries (announce-due.ts), but no sale waits for them.
 */
const POLL_MS = 200
const IDLE_POLL_MS = 500
const RETRY_MS = 2_000

type Options = { db: Database; fanOut: FanOut[]; onError: (error: Error) => void }

/** Gives events their sequence soon after their commit. Safe to run in several processes. */
export const startSequencer = ({ db, fanOut, onError }: Options) => {
  let isStopped = false
  let wake = () => {}
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!isStopped)
      try {
        const { busy, unfinished } = await sequenceAll(db, fanOut)
        if (unfinished === 0) await pause(busy > 0 ? POLL_MS : IDLE_POLL_MS)
      } catch (error) {
        if (isStopped) return
        onError(error as Error)
        await pause(RETRY_MS)
      }
  }
  const done = run()
  return {
    stop: async () => {
      isStopped = true
      wake()
      await done
    },
  }
}
