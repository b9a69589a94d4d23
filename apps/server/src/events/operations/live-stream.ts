import { MAX_STREAMS_PER_USER, MAX_STREAMS_PER_WORKSPACE } from '@tributary/contract'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Listener, LiveEvents } from '../live-events.ts'

/** Across all workspaces. */
const MAX_STREAMS = 200
/** Shorter than the idle timeout (listen.ts). Each heartbeat also checks the caller's access. */
const HEARTBEAT_MS = 5_000
/** A client that does not read is disconnected before its events fill the memory. */
const MOST_UNREAD = 1_000

type Owner = { workspaceId: string; userId: string }
/** `mayContinue`: the caller still has access. */
type Start = { program: Program; userId: string; mayContinue: () => Promise<boolean> }

/** Streams new events until the caller disconnects or loses access. */
export const openLiveStreams = (liveEvents: LiveEvents) => {
  const open = new Set<Owner>()
  return ({ program: { id, workspaceId }, userId, mayContinue }: Start) => {
    const owner = { workspaceId, userId }
    refuseTooMany([...open], owner)
    open.add(owner)
    return streamFrom(liveEvents, { programId: id, mayContinue, close: () => open.delete(owner) })
  }
}

const refuseTooMany = (open: Owner[], { workspaceId, userId }: Owner) => {
  if (open.length >= MAX_STREAMS)
    throw new Refusal(
      'overloaded',
      'Too many live connections. Use the list of events instead, or try again shortly.',
      { reason: 'too_many_streams', retryAfterSeconds: 10 },
    )
  const inWorkspace = open.filter((stream) => stream.workspaceId === workspaceId).length
  refuseMore(`This workspace has ${inWorkspace}`, inWorkspace, MAX_STREAMS_PER_WORKSPACE)
  const ofUser = open.filter((stream) => stream.userId === userId).length
  refuseMore(`You have ${ofUser}`, ofUser, MAX_STREAMS_PER_USER)
}

const refuseMore = (whoHas: string, count: number, most: number) => {
  if (count < most) return
  const advice = 'Close a dashboard page, or reload it instead.'
  throw new Refusal('rate_limited', `${whoHas} live connections. ${advice}`, { retryAfterSeconds: 10 })
}

type Stream = { programId: number; mayContinue: () => Promise<boolean>; close: () => void }

const streamFrom = (liveEvents: LiveEvents, { programId, mayContinue, close }: Stream) => {
  let stop = () => {}
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (text: string) => {
        if ((controller.desiredSize ?? 0) < -MOST_UNREAD) return listener.end()
        controller.enqueue(Buffer.from(text))
      }
      const listener: Listener = {
        send: (event) => write(`event: tracking\ndata: ${JSON.stringify(event)}\n\n`),
        changed: () => write('event: change\ndata: {}\n\n'),
        end: () => {
          stop()
          controller.close()
        },
      }
      const stopListening = liveEvents.listen(programId, listener)
      const heartbeat = setInterval(async () => {
        if (await mayContinue()) return isStopped || write(': heartbeat\n\n')
        if (!isStopped) listener.end()
      }, HEARTBEAT_MS)
      let isStopped = false
      stop = () => {
        if (isStopped) return
        isStopped = true
        clearInterval(heartbeat)
        stopListening()
        close()
      }
      write(': connected\n\n')
    },
    cancel: () => stop(),
  })
}
