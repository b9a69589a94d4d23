import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { expectRefusal, givenClick, givenProgram } from '../support/given.ts'
import { testEventsOf } from '../support/records.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor } from './given-processor.ts'
import { event, SIZED_GENERATIONS, stripePayment } from './stripe-events.ts'

const service = await givenService()
const SECOND_MS = 1_000

describe('a genuine event', () => {
  test('is stored as received, once, with the sale that it creates', async () => {
    const program = await givenProcessor(service)
    const { completed, ids } = await program.payment()
    const given = completed()
    expect(await program.deliver(given)).toMatchObject({ status: 200, body: { success: true, received: true } })
    const [kept, ...others] = await program.inbox()
    expect(others).toEqual([])
    expect(Buffer.from(kept?.payload ?? []).toString()).toBe(JSON.stringify(given))
    expect(kept).toMatchObject({ eventId: given.id, type: given.type, livemode: true, apiVersion: given.api_version })
    const [sale] = await program.sales()
    expect(sale).toMatchObject({ amountCents: 1000, currency: 'USD', partnerId: program.link.partnerId })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, currency: 'USD' }])
    expect(await program.events()).toMatchObject([
      {
        id: given.id,
        fate: 'applied',
        references: [ids.session, ids.intent],
        programId: program.id,
        saleId: sale?.id,
        test: false,
      },
    ])
    expect((await program.event(given.id)).raw).toEqual(given)
  })

  test('of a payment in the same second as its click is credited: the processor counts whole seconds', async () => {
    const program = await givenProcessor(service)
    const { now, advance } = service.clock
    advance(1_300 - (now().getTime() % 1_000))
    const clickId = await givenClick(service, program.link)
    advance(300)
    const created = Math.floor(now().getTime() / 1_000)
    const metadata = { program_id: String(program.id), service_customer_key: 'user_42', service_click_id: clickId }
    const completed = stripePayment({ metadata, created }).completed()
    await program.send(completed)
    expect(await program.event(completed.id)).toMatchObject({ fate: 'applied', reason: 'payment_recorded' })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100 }])
    const receivedBy = now()
    const late = stripePayment({ metadata, created }).completed()
    advance(5_000)
    await program.send(late)
    // Not sold after it was reported, nor in another second if it is reported later.
    const [first, second] = (await program.sales()).map(({ soldAt }) => soldAt.getTime())
    expect(first).toBeLessThanOrEqual(receivedBy.getTime())
    expect(second).toBe(created * 1_000 + 999)
  })

  test('concurrent with others of its payment, in different seconds, has one time, whichever comes first', async () => {
    const program = await givenProcessor(service)
    const { now, advance } = service.clock
    const clickId = await givenClick(service, program.link)
    for (let round = 0; round < 5; round++) {
      advance(1_100 - (now().getTime() % 1_000))
      const created = Math.floor(now().getTime() / 1_000)
      const metadata = { program_id: String(program.id), service_customer_key: 'user_42', service_click_id: clickId }
      const deliveries = Array.from({ length: 8 }, () => stripePayment({ metadata, created })).flatMap((payment) => [
        payment.intentSucceeded(),
        payment.completed(),
        payment.chargeSucceeded(),
      ])
      await Promise.all(deliveries.map((event) => program.send(event)))
    }
    expect(await program.commissions()).toHaveLength(40)
    const { rows } = await sql`SELECT commission_id FROM ledger_lines WHERE program_id = ${program.id}
      GROUP BY commission_id HAVING count(DISTINCT available_at) <> 1`.execute(service.db)
    expect(rows).toEqual([])
  })

  test('delivered five times concurrently and eight days later is one sale and one commission, and 2xx each time', async () => {
    const program = await givenProcessor(service)
    const given = (await program.payment()).completed()
    const answers = await Promise.all(Array.from({ length: 5 }, () => program.deliver(given)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(4)
    service.clock.advance(8 * 86_400 * SECOND_MS)
    expect((await program.deliver(given)).body).toEqual({ success: true, received: true, duplicate: true })
    expect(await program.sales()).toHaveLength(1)
    expect(await program.commissions()).toHaveLength(1)
    expect(await program.inbox()).toHaveLength(1)
  })

  test('of an unknown type is stored, answered 2xx and ignored with a reason', async () => {
    const program = await givenProcessor(service)
    await program.send(event('2026', 'price.created', { id: 'price_1' }))
    expect(await program.events()).toMatchObject([{ type: 'price.created', fate: 'ignored', reason: 'other_event' }])
    expect((await program.events())[0]?.sentence).toContain('are not about a payment')
  })

  test('in test mode creates a test sale and no money, and at most sixty a minute without failing', async () => {
    const program = await givenProcessor(service)
    const payment = await program.payment({ livemode: false })
    const test = payment.completed()
    await program.send(test, payment.dispute('charge.dispute.created', 'needs_response'))
    expect(await testEventsOf(service, program.id)).toMatchObject([{ eventType: 'sale' }])
    await program.send(test, test)
    expect(await testEventsOf(service, program.id)).toHaveLength(1)
    expect(await program.sales()).toEqual([])
    expect(await program.events()).toMatchObject([
      { reason: 'test_mode', fate: 'ignored', test: true },
      { reason: 'test_sale', fate: 'applied', test: true },
    ])
    for (let index = 0; index < 60; index++) await program.send(payment.completed())
    expect(await testEventsOf(service, program.id)).toHaveLength(60)
    expect(await program.events('?type=checkout.session.completed&fate=ignored')).toMatchObject([
      { reason: 'too_many_tests' },
    ])
  })

  test.each([
    ['NUL', 'a\u0000b', 'ab'],
    ['half a character', '\ud800', '\ufffd'],
    ['a character at the cut', `${'x'.repeat(99)}😀`, `${'x'.repeat(99)}\ufffd`],
  ])('of a refund counts whatever its reason contains: %s', async (_, reason, kept) => {
    const program = await givenProcessor(service)
    const payment = await program.payment()
    await program.send(payment.completed(), payment.chargeSucceeded())
    const refund = payment.refund('refund.created', 're_1', { amount: 119, status: 'succeeded', reason })
    await program.send(refund)
    expect(await program.event(refund.id)).toMatchObject({ fate: 'applied', reason: 'refund_recorded' })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 10 }])
    const { rows } = await service.pool.query(
      `SELECT report->'says'->>'reason' AS reason FROM payment_reports WHERE program_id = $1 AND report->'says' ? 'refundId'`,
      [program.id],
    )
    expect(rows).toEqual([{ reason: kept }])
  })

  test('of five megabytes is stored like any other', async () => {
    const program = await givenProcessor(service)
    const { completed } = await program.payment()
    await program.send(completed({ client_reference_id: 'x'.repeat(5_000_000) }))
    expect(await program.sales()).toHaveLength(1)
  })
})

