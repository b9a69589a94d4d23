import type { FetchHandler } from '../../apps/server/src/http/context.ts'
import { copyOf, pathOf } from './requests.ts'
import { runWith } from './run-with.ts'

/** Drops the visit_id that would identify a retried click. */
const forget = (app: FetchHandler): FetchHandler => ({
  fetch: async (request, bindings) => {
    if (pathOf(request) !== '/api/v1/track/click') return app.fetch(request, bindings)
    const { visit_id: _, ...click } = JSON.parse(await request.text())
    return app.fetch(copyOf(request, JSON.stringify(click)), bindings)
  },
})

await runWith({ before: forget })
