import type { App, Dependencies } from './context.ts'

const ACCEPTABLE_ID = /^[\w.-]{1,64}$/
/** Too many to log one by one, and counted in the metrics anyway. */
const UNLOGGED_SUCCESS = ['/api/v1/track/click', '/service-tracker.js', '/healthz', '/readyz', '/metrics']

/** The caller's own name for the request where it is one, so that they find it in their log and in ours. */
export const requestIdOf = (given: string | null | undefined) =>
  given && ACCEPTABLE_ID.test(given) ? given : crypto.randomUUID()

type Story = { requestId: string; method: string; route: string; status: number; code?: string; started: number }

/** Says in log and metrics how a request went. No personal data in either. */
export const tellStory = ({ log, metrics }: Pick<Dependencies, 'log' | 'metrics'>, story: Story) => {
  const { started, requestId, ...outcome } = story
  const milliseconds = performance.now() - started
  metrics.request({ ...outcome, milliseconds })
  if (outcome.status < 400 && UNLOGGED_SUCCESS.includes(outcome.route)) return
  log.info({ requestId, ...outcome, milliseconds: Math.round(milliseconds) }, 'request')
}

/** Names the request, finds out who calls, and afterwards tells how it went. */
export const requestStory = (app: App, { clientIp, log, metrics }: Dependencies) =>
  app.use(async (c, next) => {
    const started = performance.now()
    const requestId = requestIdOf(c.req.header('x-request-id'))
    c.set('requestId', requestId)
    c.header('x-request-id', requestId)
    const peer = c.env.server?.requestIP(c.req.raw)?.address ?? null
    c.set('clientIp', clientIp(peer, c.req.header('x-forwarded-for') ?? null))
    await next()
    // An answer that was not made by this context has none of its headers.
    if (!c.res.headers.has('x-request-id')) c.res.headers.set('x-request-id', requestId)
    const { method, routePath: route } = c.req
    tellStory({ log, metrics }, { requestId, method, route, status: c.res.status, code: c.get('errorCode'), started })
  })
