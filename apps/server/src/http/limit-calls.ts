import type { App, Dependencies } from './context.ts'

/** Rate-limits the dashboard's API per IP address before any query. Calls under /api/v1 have their own limits. */
export const limitDashboardCalls = (app: App, { limits }: Dependencies) =>
  app.use('/api/*', (c, next) => {
    if (!c.req.path.startsWith('/api/v1/')) limits.address(c.get('clientIp'))
    return next()
  })
