import { openApiDocument } from '@tributary/contract/openapi'
import { VERSION } from '@tributary/contract/version'
import { canCommit } from '../database/start/readiness.ts'
import { Refusal } from '../refusal.ts'
import { apiReference } from './api-reference.ts'
import type { App, Dependencies } from './context.ts'
import { once } from './once.ts'
import { PAGE_HEADERS } from './reference/page.ts'

/** Health checks, metrics and the API reference. */
export const operatorRoutes = (app: App, { db, clicks, metrics, baseUrl }: Dependencies) => {
  app.get('/healthz', (c) => c.json({ status: 'ok', version: VERSION }))

  // Ready means able to commit. On a full disk the probe's small row may still fit, so the click writer is checked too.
  app.get('/readyz', async (c) => {
    if (clicks.hasFailedRecently() || !(await canCommit(db)))
      throw new Refusal('unavailable', 'The database cannot commit right now. Retry shortly.', {
        reason: 'cannot_commit',
        retryAfterSeconds: 2,
      })
    return c.json({ status: 'ready' })
  })

  app.get('/metrics', async (c) =>
    c.text(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )

  // Built on first use: it takes 40 ms, which would delay every start.
  const document = once(() => openApiDocument({ serverUrl: baseUrl }))
  const file = once(() => JSON.stringify(document()))
  const reference = once(() => apiReference(document(), baseUrl))
  app.get('/openapi.json', (c) => c.body(file(), 200, { 'content-type': 'application/json' }))
  app.get('/docs', (c) => c.body(reference(), 200, PAGE_HEADERS))
}
