import { cors } from 'hono/cors'
import type { App, Dependencies } from '../context.ts'

const DAY_SECONDS = 86_400
const LEAD_PATH = '/api/v1/track/lead'
const EXPOSED = ['x-request-id', 'retry-after']

/** CORS headers that let any origin read the response. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(','),
}

/** Allows calls from any origin, without credentials, with a rate limit per IP address. */
export const allowBrowserCalls = (app: App, path: string, { limits }: Dependencies) => {
  const answerPreflight = cors({
    origin: '*',
    allowMethods: ['POST'],
    allowHeaders: ['content-type'],
    exposeHeaders: EXPOSED,
    maxAge: DAY_SECONDS,
  })
  app.use(path, (c, next) => {
    if (c.req.method === 'OPTIONS') return answerPreflight(c, next)
    // Hono's CORS middleware would create each response twice, so the headers are set here.
    for (const [name, value] of Object.entries(CORS_HEADERS)) c.header(name, value)
    // Leads with an API key have their own limit (keyed/keyed-call.ts).
    if (path !== LEAD_PATH || c.req.header('authorization') === undefined) limits.browser(c.get('clientIp'))
    return next()
  })
}
