import type { FetchHandler } from '../../apps/server/src/http/context.ts'
import { copyOf, pathOf } from './requests.ts'
import { runWith } from './run-with.ts'

/** About as long as a busy disk takes; without a fault every acknowledged sale is written. */
const WRITTEN_AFTER_MS = 100

/** Answers a sale from memory and records it a moment later. */
const acknowledgeFirst = (app: FetchHandler): FetchHandler => ({
  fetch: async (request, bindings) => {
    if (pathOf(request) !== '/api/v1/track/sale') return app.fetch(request, bindings)
    const copy = copyOf(request, await request.text())
    setTimeout(() => app.fetch(copy, bindings), WRITTEN_AFTER_MS)
    return Response.json({ success: true })
  },
})

await runWith({ before: acknowledgeFirst })
