import type { Database } from '../database/connect.ts'
import { numberCommitted } from './number-committed.ts'
import { type Page, readEvents } from './read-events.ts'
import type { FanOut } from './sequence.ts'

const POLL_MS = 500

type Options = { db: Database; fanOut: FanOut[]; onError: (error: Error) => void }

export type EventFeed = ReturnType<typeof createEventFeed>

/** The events of programs, for pulling and streaming. */
export const createEventFeed = ({ db, fanOut, onError }: Options) => {
  const waiting = new Map<number, Set<() => void>>()
  let isClosed = false

  /** Events committed before this call are included. */
  const sequence = (programId: number) => numberCommitted({ db, programId, fanOut })

  /** One poll per program, however many streams wait for it. */
  const poll = async (programId: number) => {
    for (;;) {
      const streams = waiting.get(programId)
      if (!streams || streams.size === 0) return void waiting.delete(programId)
      await Bun.sleep(POLL_MS)
      await sequence(programId).catch((error) => onError(error as Error))
      for (const wake of [...streams]) wake()
    }
  }

  return {
    read: async (page: Page) => {
      await sequence(page.programId)
      return readEvents(db, page)
    },
    /** Like `read`, without giving sequences: `changed` does that once for all streams. */
    readMore: (page: Page) => readEvents(db, page),
    /** Resolves after the next poll, when the time has passed, or when the feed closes. */
    changed: (programId: number, milliseconds: number) =>
      new Promise<void>((resolve) => {
        if (isClosed) return resolve()
        const known = waiting.get(programId)
        const streams = known ?? new Set<() => void>()
        const done = () => {
          clearTimeout(timer)
          streams.delete(done)
          resolve()
        }
        const timer = setTimeout(done, milliseconds)
        streams.add(done)
        if (known) return
        waiting.set(programId, streams)
        void poll(programId)
      }),
    isClosed: () => isClosed,
    close: () => {
      isClosed = true
      for (const streams of waiting.values()) for (const wake of [...streams]) wake()
    },
  }
}
