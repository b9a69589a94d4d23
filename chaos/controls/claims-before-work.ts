import { Hono } from 'hono'
import { openPool } from '../../apps/server/src/database/connect.ts'
import type { Answering, Env } from '../../apps/server/src/http/context.ts'
import { runWith } from './run-with.ts'

/** Notes that it has an event, in a transaction of its own, and then does what the event says. */
const claimFirst = async (app: Answering, databaseUrl: string): Promise<Answering> => {
  const pool = openPool(databaseUrl, { max: 4, name: 'claims' })
  await pool.query('CREATE TABLE IF NOT EXISTS claimed_events (event_id text PRIMARY KEY)')
  return new Hono<Env>()
    .post('/api/v1/processor/webhook/:programId', async (c) => {
      const raw = await c.req.text()
      try {
        const claim = 'INSERT INTO claimed_events VALUES ($1) ON CONFLICT DO NOTHING'
        const { rowCount } = await pool.query(claim, [JSON.parse(raw).id])
        if (rowCount === 0) return c.json({ success: true, received: true, duplicate: true })
      } catch {
        return c.json({ success: false, error: { code: 'unavailable' } }, 503, { 'retry-after': '2' })
      }
      return app.fetch(new Request(c.req.raw.url, { method: 'POST', headers: c.req.raw.headers, body: raw }), c.env)
    })
    .all('*', (c) => app.fetch(c.req.raw, c.env))
}

await runWith({ before: (app, { databaseUrl }) => claimFirst(app, databaseUrl) })
