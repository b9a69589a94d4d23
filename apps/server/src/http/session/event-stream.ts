import { MAX_STREAMS_PER_USER, MAX_STREAMS_PER_WORKSPACE } from '@tributary/contract'
import type { Listener } from '../../events/live-events.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { asRefusal } from './people/as-refusal.ts'
import { refuseWithout, requireProgram } from './require-session.ts'

/** Of all workspaces together. */
const MAX_STREAMS = 200
/** Shorter than the silence after which a connection is closed (listen.ts), and how long somebody without the right still sees. */
const HEARTBEAT_MS = 5_000
/** Somebody who does not read is let go before their events fill our memory. */
const MOST_UNREAD = 1_000

/** GET /api/tracking/events/:programId/stream: new events as they come, until the caller goes or may no longer see them. */
export const eventStream = (app: App, dependencies: Dependencies) => {
  const { liveEvents } = dependencies
  const openIn = new Map<string, number>()
  const openOf = new Map<string, number>()
  const mayList = requireProgram(dependencies, 'tracking:list')

  app.get('/api/tracking/events/:programId/stream', mayList, (c) => {
    // HEAD comes here too, and nobody would ever close its stream.
    if (c.req.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS)
    if (liveEvents.listening() >= MAX_STREAMS)
      throw new Refusal('overloaded', 'Too many live connections. The list of events shows the same events.', {
        retryAfterSeconds: 10,
      })
    const { workspaceId } = c.get('program')
    const inWorkspace = openIn.get(workspaceId) ?? 0
    if (inWorkspace >= MAX_STREAMS_PER_WORKSPACE)
      throw new Refusal(
        'rate_limited',
        `This workspace has ${inWorkspace} live connections. Close a page that shows live events, or reload the list instead.`,
        { retryAfterSeconds: 10 },
      )
    const userId = c.get('user').id
    if ((openOf.get(userId) ?? 0) >= MAX_STREAMS_PER_USER)
      throw new Refusal(
        'rate_limited',
        `You have ${MAX_STREAMS_PER_USER} live connections. Close a page that shows live events, or reload the list instead.`,
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

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that collects the answer before it passes it on would show nothing for ever.
  'x-accel-buffering': 'no',
}

const add = (counts: Map<string, number>, key: string, change: number) => {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

const streamFor = (c: Call, dependencies: Dependencies, close: () => void) => {
  let over = () => {}
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (text: string) => {
        if ((controller.desiredSize ?? 0) < -MOST_UNREAD) return listener.end()
        controller.enqueue(Buffer.from(text))
      }
      const listener: Listener = {
        tell: (event) => send(`event: tracking\ndata: ${JSON.stringify(event)}\n\n`),
        end: () => {
          over()
          controller.close()
        },
      }
      const stopListening = dependencies.liveEvents.listen(c.get('program').id, listener)
      const heartbeat = setInterval(async () => {
        if (await maySee(c, dependencies)) return isOver || send(': still here\n\n')
        if (!isOver) listener.end()
      }, HEARTBEAT_MS)
      let isOver = false
      over = () => {
        if (isOver) return
        isOver = true
        clearInterval(heartbeat)
        stopListening()
        close()
      }
      send(': connected\n\n')
    },
    cancel: () => over(),
  })
}

/** Signed in still, and still with the right. A database that is out of reach for a moment ends nothing. */
const maySee = async (c: Call, { auth, db }: Dependencies) => {
  try {
    const session = await asRefusal(auth.api.getSession({ headers: c.req.raw.headers }))
    if (!session) return false
    const { workspaceId } = c.get('program')
    await refuseWithout({ db }, { userId: session.user.id, workspaceId, permission: 'tracking:list' })
    return true
  } catch (error) {
    return !(error instanceof Refusal && error.code === 'forbidden')
  }
}
