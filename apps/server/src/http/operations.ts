import { openApiDocument } from '@tributary/contract/openapi'
import { sql } from 'kysely'
import { Refusal } from '../refusal.ts'
import { apiReference } from './api-reference.ts'
import type { App, Dependencies } from './context.ts'

/** For whoever runs the service, and for whoever writes against it. */
export const operations = (app: App, { db, metrics }: Dependencies) => {
  app.get('/healthz', (c) => c.json({ status: 'ok' }))

  // Ready means: can commit. A read-only or full database answers queries and would lose clicks.
  app.get('/readyz', async (c) => {
    try {
      await sql`INSERT INTO readiness (id, checked_at) VALUES (true, now()) ON CONFLICT (id) DO UPDATE SET checked_at = now()`.execute(
        db,
      )
    } catch {
      throw new Refusal('unavailable', 'The database cannot commit just now.', { retryAfterSeconds: 2 })
    }
    return c.json({ status: 'ready' })
  })

  app.get('/metrics', async (c) =>
    c.text(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )

  const document = openApiDocument()
  app.get('/openapi.json', (c) => c.json(document))
  app.get('/docs', (c) => c.html(apiReference(document)))
}
