import type { Listener } from '../../events/live-events.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { asRefusal } from './accounts.ts'
import { refuseWithout, requireProgram } from './require-session.ts'

const MAX_STREAMS = 200
/** Shorter than the silence after which a connection is closed (listen.ts), and how long somebody without the right still sees. */
const HEARTBEAT_MS = 5_000
/** Somebody who does not read is let go before their events fill our memory. */
const MOST_UNREAD = 1_000

/** GET /api/tracking/events/:programId/stream: new events as they come, until the caller goes or may no longer see them. */
export const eventStream = (app: App, dependencies: Dependencies) => {
  const { liveEvents } = dependencies
  const mayList = requireProgram(dependencies, 'tracking:list')

  app.get('/api/tracking/events/:programId/stream', mayList, (c) => {
    if (liveEvents.listening() >= MAX_STREAMS)
      throw new Refusal('overloaded', 'Too many people look on at once. The list of events has them too.', {
        retryAfterSeconds: 10,
      })
    return c.body(streamFor(c, dependencies), 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that collects the answer before it passes it on would show nothing for ever.
      'x-accel-buffering': 'no',
    })
  })
}

const streamFor = (c: Call, dependencies: Dependencies) => {
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
        isOver = true
        clearInterval(heartbeat)
        stopListening()
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
