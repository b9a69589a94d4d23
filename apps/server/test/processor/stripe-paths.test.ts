import { describe, expect, test } from 'bun:test'
import { givenClick, givenLink, givenProgram, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { givenProcessor, type ProcessorProgram, TEN_PERCENT } from './given-processor.ts'
import { stripeId, stripePayment, type TestEvent } from './stripe-events.ts'

const service = await givenService()

const LEAD_AND_SALE = { ...TEN_PERCENT, lead: { amountCents: 500 } }
const DAY_MS = 86_400_000

/** Stripe's times are whole seconds, and every step must be later than the one before. */
const next = () => {
  service.clock.advance(1_000)
  return Math.floor(service.clock.now().getTime() / 1_000)
}

/** A buyer of a Payment Link: their checkout has no metadata, but maybe the click ID. */
const buyer = (fields: { clickId?: string | null; customer?: string | null; metadata?: object } = {}) => {
  const { clickId = null, customer = stripeId('cus'), metadata = {} } = fields
  return {
    customer,
    checkout: (more: object = {}) =>
      stripePayment({ created: next(), metadata: { ...metadata } }).completed({
        customer,
        client_reference_id: clickId,
        ...more,
      }),
    renewal: (more: object = {}) => stripePayment({ created: next() }).invoicePaid({ customer, ...more }),
  }
}

const credits = async (program: ProcessorProgram) => {
  const sales = await program.sales()
  return sales.filter(({ voidedAt }) => voidedAt === null).map(({ partnerId, reason }) => partnerId ?? reason)
}
const leads = (programId: number) =>
  service.db.selectFrom('leads').selectAll().where('programId', '=', programId).execute()

describe('client_reference_id', () => {
  test('that is a click ID credits its partner, without a program in the metadata', async () => {
    const program = await givenProcessor(service)
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    await program.send(maya.checkout())
    expect(await credits(program)).toEqual([program.link.partnerId])
    expect(await program.commissions()).toMatchObject([{ amountCents: 100 }])
  })

  test('loses to the metadata; explain shows both', async () => {
    const program = await givenProcessor(service)
    const other = await givenLink(service, program.id)
    const [named, ignored] = [await givenClick(service, program.link), await givenClick(service, other)]
    const metadata = { program_id: String(program.id), service_click_id: named }
    const event = buyer({ clickId: ignored, metadata }).checkout()
    await program.send(event)
    expect(await credits(program)).toEqual([program.link.partnerId])
    const { body } = await program.owner.call('GET', `${program.api}/explain?invoice_id=${event.data.object.id}`)
    const both = body.data.sentences.find((sentence: string) => sentence.includes(ignored))
    expect(both).toContain(named)
  })

  test('completes metadata that names no click', async () => {
    const program = await givenProcessor(service, LEAD_AND_SALE)
    const customerKey = unique('customer')
    const metadata = { program_id: String(program.id), service_customer_key: customerKey }
    await program.send(buyer({ clickId: await givenClick(service, program.link), metadata }).checkout())
    expect(await program.sales()).toMatchObject([{ customerKey, partnerId: program.link.partnerId }])
    expect(await leads(program.id)).toMatchObject([{ settledBy: 'processor' }])
  })

  test('of another tool is ignored', async () => {
    const program = await givenProcessor(service)
    const elsewhere = await givenProgram(service)
    const foreign = await givenClick(service, elsewhere.link)
    const unknown = `${program.id}_0abcdefgh${'x'.repeat(22)}`
    for (const clickId of ['user_42', 'rewardful-8f14e45f', '', unknown, foreign, 'x'.repeat(200)])
      await program.send(buyer({ clickId }).checkout())
    expect(await program.sales()).toEqual([])
    const reasons = (await program.events()).map(({ fate, reason }) => `${fate} ${reason}`)
    expect(new Set(reasons)).toEqual(new Set(['ignored no_metadata']))
  })

  test('of another program of the workspace is credited there', async () => {
    const program = await givenProcessor(service)
    const sibling = await givenProgram(service)
    await service.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [program.workspaceId, sibling.id])
    const maya = buyer({ clickId: await givenClick(service, sibling.link) })
    await program.send(maya.checkout(), maya.renewal())
    expect(await program.sales()).toEqual([])
    const sold = service.db.selectFrom('sales').select('partnerId').where('programId', '=', sibling.id)
    expect(await sold.execute()).toEqual([{ partnerId: sibling.link.partnerId }, { partnerId: sibling.link.partnerId }])
  })
})

