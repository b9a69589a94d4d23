import { describe, expect, test } from 'bun:test'
import { givenClick, givenLink, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { givenProcessor, type ProcessorProgram, TEN_PERCENT } from './given-processor.ts'
import { stripePayment, type TestEvent } from './stripe-events.ts'

const service = await givenService()
const FLAT = { sale: { amountCents: 500, duration: 'lifetime' }, holdDays: 0 }
const SECONDS = 5_000

/** A payment made now and reported later. */
const payNow = (program: ProcessorProgram, customerKey: string, more: object = {}, clickId?: string) => {
  service.clock.advance(SECONDS)
  const metadata = {
    program_id: String(program.id),
    service_customer_key: customerKey,
    ...(clickId && { service_click_id: clickId }),
  }
  const created = Math.floor(service.clock.now().getTime() / 1_000)
  const payment = stripePayment({ metadata, created, tax: 0, ...more })
  service.clock.advance(SECONDS)
  return payment
}

const resultOf = async (program: ProcessorProgram) => {
  const sales = (await program.sales()).filter(({ voidedAt }) => voidedAt === null)
  const { rows } = await service.pool.query(
    `SELECT partner_id, currency, sum(CASE WHEN to_account = 'earned' THEN amount_cents ELSE -amount_cents END)::integer AS cents
     FROM ledger_lines WHERE program_id = $1 GROUP BY partner_id, currency ORDER BY partner_id, currency`,
    [program.id],
  )
  return {
    sales: sales.map(({ partnerId, reason, amountCents, currency }) => ({ partnerId, reason, amountCents, currency })),
    earned: rows.filter(({ cents }) => cents !== 0),
  }
}

describe.each(['the merchant', 'the processor'])('a payment that %s reports first', (first) => {
  const reportBoth = async (program: ProcessorProgram, sale: Record<string, unknown>, event: TestEvent) => {
    const byMerchant = async () => void (await program.sale(sale))
    const byProcessor = () => program.send(event)
    for (const reporting of first === 'the merchant' ? [byMerchant, byProcessor] : [byProcessor, byMerchant])
      await reporting()
    return resultOf(program)
  }

  test('made before the first click earns nothing', async () => {
    const program = await givenProcessor(service)
    const customer_key = unique('customer')
    const payment = payNow(program, customer_key)
    await program.lead({ customer_key, click_id: await givenClick(service, program.link) })
    const sale = { customer_key, amount: 1_190, invoice_id: payment.ids.intent }
    expect(await reportBoth(program, sale, payment.intentSucceeded())).toMatchObject({
      sales: [{ partnerId: null, reason: 'no_click_before_sale' }],
      earned: [],
    })
  })

  test('made between the clicks of two partners is credited to the first', async () => {
    const program = await givenProcessor(service)
    const other = await givenLink(service, program.id)
    const customer_key = unique('customer')
    const click_id = await givenClick(service, program.link)
    const payment = payNow(program, customer_key, {}, click_id)
    await givenClick(service, other, { existing_click_id: click_id })
    const sale = { customer_key, click_id, amount: 1_190, invoice_id: payment.ids.intent }
    const { partnerId } = program.link
    expect(await reportBoth(program, sale, payment.intentSucceeded())).toMatchObject({
      sales: [{ partnerId }],
      earned: [{ partner_id: partnerId, cents: 119 }],
    })
  })

  test.each([
    ['a share', TEN_PERCENT, FLAT, { currency: 'JPY', cents: 100_000 }],
    ['an amount', FLAT, TEN_PERCENT, { currency: 'USD', cents: 500 }],
  ])('earns %s in its own currency, by the terms at the time', async (_, then, now, earned) => {
    const program = await givenProcessor(service, then)
    const customer_key = await program.customer()
    const payment = payNow(program, customer_key, { currency: 'jpy', amount: 1_000_000 })
    await program.owner.call('PUT', `${program.api}/reward`, now)
    service.clock.advance(SECONDS)
    const sale = { customer_key, amount: 1_000_000, currency: 'JPY', invoice_id: payment.ids.intent }
    expect((await reportBoth(program, sale, payment.intentSucceeded())).earned).toMatchObject([earned])
  })
})

test.each([
  'the merchant',
  'the processor',
])('a payment of an unknown customer, credited by its click, has the reason payment_recorded if %s reports it first', async (first) => {
  const program = await givenProcessor(service)
  const payment = payNow(program, '', {}, await givenClick(service, program.link))
  const sale = { customer_key: unique('stranger'), amount: 1_190, invoice_id: payment.ids.intent }
  const event = payment.intentSucceeded()
  const byMerchant = async () => void (await program.sale(sale))
  const byProcessor = () => program.send(event)
  for (const report of first === 'the merchant' ? [byMerchant, byProcessor] : [byProcessor, byMerchant]) await report()
  // The event is judged by the credit that it brings, not by the sale as it was before.
  expect(await program.event(event.id)).toMatchObject({ fate: 'applied', reason: 'payment_recorded' })
  const { partnerId } = program.link
  expect(await resultOf(program)).toMatchObject({ sales: [{ partnerId, reason: null }], earned: [{ cents: 119 }] })
})

test('a correction keeps a sale on its day, even if the program’s time zone has changed', async () => {
  const program = await givenProcessor(service)
  const customer_key = await program.customer()
  const payment = payNow(program, customer_key, { tax: 190 })
  await program.send(payment.intentSucceeded())
  const [before] = await program.sales()
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Niue'])
    expect((await program.owner.call('PATCH', program.api, { timezone })).status).toBe(200)
  const completed = payment.completed()
  await program.send({ ...completed, created: completed.created - 2 })
  const [after] = await program.sales()
  expect(before?.amountCents).toBe(1_190)
  expect(after).toMatchObject({ id: before?.id as number, amountCents: 1_000, day: before?.day as string })
})

test.each(['first', 'last'])('a pending session has the tax, reported %s', async (when) => {
  const program = await givenProcessor(service)
  const payment = payNow(program, await program.customer(), { tax: 190 })
  const events = [payment.completed({ payment_status: 'unpaid' }), payment.intentSucceeded()]
  await program.send(...(when === 'first' ? events : events.toReversed()))
  expect((await resultOf(program)).sales).toMatchObject([{ amountCents: 1_000 }])
  expect((await resultOf(program)).earned).toMatchObject([{ cents: 100 }])
})

test('a payout created while a sale is corrected has the amount it shows and is not emptied', async () => {
  const program = await givenProcessor(service)
  const customer_key = await program.customer()
  const payment = payNow(program, customer_key)
  await program.sale({ customer_key, amount: 1_190, invoice_id: payment.ids.intent })
  const holding = await service.pool.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT FROM partner_accounts WHERE program_id = $1 FOR UPDATE', [program.id])
  const paying = program.owner.call('POST', `${program.api}/payouts`)
  await untilWaiting(service.pool)
  const reporting = program.send(payment.intentSucceeded())
  await untilWaiting(service.pool, 2)
  await holding.query('COMMIT')
  holding.release()
  const [{ body }] = await Promise.all([paying, reporting])
  const [line] = body.data.lines
  expect(line).toMatchObject({ status: 'open', amountCents: 119 })
  expect((await program.decide(body.data.id, line.id, { status: 'paid' })).body.data).toMatchObject({ status: 'paid' })
  expect(await program.balance()).toMatchObject({ payableCents: 0, batchedCents: 0, paidCents: 119 })
})