test('only members of the workspace see its events, even if others know their ids', async () => {
  const [program, other] = [await givenProcessor(service), await givenProcessor(service)]
  const given = (await program.payment()).completed()
  await program.send(given)
  expect(await other.events()).toEqual([])
  const path = (id: number) => `/api/programs/${id}/processor/events/${given.id}`
  expectRefusal(await other.owner.call('GET', path(other.id)), 404, 'not_found')
  expectRefusal(await other.owner.call('GET', path(program.id)), 403, 'forbidden')
})

describe('the metadata', () => {
  test('may name another program of the same workspace, which is then credited', async () => {
    const program = await givenProcessor(service)
    const other = await givenProgram(service)
    await service.db
      .updateTable('programs')
      .set({ workspaceId: program.workspaceId })
      .where('id', '=', other.id)
      .execute()
    const { completed } = stripePayment({ metadata: { program_id: String(other.id), service_customer_key: 'c' } })
    await program.send(completed())
    expect(await program.sales()).toEqual([])
    expect(await program.events()).toMatchObject([{ programId: other.id }])
  })

  test('that names a program of another workspace, or an unknown one, is stored and refused', async () => {
    const program = await givenProcessor(service)
    const other = await givenProcessor(service)
    const stolen = await other.payment()
    const nowhere = stripePayment({ metadata: { ...stolen.metadata, program_id: '987654' } })
    await program.send(stolen.completed(), nowhere.completed())
    expect(await program.events()).toMatchObject([
      { fate: 'refused', reason: 'program_of_others', saleId: null },
      { fate: 'refused', reason: 'program_of_others', saleId: null },
    ])
    expect(await other.sales()).toEqual([])
    expect(await program.sales()).toEqual([])
    expect(await other.commissions()).toEqual([])
  })

  test('edited on one object of a payment does not spoil another object', async () => {
    const [program, other] = [await givenProcessor(service), await givenProcessor(service)]
    const payment = await program.payment()
    const edited = { ...payment.metadata, program_id: String(other.id) }
    await program.send(payment.completed({ metadata: edited }), payment.intentSucceeded())
    expect(await program.sales()).toMatchObject([{ partnerId: program.link.partnerId }])
    expect((await program.events('?fate=refused')).map(({ reason }) => reason)).toEqual(['program_of_others'])
    expect(await other.sales()).toEqual([])
  })

  test('with a click of another program credits no partner', async () => {
    const program = await givenProcessor(service)
    const other = await givenProcessor(service)
    const { metadata } = await other.payment()
    await program.send(stripePayment({ metadata: { ...metadata, program_id: String(program.id) } }).completed())
    expect(await program.sales()).toMatchObject([{ partnerId: null, reason: expect.any(String) }])
    expect(await program.commissions()).toEqual([])
    expect(await other.commissions()).toEqual([])
  })
})

