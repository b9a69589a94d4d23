import { logLimited } from '../log.ts'
import { createProxyWarnings } from '../visitors/proxy-warnings.ts'
import type { App, Dependencies } from './context.ts'

const ACCEPTABLE_ID = /^[\w.-]{1,64}$/
/** Too frequent to log, and counted in the metrics anyway. */
const UNLOGGED_SUCCESS = ['/api/v1/track/click', '/service-tracker.js', '/healthz', '/readyz', '/metrics']

/** Keeps the caller's request ID if it is valid, so that both logs use the same one. */
export const requestIdOf = (given: string | null | undefined) =>
  given && ACCEPTABLE_ID.test(given) ? given : crypto.randomUUID()

type FinishedRequest = {
  requestId: string
  method: string
  route: string
  status: number
  code?: string
  reason?: string
  started: number
  traceparent?: string | undefined
}

/** Logs a request and counts it in the metrics, without personal data. Anyone can cause refusals, so these are limited. */
export const logRequest = ({ log, metrics }: Pick<Dependencies, 'log' | 'metrics'>, request: FinishedRequest) => {
  const { started, requestId, traceparent, ...outcome } = request
  const milliseconds = performance.now() - started
  metrics.request({ ...outcome, milliseconds, traceparent })
  if (outcome.status < 400 && UNLOGGED_SUCCESS.includes(outcome.route)) return
  const fields = { requestId, ...outcome, milliseconds: Math.round(milliseconds) }
  if (outcome.status < 400) return log.info(fields, 'request')
  const kind = `${outcome.method} ${outcome.route} ${outcome.status} ${outcome.code} ${outcome.reason}`
  logLimited(log, kind, { level: 'info', fields, message: 'request' })
}

/** Assigns the request ID and client IP address, and logs the request when it is done. */
export const logRequests = (app: App, { clientIp, log, metrics, baseUrl }: Dependencies) => {
  const warnAboutProxy = createProxyWarnings({ clientIp, log, baseUrl })
  app.use(async (c, next) => {
    const started = performance.now()
    const requestId = requestIdOf(c.req.header('x-request-id'))
    c.set('requestId', requestId)
    c.header('x-request-id', requestId)
    const peer = c.env.server?.requestIP(c.req.raw)?.address ?? null
    const forwardedFor = c.req.header('x-forwarded-for') ?? null
    c.set('clientIp', clientIp(peer, forwardedFor))
    warnAboutProxy({ peer, forwardedFor, forwardedProto: c.req.header('x-forwarded-proto') ?? null })
    await next()
    // A response created outside this context lacks its headers.
    if (!c.res.headers.has('x-request-id')) c.res.headers.set('x-request-id', requestId)
    c.env.keepResponse?.(c.res)
    const { method, routePath: route } = c.req
    const traceparent = c.req.header('traceparent')
    const [code, reason] = [c.get('errorCode'), c.get('unavailableReason')]
    const outcome = { method, route, status: c.res.status, code, reason }
    logRequest({ log, metrics }, { requestId, ...outcome, started, traceparent })
  })
}