describe('the attribution of an agentic checkout', () => {
  test('names the click, as JSON text or as flat keys', async () => {
    const program = await givenProcessor(service)
    const clicks = [1, 2, 3, 4].map(() => givenClick(service, program.link))
    const [first, second, third, fourth] = await Promise.all(clicks)
    const places = [
      { affiliate_attribution: JSON.stringify({ provider: 'tributary', token: first, touchpoint: 'last' }) },
      { affiliate_attribution_token: second },
      { attribution: JSON.stringify({ source: { click: third } }) },
      { 'attribution.click_id': fourth },
    ]
    for (const metadata of places) await program.send(buyer({ metadata }).checkout())
    expect(await credits(program)).toEqual(places.map(() => program.link.partnerId))
  })

  test('that is malformed or names nothing of ours is ignored', async () => {
    const program = await givenProcessor(service)
    for (const text of ['{', '[]', 'null', '{"token":{"a":{"b":{"c":{"d":1}}}}}', 'x'.repeat(500)])
      await program.send(buyer({ metadata: { affiliate_attribution: text, attribution: text } }).checkout())
    expect(await program.sales()).toEqual([])
  })
})

describe('a customer known only by the processor', () => {
  test('keeps the partner for renewals without metadata, after the attribution window and later clicks', async () => {
    const program = await givenProcessor(service, LEAD_AND_SALE)
    const other = await givenLink(service, program.id)
    const clickId = await givenClick(service, program.link)
    const maya = buyer({ clickId })
    await program.send(maya.checkout())
    service.clock.advance(10 * DAY_MS)
    await givenClick(service, other, { existing_click_id: clickId })
    await program.send(maya.renewal())
    service.clock.advance(400 * DAY_MS)
    await program.send(maya.renewal())
    const { partnerId } = program.link
    expect(await credits(program)).toEqual([partnerId, partnerId, partnerId])
    expect(await leads(program.id)).toEqual([])
    expect(await program.commissions()).toHaveLength(3)
  })

  test('is credited in any order of their events', async () => {
    const program = await givenProcessor(service)
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    const events = [maya.checkout(), maya.renewal(), maya.renewal()] as [TestEvent, TestEvent, TestEvent]
    await program.send(events[2], events[1])
    expect(await credits(program)).toEqual([])
    await program.send(events[0])
    const { partnerId } = program.link
    expect(await credits(program)).toEqual([partnerId, partnerId, partnerId])
    await program.send(...events)
    expect(await program.sales()).toHaveLength(3)
    const reasons = (await program.events()).map(({ reason }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['payment_recorded']))
  })

  test('is the same in concurrent events', async () => {
    const program = await givenProcessor(service)
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    const events = [maya.checkout(), ...[1, 2, 3, 4, 5].map(() => maya.renewal())]
    await Promise.all(events.map((event) => program.send(event)))
    expect(await credits(program)).toEqual(events.map(() => program.link.partnerId))
  })

  test('becomes one customer with a later lead on the same click; nothing is paid twice', async () => {
    const first = { ...LEAD_AND_SALE, sale: { amountCents: 700, duration: 'first' } }
    const program = await givenProcessor(service, first)
    const clickId = await givenClick(service, program.link)
    const maya = buyer({ clickId })
    await program.send(maya.checkout())
    const customer_key = unique('customer')
    service.clock.advance(1_000)
    expect((await program.lead({ customer_key, click_id: clickId })).body).toMatchObject({
      success: true,
      click_id: clickId,
    })
    await program.send(maya.renewal())
    service.clock.advance(1_000)
    const { body } = await program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })
    expect(body).toMatchObject({ attributed: true })
    const records = new Set((await program.sales()).map((sale) => sale.clickId))
    expect([...records]).toEqual([clickId])
    const paid = (await program.commissions()).map(({ kind, amountCents }: { kind: string; amountCents: number }) => [
      kind,
      amountCents,
    ])
    expect(paid.toSorted()).toEqual([
      ['lead', 500],
      ['sale', 700],
    ])
  })

  test('becomes one customer with a key that a later or earlier payment names', async () => {
    for (const isEarlier of [false, true]) {
      const program = await givenProcessor(service)
      const maya = buyer({ clickId: await givenClick(service, program.link) })
      const customerKey = unique('customer')
      const metadata = { program_id: String(program.id), service_customer_key: customerKey }
      const bought = maya.checkout()
      const keyed = maya.renewal({ metadata })
      await program.send(...(isEarlier ? [keyed, bought] : [bought, keyed]))
      const { partnerId } = program.link
      expect(await credits(program)).toEqual([partnerId, partnerId])
      service.clock.advance(1_000)
      const { body } = await program.sale({ customer_key: customerKey, amount: 500, invoice_id: unique('invoice') })
      expect(body).toMatchObject({ attributed: true })
    }
  })

  test('belongs to the customer whose sale the merchant reported under the payment’s ID', async () => {
    const program = await givenProcessor(service)
    const customer_key = await program.customer()
    const maya = buyer()
    service.clock.advance(1_000)
    const first = maya.renewal()
    await program.sale({ customer_key, amount: 1_190, invoice_id: first.data.object.id })
    await program.send(first, maya.renewal())
    const { partnerId } = program.link
    expect(await credits(program)).toEqual([partnerId, partnerId])
  })

  test('stays with the earlier binding if the key belongs to another partner', async () => {
    for (const isKeyFirst of [true, false]) {
      const program = await givenProcessor(service)
      const other = await givenLink(service, program.id)
      const maya = buyer({ clickId: await givenClick(service, program.link) })
      const customer_key = unique('customer')
      const settle = async () => {
        const click_id = await givenClick(service, other)
        service.clock.advance(1_000)
        expect((await program.lead({ customer_key, click_id })).status).toBe(200)
        service.clock.advance(1_000)
      }
      if (isKeyFirst) await settle()
      await program.send(maya.checkout())
      if (!isKeyFirst) await settle()
      const metadata = { program_id: String(program.id), service_customer_key: customer_key }
      await program.send(maya.renewal({ metadata }))
      const winner = isKeyFirst ? other.partnerId : program.link.partnerId
      expect((await credits(program)).at(-1)).toBe(winner)
    }
  })

  test('is bound by a trial, which is neither a sale nor a lead', async () => {
    const program = await givenProcessor(service, LEAD_AND_SALE)
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    const trial = { mode: 'subscription', payment_status: 'no_payment_required', amount_total: 0, payment_intent: null }
    await program.send(maya.checkout(trial))
    expect(await program.sales()).toEqual([])
    service.clock.advance(100 * DAY_MS)
    await program.send(maya.renewal())
    expect(await credits(program)).toEqual([program.link.partnerId])
    expect(await leads(program.id)).toEqual([])
  })

  test('named by a trial is locked before the click, like one named by a payment', async () => {
    const program = await givenProcessor(service)
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    await program.send(buyer({ customer: maya.customer }).renewal())
    const trial = { mode: 'subscription', payment_status: 'no_payment_required', amount_total: 0, payment_intent: null }
    const holder = await service.pool.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM processor_customers WHERE program_id = $1 FOR UPDATE', [program.id])
      const sending = program.send(maya.checkout(trial))
      await untilWaiting(service.pool, 1)
      await holder.query('SELECT FROM customers WHERE program_id = $1 FOR UPDATE NOWAIT', [program.id])
      await holder.query('COMMIT')
      await sending
    } finally {
      holder.release()
    }
    expect(await credits(program)).toEqual([program.link.partnerId])
  })

  test('who checks out as a guest stays one sale, and the same address is no identity', async () => {
    const program = await givenProcessor(service)
    const clickId = await givenClick(service, program.link)
    const payment = stripePayment({ created: next() })
    const address = { customer: null, customer_details: { email: 'maya@example.com' } }
    await program.send(payment.completed({ client_reference_id: clickId, ...address }))
    await program.send(payment.intentSucceeded({ receipt_email: 'maya@example.com' }), payment.chargeSucceeded())
    await program.send(stripePayment({ created: next() }).completed(address))
    expect(await credits(program)).toEqual([program.link.partnerId])
  })

  test('of one workspace is unknown to another', async () => {
    const [program, other] = [await givenProcessor(service), await givenProcessor(service)]
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    await program.send(maya.checkout())
    await other.send(maya.renewal())
    expect(await other.sales()).toEqual([])
  })

  test('is found again by a replay, which changes nothing', async () => {
    const program = await givenProcessor(service)
    const maya = buyer({ clickId: await givenClick(service, program.link) })
    await program.send(maya.checkout(), maya.renewal())
    const body = { since: '2020-01-01', dryRun: false }
    const { data } = (await program.owner.call('POST', `${program.api}/processor/replay`, body)).body
    expect(data).toMatchObject({ changes: [], sales: [] })
  })
})
