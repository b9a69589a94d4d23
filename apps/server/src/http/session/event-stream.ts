import { MAX_STREAMS_PER_USER, MAX_STREAMS_PER_WORKSPACE } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { Listener } from '../../events/live-events.ts'
import { STREAM_HEADERS } from '../../platform/files.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { requirePermission, requireProgram } from './require-session.ts'

/** Across all workspaces. */
const MAX_STREAMS = 200
/** Shorter than the idle timeout (listen.ts). Each heartbeat also checks the caller's access. */
const HEARTBEAT_MS = 5_000
/** A client that does not read is disconnected before its events fill the memory. */
const MOST_UNREAD = 1_000

/** GET /api/tracking/events/:programId/stream: new events until the caller disconnects or loses access. */
export const eventStream = (app: App, dependencies: Dependencies) => {
  const { liveEvents } = dependencies
  const openIn = new Map<string, number>()
  const openOf = new Map<string, number>()
  const mayList = requireProgram(dependencies, 'tracking:list')

  app.get('/api/tracking/events/:programId/stream', mayList, (c) => {
    // HEAD is routed here too, but its stream would never be closed.
    if (c.req.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS)
    if (liveEvents.listening() >= MAX_STREAMS)
      throw new Refusal(
        'overloaded',
        'Too many live connections. Use the list of events instead, or try again shortly.',
        {
          reason: 'too_many_streams',
          retryAfterSeconds: 10,
        },
      )
    const { workspaceId } = c.get('program')
    const inWorkspace = openIn.get(workspaceId) ?? 0
    if (inWorkspace >= MAX_STREAMS_PER_WORKSPACE)
      throw new Refusal(
        'rate_limited',
        `This workspace has ${inWorkspace} live connections. Close a dashboard page, or reload it instead.`,
        { retryAfterSeconds: 10 },
      )
    const userId = c.get('user').id
    if ((openOf.get(userId) ?? 0) >= MAX_STREAMS_PER_USER)
      throw new Refusal(
        'rate_limited',
        `You have ${MAX_STREAMS_PER_USER} live connections. Close a dashboard page, or reload it instead.`,
        { retryAfterSeconds: 10 },
      )
    add(openIn, workspaceId, 1)
    add(openOf, userId, 1)
    const close = () => {
      add(openIn, workspaceId, -1)
      add(openOf, userId, -1)
    }
    return c.body(streamFor(c, dependencies, close), 200, STREAM_HEADERS)
  })
}

const add = (counts: Map<string, number>, key: string, change: number) => {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

const streamFor = (c: Call, dependencies: Dependencies, close: () => void) => {
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
      const stopListening = dependencies.liveEvents.listen(c.get('program').id, listener)
      const heartbeat = setInterval(async () => {
        if (await hasAccess(c, dependencies)) return isStopped || write(': heartbeat\n\n')
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

/** Whether the caller is still signed in and has the permission. A transient database error does not end the stream. */
const hasAccess = async (c: Call, { auth, db }: Dependencies) => {
  try {
    const session = await asRefusal(auth.api.getSession({ headers: c.req.raw.headers }))
    if (session?.user.id !== c.get('user').id) return false
    const { workspaceId } = c.get('program')
    await requirePermission({ db }, { user: c.get('user'), workspaceId, permission: 'tracking:list' })
    return true
  } catch (error) {
    return !(error instanceof Refusal && error.code === 'forbidden')
  }
}
