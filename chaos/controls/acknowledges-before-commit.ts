import { Hono } from 'hono'
import type { Answering, Env } from '../../apps/server/src/http/context.ts'
import { runWith } from './run-with.ts'

/** About what a busy disk takes; without a fault everything that was acknowledged gets there. */
const WRITTEN_AFTER_MS = 100

/** Fast and forgetful: a sale is answered from memory and recorded a moment later. */
const acknowledgeFirst = (app: Answering): Answering =>
  new Hono<Env>()
    .post('/api/v1/track/sale', async (c) => {
      const copy = new Request(c.req.raw.url, { method: 'POST', headers: c.req.raw.headers, body: await c.req.text() })
      setTimeout(() => app.fetch(copy, c.env), WRITTEN_AFTER_MS)
      return c.json({ success: true })
    })
    .all('*', (c) => app.fetch(c.req.raw, c.env))

await runWith({ before: acknowledgeFirst })
