import { expect, test } from 'bun:test'
import { givenService } from '../support/shared-service.ts'
import { givenEndpoint, givenOwner, givenReceiver, LOCAL, until } from './given-webhooks.ts'

const service = await givenService(LOCAL)

test('a test event gets its sequence together with its delivery, so that no later event can pass it', async () => {
  const program = await givenOwner(service)
  const { id } = await givenEndpoint(program, { url: givenReceiver().url, ordered: true })
  const client = await service.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM webhook_endpoints WHERE program_id = $1 FOR UPDATE', [program.id])
  const sending = program.owner.call('POST', `${program.api}/webhook-endpoints/${id}/test`)
  await until(async () => {
    const { rowCount } = await service.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%INSERT INTO webhook_deliveries%'`,
    )
    return rowCount === 1
  })
  const { rows } = await service.pool.query('SELECT type FROM outbox_events WHERE sequence IS NOT NULL')
  await client.query('COMMIT')
  client.release()
  expect((await sending).status).toBe(201)
  expect(rows).toEqual([])
})
