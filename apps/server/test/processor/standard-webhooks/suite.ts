import { describe, expect, test } from 'bun:test'
import { redactEvent } from '../../../src/processor/personal-data/redact.ts'
import { processorOf } from '../../../src/processor/processors.ts'
import { representativeOrders } from '../../payments/orders.ts'
import { expectRefusal, unique } from '../../support/given.ts'
import { testEventsOf } from '../../support/records.ts'
import type { TestService } from '../../support/service.ts'
import { contentOf, eventOf, type FakeProgram, givenFake, withContent } from './given-fake.ts'
import { type Content, checkSignatures, givenPaid, PRICE, type StandardProcessor } from './signatures.ts'

/** What holds for every processor that follows https://www.standardwebhooks.com. */
export const behavesLikeStandardWebhooks = (service: TestService, suite: StandardProcessor) => {
  const { processor, paidType } = suite
  const given = (options: Parameters<typeof givenFake>[2] = {}) => givenFake(service, suite, options)
  const paid = (program: FakeProgram) => givenPaid(program, suite)

  checkSignatures(service, suite)

  describe('an event', () => {
    test.each([
      '{"type": ',
      '[]',
      '"text"',
      'null',
      '',
    ])('of %j is not JSON or not an object: nothing is stored', async (body) => {
      const program = await given()
      expectRefusal((await program.deliver(program.fake.deliver(body))) as never, 400, 'invalid_json')
      expect(await program.inbox()).toEqual([])
    })

    test.each([
      '{}',
      '{"type":5,"data":{}}',
      `{"type":"${'x'.repeat(300)}","data":{"id":1}}`,
    ])('of %j lacks the fields of every event: kept, with the reason', async (body) => {
      const program = await given()
      expect(await program.deliver(program.fake.deliver(body, { id: unique('event') }))).toMatchObject({ status: 200 })
      expect(await program.events()).toMatchObject([{ fate: 'ignored', reason: 'unreadable_event' }])
    })

    test('of an unknown type is kept, ignored and shown', async () => {
      const program = await given()
      await program.send(...program.fake.unknown())
      expect(await program.events()).toMatchObject([
        { type: 'reticulation.splined', fate: 'ignored', reason: 'other_event' },
      ])
    })

    test.each<[string, (content: Content) => void]>([
      ['an amount that is a float', (content) => suite.setAmount(content, 119.5)],
      ['an amount that is text', (content) => suite.setAmount(content, '119 USD')],
      ['an amount beyond the largest', (content) => suite.setAmount(content, 1e15)],
      ['no amount', (content) => suite.setAmount(content, undefined)],
      ['an unknown currency', (content) => suite.setCurrency(content, 'zzz')],
      ['no currency', (content) => suite.setCurrency(content, null)],
    ])('with %s is kept with the reason', async (_, change) => {
      const program = await given()
      await program.send(withContent(await paid(program), change))
      expect(await program.events()).toMatchObject([{ fate: 'ignored', reason: 'amount_missing' }])
      expect((await program.events())[0]?.sentence).toBe('The event has no valid amount, or a currency we do not know.')
      expect(await program.sales()).toEqual([])
    })

    test('without an ID of the payment is kept with the reason', async () => {
      const program = await given()
      await program.send(
        withContent(await paid(program), ({ data }) => {
          for (const name of ['id', 'payment_id', 'checkout_id', 'checkout_session_id', 'invoice_id']) delete data[name]
        }),
      )
      expect(await program.events()).toMatchObject([{ fate: 'ignored', reason: 'no_payment_named' }])
    })

    test('delivered five times concurrently, and eight days later, is one sale and one commission', async () => {
      const program = await given()
      const event = await paid(program)
      const answers = await Promise.all(Array.from({ length: 5 }, () => program.deliver(event)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      service.clock.advance(8 * 86_400_000)
      expect((await program.deliver(program.fake.sign(event))).body).toEqual({
        success: true,
        received: true,
        duplicate: true,
      })
      expect(await program.sales()).toHaveLength(1)
      expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
      expect(await program.inbox()).toHaveLength(1)
    })

    test('under two IDs is one sale', async () => {
      const program = await given()
      const event = await paid(program)
      await program.send(event, { ...event, id: `${event.id}2` })
      expect(await program.inbox()).toHaveLength(2)
      expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    })
  })

  test('an event at an endpoint of the sandbox is a test, also when it is read again', async () => {
    const program = await given({ connect: { test: true } })
    const event = await paid(program)
    await program.send(event)
    expect(await program.sales()).toEqual([])
    expect(await testEventsOf(service, program.id)).toMatchObject([{ eventType: 'sale' }])
    expect(await program.events()).toMatchObject([{ test: true, reason: 'test_sale' }])
    const replayed = await program.owner.call('POST', `${program.api}/processor/replay`, { since: '2020-01-01' })
    expect(replayed).toMatchObject({ status: 200, body: { data: { changes: [] } } })
    expect(await program.sales()).toEqual([])
  })

  describe('the metadata', () => {
    test('may be numbers', async () => {
      const program = await given()
      const { deliveries, metadata } = await program.checkout(PRICE)
      const numbers = { ...metadata, program_id: program.id, service_customer_key: 4_217 }
      const event = eventOf(deliveries, paidType)
      await program.send(withContent(event, ({ data }) => Object.assign(data.metadata, numbers)))
      expect(await program.sales()).toMatchObject([{ customerKey: '4217', partnerId: program.link.partnerId }])
    })

    test('without a program is of the endpoint’s program', async () => {
      const program = await given()
      const { program_id: _, ...metadata } = await program.visitor()
      await program.send(...program.fake.checkout(unique('payment'), { ...PRICE, metadata }))
      expect(await program.sales()).toMatchObject([{ partnerId: program.link.partnerId }])
    })
  })

  describe('it is impossible to', () => {
    test('credit a program of another workspace', async () => {
      const [program, other] = [await given(), await given()]
      const metadata = await other.visitor()
      await program.send(...program.fake.checkout(unique('stolen'), { ...PRICE, metadata }))
      expect(await program.events(`?type=${paidType}`)).toMatchObject([
        { fate: 'refused', reason: 'program_of_others' },
      ])
      expect([await program.sales(), await other.sales()]).toEqual([[], []])
    })

    test('credit a partner of another program with its click', async () => {
      const [program, other] = [await given(), await given()]
      const metadata = { ...(await other.visitor()), program_id: String(program.id) }
      await program.send(...program.fake.checkout(unique('stolen'), { ...PRICE, metadata }))
      expect(await program.sales()).toMatchObject([{ partnerId: null }])
      expect([await program.commissions(), await other.commissions()]).toEqual([[], []])
    })

    test('credit payments of another account', async () => {
      const program = await given()
      await program.send(await paid(program))
      const other = await givenFake(service, suite, { program, fake: { account: suite.otherAccount } })
      await other.send(await paid(other))
      expect(await program.events()).toMatchObject([
        { fate: 'refused', reason: 'foreign_account' },
        { fate: 'applied' },
      ])
      expect(await program.sales()).toHaveLength(1)
    })

    test('join a payment with a number of the merchant', async () => {
      const program = await given()
      const { deliveries, metadata, names } = await program.checkout(PRICE)
      const sale = (invoice_id: string) =>
        program.sale({ customer_key: metadata.service_customer_key, amount: 500, currency: 'USD', invoice_id })
      await program.send(...deliveries)
      for (const invoice of ['1', '119', ...Object.values(names).filter((name) => /^\d+$/.test(name))])
        expect((await sale(invoice)).status).toBe(200)
      expect((await program.sales()).length).toBeGreaterThanOrEqual(3)
      const before = (await program.sales()).length
      await sale(names[suite.ownName] as string)
      expect(await program.sales()).toHaveLength(before)
    })
  })

  test('a payment that names the merchant’s own invoice is one sale with the merchant’s report; a renewal is another', async () => {
    const program = await given()
    const visitor = await program.visitor()
    const [name, invoice_id] = [unique('payment'), unique('invoice')]
    const metadata = { ...visitor, service_invoice_id: invoice_id }
    await program.sale({
      customer_key: visitor.service_customer_key,
      click_id: visitor.service_click_id,
      amount: 10_000,
      currency: 'USD',
      invoice_id,
    })
    await program.send(...program.fake.checkout(name, { ...PRICE, mode: 'subscription', metadata }))
    expect(await program.sales()).toHaveLength(1)
    await program.send(...program.fake.renew(name, unique('renewal')))
    expect(await program.sales()).toHaveLength(2)
    expect(await program.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
  })

  test('every adjacent pair of a payment’s events in both orders, and each event twice, ends the same', async () => {
    const program = await given()
    const outcomes: unknown[] = []
    const lifeOf = async () => {
      const { name, deliveries } = await program.checkout(PRICE)
      return [...deliveries, ...suite.afterwards(program, name)]
    }
    const orders = representativeOrders((await lifeOf()).map((_, index) => index))
    for (const order of orders) {
      const before = new Set((await program.sales()).map(({ id }) => id))
      const heldBefore = await program.held()
      const life = await lifeOf()
      service.clock.advance(60_000)
      for (const index of order) await program.send(...life.slice(index, index + 1), ...life.slice(index, index + 1))
      const sales = (await program.sales()).filter(({ id }) => !before.has(id))
      const money = await program.earned(sales[0]?.id)
      outcomes.push({
        order,
        sales: sales.length,
        amount: sales[0]?.amountCents,
        ...money,
        held: (await program.held()) - heldBefore,
      })
    }
    const end = { sales: 1, amount: 10_000, commissions: 1, ...suite.end }
    expect(outcomes).toEqual(orders.map((order) => ({ order, ...end })))
  }, 600_000)

  test('a customer’s erasure leaves no personal data in any event', async () => {
    const program = await given()
    const { name, metadata, deliveries } = await program.checkout({
      ...PRICE,
      mode: 'subscription',
      email: 'ann@example.org',
      customerName: 'Ann Private',
    })
    const all = [
      ...deliveries,
      ...suite.afterwards(program, name),
      ...program.fake.cancel(name),
      ...program.fake.end(name),
    ]
    const { personalData } = processorOf({ processor })
    const person = { programId: program.id, customerKey: metadata.service_customer_key, token: 'erased' }
    const related = new Set(all.map((event) => personalData.relatedIds(contentOf(event)).length))
    expect(Math.min(...related)).toBeGreaterThan(0)
    for (const event of all) {
      const redacted = JSON.stringify(redactEvent(contentOf(event), person, personalData))
      for (const secret of ['ann@example.org', 'Ann Private', 'Sample Street', metadata.service_customer_key])
        expect({ type: event.type, secret, isLeft: redacted.includes(secret) }).toEqual({
          type: event.type,
          secret,
          isLeft: false,
        })
      const { read, translate } = processorOf({ processor })
      const meaningOf = (text: string) => {
        const incoming = read(text, service.clock.now(), event.id)
        const translation = incoming && translate(incoming)
        if (translation && 'customer' in translation) return translation.customer.customerId
        return translation && 'report' in translation
          ? [translation.report.references, translation.report.says]
          : translation
      }
      expect(meaningOf(redacted)).toEqual(meaningOf(JSON.stringify(contentOf(event))) as never)
    }
  })
}
