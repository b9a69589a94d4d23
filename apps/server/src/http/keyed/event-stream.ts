import { MAX_EVENT_STREAMS_PER_PROGRAM, type PublishedEvent } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'

/** In this process. */
const MAX_STREAMS = 200
/** Shorter than the idle timeout (listen.ts). */
const HEARTBEAT_MS = 5_000
const PAGE = 100

type Start = { programId: number; after: number | null }

/** Streams events until the caller disconnects, the key is revoked or the service stops. */
export const openEventStream = (dependencies: Dependencies) => {
  const { eventFeed } = dependencies
  const open = new Map<number, number>()
  let total = 0

  return async (c: Call, { programId, after }: Start) => {
    refuseTooMany(total, open.get(programId) ?? 0)
    // Refuses before the stream begins.
    const first = await eventFeed.read({ programId, after, limit: PAGE })
    refuseTooMany(total, open.get(programId) ?? 0)
    total++
    open.set(programId, (open.get(programId) ?? 0) + 1)
    const close = () => {
      total--
      open.set(programId, (open.get(programId) ?? 1) - 1)
      if (open.get(programId) === 0) open.delete(programId)
    }
    return streamFrom(c, dependencies, { programId, first: first.events, after, close })
  }
}

const refuseTooMany = (total: number, ofProgram: number) => {
  if (total >= MAX_STREAMS)
    throw new Refusal('overloaded', 'Too many live connections. Poll without the Accept header, or retry shortly.', {
      retryAfterSeconds: 10,
    })
  if (ofProgram >= MAX_EVENT_STREAMS_PER_PROGRAM)
    throw new Refusal(
      'rate_limited',
      `This program has ${ofProgram} open event streams. Close one, or poll without the Accept header.`,
      { retryAfterSeconds: 10 },
    )
}

type Stream = { programId: number; first: PublishedEvent[]; after: number | null; close: () => void }

/** The next part is read when the client has taken the last one, so a slow client needs no memory. */
const streamFrom = (c: Call, dependencies: Dependencies, { programId, first, after, close }: Stream) => {
  const { eventFeed } = dependencies
  let next = first
  let last = after
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    close()
  }
  const mayGoOn = async () => !isOver && !eventFeed.isClosed() && (await hasAccess(c, dependencies))
  const wait = async () => {
    const until = performance.now() + HEARTBEAT_MS
    while (next.length === 0 && performance.now() < until && (await mayGoOn())) {
      await eventFeed.changed(programId, until - performance.now())
      next = (await eventFeed.readMore({ programId, after: last, limit: PAGE })).events
    }
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(': connected\n\n')),
    pull: async (controller) => {
      try {
        if (next.length === 0) await wait()
        if (await mayGoOn()) {
          controller.enqueue(Buffer.from(next.length > 0 ? next.map(toText).join('') : ': heartbeat\n\n'))
          last = next.at(-1)?.sequence ?? last
          next = []
          return
        }
      } catch (error) {
        // The client reconnects and continues after the last event it has.
        dependencies.log.warn({ error: (error as Error).message }, 'an event stream ended')
      }
      if (isOver) return
      end()
      controller.close()
    },
    cancel: end,
  })
}

const toText = (event: PublishedEvent) =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Whether the key is still valid. A transient database error does not end the stream. */
const hasAccess = async (c: Call, { keyedPrograms }: Dependencies) => {
  const key = c.req.header('authorization')?.split(/ +/)[1] ?? ''
  try {
    return (await keyedPrograms(key, () => {})) !== null
  } catch (error) {
    return !(error instanceof Refusal && error.code === 'invalid_api_key')
  }
}
