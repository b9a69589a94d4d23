import { afterEach, expect, test } from 'bun:test'
import { givenReceiver } from '../webhooks/given-webhooks.ts'
import { ask, givenNodes, givenOwnerOn } from './given-nodes.ts'
import { afterwards, cleanUp, type Service, until } from './given-service.ts'

afterEach(cleanUp)

/** As many as a new endpoint gets at once. */
const SALES = 4

/** Collects what the stream of live events sends. */
const follow = (response: Response) => {
  const reader = response.body?.getReader()
  const seen = { text: '' }
  const read = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      seen.text += new TextDecoder().decode(part.value)
  }
  const reading = read().catch(() => {})
  afterwards(async () => {
    await reader?.cancel()
    await reading
  })
  return seen
}

test('what one node does, the other knows: sessions, settings, live events, keys; each webhook is sent once', async () => {
  const { DATABASE_URL, nodes } = await givenNodes(2, { WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8' })
  const [first, second] = nodes as [Service, Service]
  const { api, cookie, key, pool, ...program } = await givenOwnerOn(DATABASE_URL, first)
  expect((await ask(second, 'GET', api, { cookie })).status).toBe(200)

  const click = (node: Service) =>
    ask(node, 'POST', '/api/v1/track/click', { body: { affiliate_url: program.link.url } })
  const stream = await ask(second, 'GET', `/api/tracking/events/${program.id}/stream`, { cookie })
  const seen = follow(stream)
  await until(async () => {
    await click(first)
    return seen.text.includes('data:')
  })

  // The first half is in flight until the second half is, for which both nodes look.
  const { promise: after, resolve: answer } = Promise.withResolvers<void>()
  const receiver = givenReceiver((_, number) => {
    if (number === SALES) answer()
    return { after }
  })
  afterwards(() => receiver.stop())
  const endpoint = { url: receiver.url, events: ['sale.created'] }
  expect((await ask(first, 'POST', `${api}/webhook-endpoints`, { cookie, body: endpoint })).status).toBe(201)
  const sell = async (number: number) => {
    const body = { customer_key: 'u', amount: 100, invoice_id: `in-${number}` }
    return (await ask(nodes[number % 2] as Service, 'POST', '/api/v1/track/sale', { key, body })).status
  }
  for (const half of [1, 2]) {
    const numbers = Array.from({ length: SALES / 2 }, (_, index) => (half * SALES) / 2 + index)
    expect(await Promise.all(numbers.map(sell))).toEqual(numbers.map(() => 200))
    await receiver.got((half * SALES) / 2)
  }
  const states = async () => (await pool.query('SELECT state, attempts FROM webhook_deliveries')).rows
  await until(async () => {
    const rows = await states()
    return rows.length === SALES && rows.every(({ state }) => state !== 'pending')
  })
  expect(await states()).toEqual(Array(SALES).fill({ state: 'delivered', attempts: 1 }))
  expect(receiver.received).toHaveLength(SALES)
  expect(new Set(receiver.ids()).size).toBe(SALES)

  const link = `${api}/links/${program.link.id}`
  expect((await ask(first, 'PATCH', link, { cookie, body: { active: false } })).status).toBe(200)
  expect((await click(second)).status).toBe(410)
  expect((await ask(first, 'DELETE', `${api}/api-keys/${key.split('_')[1]}`, { cookie })).status).toBe(200)
  await until(async () => (await sell(1)) === 401)
  expect((await ask(first, 'POST', '/api/auth/sign-out', { cookie, body: {} })).status).toBe(200)
  await until(async () => (await ask(second, 'GET', api, { cookie })).status === 401)
})
