import type { App, Dependencies } from './context.ts'

const ACCEPTABLE_ID = /^[\w.-]{1,64}$/
/** Too many to log one by one, and counted in the metrics anyway. */
const UNLOGGED_SUCCESS = ['/api/v1/track/click', '/service-tracker.js', '/healthz', '/readyz', '/metrics']

/** Names the request, finds out who calls, and afterwards says in log and metrics how it went. No personal data in either. */
export const requestStory = (app: App, { clientIp, log, metrics }: Dependencies) =>
  app.use(async (c, next) => {
    const started = performance.now()
    const given = c.req.header('x-request-id')
    const requestId = given && ACCEPTABLE_ID.test(given) ? given : crypto.randomUUID()
    c.set('requestId', requestId)
    c.header('x-request-id', requestId)
    const peer = c.env.server?.requestIP(c.req.raw)?.address ?? null
    c.set('clientIp', clientIp(peer, c.req.header('x-forwarded-for') ?? null))
    await next()
    // An answer that was not made by this context has none of its headers.
    if (!c.res.headers.has('x-request-id')) c.res.headers.set('x-request-id', requestId)

    const route = c.req.routePath
    const status = c.res.status
    const milliseconds = performance.now() - started
    metrics.request({ method: c.req.method, route, status, milliseconds, code: c.get('errorCode') })
    if (status < 400 && UNLOGGED_SUCCESS.includes(route)) return
    log.info(
      {
        requestId,
        method: c.req.method,
        route,
        status,
        code: c.get('errorCode'),
        milliseconds: Math.round(milliseconds),
      },
      'request',
    )
  })
