import type { App, Dependencies } from '../context.ts'

/** Every call of the dashboard's own API counts for its address before anything is looked up; /api/v1 has its own limits. */
export const limitDashboardCalls = (app: App, { limits }: Dependencies) =>
  app.use('/api/*', (c, next) => {
    if (!c.req.path.startsWith('/api/v1/')) limits.address(c.get('clientIp'))
    return next()
  })
