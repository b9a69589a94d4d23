import type { App, Dependencies } from './context.ts'
import { serverLead } from './keyed/track-lead.ts'
import { browserLead } from './public/browser-lead.ts'

/** POST /api/v1/track/lead is two calls at one address: with an `Authorization` header the server's, without it the browser's. */
export const trackLead = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/lead', (c) =>
    c.req.header('authorization') === undefined ? browserLead(c, dependencies) : serverLead(c, dependencies),
  )
