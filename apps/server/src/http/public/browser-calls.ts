import { cors } from 'hono/cors'
import type { App, Dependencies } from '../context.ts'

const DAY_SECONDS = 86_400

/** Calls that any page may make: from every origin, without credentials, at a pace that no person reaches. */
export const allowBrowserCalls = (app: App, path: string, { limits }: Dependencies) => {
  app.use(
    path,
    cors({
      origin: '*',
      allowMethods: ['POST'],
      allowHeaders: ['content-type'],
      exposeHeaders: ['x-request-id', 'retry-after'],
      maxAge: DAY_SECONDS,
    }),
  )
  app.use(path, (c, next) => {
    // A call with a key has its own, wider limit.
    if (c.req.header('authorization') === undefined) limits.browser(c.get('clientIp'))
    return next()
  })
}