for (const generation of SIZED_GENERATIONS)
  describe(`a payment of ${generation}`, () => {
    test('reported by five events in any order is one sale, and refunds and disputes find it', async () => {
      const program = await givenProcessor(service)
      const payment = await program.payment({ generation })
      const linked = generation === '2026' ? [payment.invoicePaymentPaid()] : []
      await program.send(
        payment.dispute('charge.dispute.created', 'needs_response'),
        payment.refund('refund.created', 're_1', { amount: 119, status: 'succeeded' }),
        payment.chargeSucceeded(),
        payment.invoicePaid(),
        ...linked,
        payment.intentSucceeded({ metadata: {} }),
        payment.subscribed(),
        payment.dispute('charge.dispute.closed', 'won'),
      )
      expect(await program.sales()).toMatchObject([{ amountCents: 1000 }])
      expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 10 }])
      expect((await program.events()).filter(({ fate }) => fate !== 'applied')).toEqual([])
    })

    test('that renews is attributed through the metadata of the subscription', async () => {
      const program = await givenProcessor(service)
      const first = await program.payment({ generation })
      await program.send(first.subscribed(), first.invoicePaid())
      const metadata = { program_id: String(program.id), service_customer_key: first.customerKey }
      const renewal = await program.payment({ generation, metadata })
      await program.send(renewal.invoicePaid())
      expect(await program.sales()).toHaveLength(2)
      expect((await program.commissions()).map(({ amountCents }: { amountCents: number }) => amountCents)).toEqual([
        100, 100,
      ])
    })

    test('by bank debit pays no commission until the bank has paid, and none if it fails', async () => {
      const program = await givenProcessor(service)
      const [good, bad] = [await program.payment({ generation }), await program.payment({ generation })]
      await program.send(good.completed({ payment_status: 'unpaid' }), bad.completed({ payment_status: 'unpaid' }))
      expect(await program.sales()).toEqual([])
      expect((await program.events()).map(({ fate }) => fate)).toEqual(['waiting', 'waiting'])
      await program.send(good.asyncSucceeded(), bad.asyncFailed())
      expect(await program.sales()).toHaveLength(1)
      expect(await program.commissions()).toHaveLength(1)
    })
  })
