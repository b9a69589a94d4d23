import type { App, Dependencies } from './context.ts'
import { serverLead } from './keyed/track-lead.ts'
import { browserLead } from './public/browser-lead.ts'

/** POST /api/v1/track/lead: an `Authorization` header means it comes from the merchant's server, otherwise from a browser. */
export const trackLead = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/lead', (c) =>
    c.req.header('authorization') === undefined ? browserLead(c, dependencies) : serverLead(c, dependencies),
  )
