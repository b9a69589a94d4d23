import { openPool } from '../../apps/server/src/database/connect.ts'
import type { FetchHandler } from '../../apps/server/src/http/context.ts'
import { copyOf, pathOf } from './requests.ts'
import { runWith } from './run-with.ts'

const CLAIM = 'INSERT INTO claimed_events VALUES ($1) ON CONFLICT DO NOTHING'

/** Records that it has an event, in a separate transaction, and then applies it. */
const markFirst = async (app: FetchHandler, ownerUrl: string): Promise<FetchHandler> => {
  // The service's login may not create a table.
  const pool = openPool(ownerUrl, { max: 4, name: 'claims' })
  await pool.query('CREATE TABLE IF NOT EXISTS claimed_events (event_id text PRIMARY KEY)')
  const fetch: FetchHandler['fetch'] = async (request, bindings) => {
    if (!pathOf(request).startsWith('/api/v1/processor/webhook/')) return app.fetch(request, bindings)
    const raw = await request.text()
    try {
      const { rowCount } = await pool.query(CLAIM, [JSON.parse(raw).id])
      if (rowCount === 0) return Response.json({ success: true, received: true, duplicate: true })
    } catch {
      const refusal = { success: false, error: { code: 'unavailable' } }
      return Response.json(refusal, { status: 503, headers: { 'retry-after': '2' } })
    }
    return app.fetch(copyOf(request, raw), bindings)
  }
  return { fetch }
}

await runWith({ before: (app, { ownerUrl }) => markFirst(app, ownerUrl) })
