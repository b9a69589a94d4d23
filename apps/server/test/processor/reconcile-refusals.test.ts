import { afterAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { reconcile } from '../../src/processor/reconcile.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor } from './given-processor.ts'

const service = await givenService()

/** Stripe's API, which answers everything with this status. */
let status = 200
const server = Bun.serve({
  port: 0,
  fetch: () =>
    Response.json({ error: { message: 'The provided key cannot.' } }, { status, headers: { 'retry-after': '7' } }),
})
afterAll(() => server.stop(true))

test.each([
  [401, 'does not accept the API key (401)', undefined],
  [403, 'Events: read', undefined],
  [429, 'limits the number of requests (429)', 7],
  [500, 'answers with status 500', 5],
])('a status of %p while missed events are listed is refused with what to do, and nothing is stored', async (answer, message, retryAfterSeconds) => {
  status = answer
  const program = await givenProcessor(service)
  const stripe = { ...readConfig({}).stripe, apiKey: 'rk_live_1', apiBase: `http://localhost:${server.port}` }
  const deps = { db: service.db, clock: service.clock.now, hashKey: 'key', log: createLog('silent'), stripe, cell: '' }
  const error = await reconcile(deps, { programId: program.id, days: 7 }).catch((caught) => caught)
  expect(error.message).toContain(message)
  expect(error.message).toContain('Stripe says: The provided key cannot.')
  expect(error.retryAfterSeconds).toBe(retryAfterSeconds)
  expect(await program.inbox()).toEqual([])
})
