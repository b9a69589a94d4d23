import type { Answering } from '../../apps/server/src/http/context.ts'
import { copyOf, pathOf } from './requests.ts'
import { runWith } from './run-with.ts'

/** About what a busy disk takes; without a fault everything that was acknowledged gets there. */
const WRITTEN_AFTER_MS = 100

/** Fast and forgetful: a sale is answered from memory and recorded a moment later. */
const acknowledgeFirst = (app: Answering): Answering => ({
  fetch: async (request, bindings) => {
    if (pathOf(request) !== '/api/v1/track/sale') return app.fetch(request, bindings)
    const copy = copyOf(request, await request.text())
    setTimeout(() => app.fetch(copy, bindings), WRITTEN_AFTER_MS)
    return Response.json({ success: true })
  },
})

await runWith({ before: acknowledgeFirst })
