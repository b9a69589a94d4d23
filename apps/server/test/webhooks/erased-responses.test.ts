import { expect, test } from 'bun:test'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenEndpoint, LOCAL, until } from './given-webhooks.ts'

const service = await givenService(LOCAL)

test('an erased customer is not left in the answers of webhook receivers, also in one that arrives later', async () => {
  const shop = await givenPayingProgram(service, null)
  const { promise, resolve } = Promise.withResolvers<void>()
  // Many receivers answer with what they got, or with an error that quotes it.
  const givenEcho = (after?: Promise<void>) => {
    const types: string[] = []
    const { port } = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const text = await request.text()
        types.push(JSON.parse(text).type)
        await after
        return new Response(text)
      },
    })
    return { types, url: `http://127.0.0.1:${port}/` }
  }
  const slow = givenEcho(promise)
  const events = ['lead.created']
  const { id: quickId } = await givenEndpoint(shop, { url: givenEcho().url, events })
  await givenEndpoint(shop, { url: slow.url, events })
  const customer_key = 'zoe-quux-4711'
  await shop.lead({ customer_key, click_id: await givenClick(service, shop.link) })
  const delivered = async (query = '') =>
    (await shop.owner.call('GET', `${shop.api}/webhook-deliveries?state=delivered${query}`)).body.data.length
  await until(async () => {
    await service.call('GET', '/api/v1/events', undefined, { authorization: `Bearer ${shop.key}` })
    return slow.types.length === 1 && (await delivered(`&endpointId=${quickId}`)) === 1
  })
  const withKey = async () =>
    (
      await service.pool.query('SELECT FROM webhook_attempts WHERE program_id = $1 AND position($2 in response) > 0', [
        shop.id,
        customer_key,
      ])
    ).rowCount
  expect(await withKey()).toBe(1)
  const erased = await shop.owner.call('POST', `${shop.api}/customers/erase`, { customerKey: customer_key })
  expect(erased.status).toBe(200)
  resolve()
  await until(async () => (await delivered()) === 2)
  expect(await withKey()).toBe(0)
})
