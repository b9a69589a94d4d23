import { cors } from 'hono/cors'
import type { App, Dependencies } from '../context.ts'

const DAY_SECONDS = 86_400
const LEAD_PATH = '/api/v1/track/lead'
const EXPOSED = ['x-request-id', 'retry-after']

/** What an answer says so that a page of any origin may read it. */
export const ANY_PAGE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(','),
}

/** Calls that any page may make: from every origin, without credentials, at a pace that no person reaches. */
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
    // What that library does for a call, without its cost: it opens an answer early, and then each answer is made twice.
    for (const [name, value] of Object.entries(ANY_PAGE)) c.header(name, value)
    // Whoever shows a key for a lead has a limit of their own, once the key is known to be good (keyed/require-key.ts).
    if (path !== LEAD_PATH || c.req.header('authorization') === undefined) limits.browser(c.get('clientIp'))
    return next()
  })
}
