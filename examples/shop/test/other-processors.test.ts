import { afterAll, expect, test } from 'bun:test'
import { givenClick } from '../../../apps/server/test/support/given.ts'
import { PROCESSOR_NAMES, type ProcessorName, secretOf, startFake } from '../../processor/src/fakes/index.ts'
import { givenTributary, givenVisitor } from './given-shop.ts'

const { service, givenShop } = await givenTributary()

/** A shop that sells through the fake, connected to the program like a real account. */
const givenConnectedShop = async (name: ProcessorName) => {
  const secret = secretOf(name, crypto.randomUUID().replaceAll('-', ''))
  const processor = startFake({ processor: name, secret, retryDelaysMs: [] })
  afterAll(processor.stop)
  const { shop, program } = await givenShop({ processor: name, processorUrl: processor.url })
  processor.addEndpoint(`${service.url}/api/v1/processor/${name}/webhook/${program.id}`)
  const connected = await program.owner.call('PUT', `${program.api}/processors/${name}`, { webhookSecret: secret })
  expect(connected.status).toBe(200)
  return { shop, program, processor }
}

const commissionsOf = async ({ program, processor }: Awaited<ReturnType<typeof givenConnectedShop>>) => {
  await processor.settled()
  const rows: { amountCents: number; reversedCents: number }[] = await program.commissions()
  return rows
    .map(({ amountCents, reversedCents }) => [amountCents, reversedCents])
    .toSorted(([a = 0], [b = 0]) => b - a)
}

test.each(PROCESSOR_NAMES)('a referral through %p: click, lead, payment, upgrade, renewal and refund', async (name) => {
  const given = await givenConnectedShop(name)
  const { shop, program, processor } = given
  const visitor = givenVisitor(shop.url, { service_click_id: await givenClick(service, program.link) })
  const { location } = await visitor.signUp('ann@example.com', { plan: 'team' })
  const checkout = await visitor.visit(location ?? '')
  const paid = await fetch(checkout.location ?? '', {
    method: 'POST',
    body: new URLSearchParams({ how: 'card' }),
    redirect: 'manual',
  })
  const thanks = await visitor.visit(paid.headers.get('location') ?? '')
  expect(thanks.html).toContain('Thank you!')
  expect(await commissionsOf(given)).toEqual([[980, 0]])

  const [first] = processor.fake.payments()
  const purchase = first?.name ?? ''
  processor.send(processor.fake.upgrade(purchase, 'upgrade', { priceCents: 9900, chargeCents: 2500 }))
  expect(await commissionsOf(given)).toEqual([
    [980, 0],
    [500, 0],
  ])
  processor.send(processor.fake.renew(purchase, 'renewal'))
  expect(await commissionsOf(given)).toEqual([
    [1980, 0],
    [980, 0],
    [500, 0],
  ])

  processor.send(processor.fake.refund(purchase, { cents: 1000 }))
  processor.send(processor.fake.refund(purchase))
  processor.send(processor.fake.refund('upgrade', { cents: 1250 }))
  expect(await commissionsOf(given)).toEqual([
    [1980, 0],
    [980, 980],
    [500, 250],
  ])
  expect(processor.log.filter(({ status }) => status !== 200)).toEqual([])
})
