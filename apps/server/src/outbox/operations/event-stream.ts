import {
  MAX_EVENT_STREAMS_PER_PROGRAM,
  MAX_EVENT_STREAMS_PER_WORKSPACE,
  type PublishedEvent,
} from '@tributary/contract'
import type { Log } from '../../log.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { EventFeed } from '../feed.ts'

/** In this process. */
const MAX_STREAMS = 200
/** Shorter than the idle timeout (listen.ts). */
const HEARTBEAT_MS = 5_000
const PAGE = 100

type Place = Pick<Program, 'id' | 'workspaceId'>
/** `mayContinue`: the caller still has access. */
type Start = { program: Place; after: number | null; epoch: number | null; mayContinue: () => Promise<boolean> }
type Tools = { eventFeed: EventFeed; log: Log }

/** Streams events until the caller disconnects, the key is revoked or the service stops. */
export const openEventStreams = (tools: Tools) => {
  const { eventFeed } = tools
  const open = new Set<Place>()

  return async ({ program, after, epoch, mayContinue }: Start) => {
    refuseTooMany(open, program)
    const programId = program.id
    // Refuses before the stream begins.
    const first = await eventFeed.read({ programId, after, epoch, limit: PAGE })
    refuseTooMany(open, program)
    const place = { id: programId, workspaceId: program.workspaceId }
    open.add(place)
    const close = () => open.delete(place)
    return streamFrom(tools, { programId, first, after, mayContinue, close })
  }
}

const refuseTooMany = (open: Set<Place>, { id, workspaceId }: Place) => {
  if (open.size >= MAX_STREAMS)
    throw new Refusal('overloaded', 'Too many live connections. Poll without the Accept header, or retry shortly.', {
      reason: 'too_many_streams',
      retryAfterSeconds: 10,
    })
  const inWorkspace = [...open].filter((stream) => stream.workspaceId === workspaceId)
  const ofProgram = inWorkspace.filter((stream) => stream.id === id)
  refuseMore('program', ofProgram.length, MAX_EVENT_STREAMS_PER_PROGRAM)
  refuseMore('workspace', inWorkspace.length, MAX_EVENT_STREAMS_PER_WORKSPACE)
}

const refuseMore = (owner: 'program' | 'workspace', count: number, most: number) => {
  if (count >= most)
    throw new Refusal(
      'rate_limited',
      `This ${owner} has ${count} open event streams. Close one, or poll without the Accept header.`,
      { retryAfterSeconds: 10 },
    )
}

type FirstPage = { events: PublishedEvent[]; epoch: number }
type Stream = Pick<Start, 'after' | 'mayContinue'> & { programId: number; first: FirstPage; close: () => void }

/** The next part is read when the client has taken the last one, so a slow client needs no memory. */
const streamFrom = ({ eventFeed, log }: Tools, { programId, first, after, mayContinue, close }: Stream) => {
  // A restore needs the service to be stopped, so the epoch stays the same.
  const { epoch } = first
  let next = first.events
  let last = after
  let isClosed = false
  const end = () => {
    if (isClosed) return
    isClosed = true
    close()
  }
  const canContinue = async () => !isClosed && !eventFeed.isClosed() && (await mayContinue())
  const wait = async () => {
    const until = performance.now() + HEARTBEAT_MS
    while (next.length === 0 && performance.now() < until && (await canContinue())) {
      await eventFeed.changed(programId, until - performance.now())
      next = (await eventFeed.readMore({ programId, after: last, epoch, limit: PAGE })).events
    }
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(': connected\n\n')),
    pull: async (controller) => {
      try {
        if (next.length === 0) await wait()
        if (await canContinue()) {
          controller.enqueue(
            Buffer.from(next.length > 0 ? next.map((event) => toText(event, epoch)).join('') : ': heartbeat\n\n'),
          )
          last = next.at(-1)?.sequence ?? last
          next = []
          return
        }
      } catch (error) {
        // The client reconnects and continues after the last event it has.
        log.warn({ error: (error as Error).message }, 'an event stream ended')
      }
      if (isClosed) return
      end()
      controller.close()
    },
    cancel: end,
  })
}

/** What a client sends back as `Last-Event-ID`. Without an epoch it is 0, as in every service that was never restored. */
const streamId = ({ sequence }: PublishedEvent, epoch: number) => (epoch === 0 ? `${sequence}` : `${sequence}-${epoch}`)

export const readStreamId = (id: string) => {
  const [after, epoch = '0'] = id.split('-')
  return { after, epoch }
}

const toText = (event: PublishedEvent, epoch: number) =>
  `id: ${streamId(event, epoch)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
