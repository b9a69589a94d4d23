import { expect, test } from 'bun:test'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenEndpoint, LOCAL, until } from './given-webhooks.ts'

const service = await startTestService(LOCAL)

test('an erased customer is not left in the answers of webhook receivers', async () => {
  const shop = await givenPayingProgram(service, null)
  // Many receivers answer with what they got, or with an error that quotes it.
  const echo = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => new Response(await request.text()),
  })
  await givenEndpoint(shop, { url: `http://127.0.0.1:${echo.port}/` })
  const customer_key = 'zoe-quux-4711'
  await shop.lead({ customer_key, click_id: await givenClick(service, shop.link) })
  const get = async () => (await shop.owner.call('GET', `${shop.api}/webhook-deliveries?state=delivered`)).body.data
  await until(async () => {
    await service.call('GET', '/api/v1/events', undefined, { authorization: `Bearer ${shop.key}` })
    return (await get()).some(({ type }: { type: string }) => type === 'lead.created')
  })
  const erased = await shop.owner.call('POST', `${shop.api}/customers/erase`, { customerKey: customer_key })
  expect(erased.status).toBe(200)
  const { rows } = await service.pool.query(
    'SELECT response FROM webhook_attempts WHERE program_id = $1 AND position($2 in response) > 0',
    [shop.id, customer_key],
  )
  expect(rows).toEqual([])
})
