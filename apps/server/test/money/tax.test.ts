import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { prorate } from '../../src/money/rewards/rewards.ts'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenPayments, paid } from '../payments/given-payments.ts'
import { expectOneOutcome } from '../payments/orders.ts'
import { expectRefusal, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenLedger } from './given-money.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from './nightly.ts'

setDefaultTimeout(NIGHTLY_TIMEOUT_MS)

const service = await givenService()
const ledger = await givenLedger()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 } as const
const TAXED = { tax: 1_900 }

describe('a sale with tax', () => {
  test('earns commission on the amount without tax, which is the amount that lists and explanations show', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { sale_id } = await givenSale(program, 11_900, TAXED)
    expect(await program.commissions()).toMatchObject([{ amountCents: 1_000 }])
    const read = async (path: string) => (await program.owner.call('GET', `${program.api}${path}`)).body.data
    expect(await read('/sales')).toMatchObject([{ id: sale_id, amountCents: 10_000, refundedCents: 0 }])
    expect(JSON.stringify(await read(`/sales/${sale_id}/explain`))).toContain('of $100.00 (excluding $19.00 tax)')
  })

  test('is refunded in amounts with tax, and shown without', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id, sale_id } = await givenSale(program, 11_900, TAXED)
    expect((await program.refund({ invoice_id, amount: 3_570 })).body).toMatchObject({
      refunded_amount: 3_570,
      reversed_amount: 300,
    })
    expectRefusal(await program.refund({ invoice_id, amount: 8_331 }), 400, 'invalid_amount')
    expect((await program.refund({ invoice_id, amount: 1 })).body).toMatchObject({ refunded_amount: 3_571 })
    expect((await program.refund({ invoice_id })).body).toMatchObject({
      refunded_amount: 11_900,
      reversed_amount: 1_000,
    })
    expect((await program.refund({ invoice_id })).body).toMatchObject({ duplicate: true })
    const { body } = await program.owner.call('GET', `${program.api}/sales/${sale_id}`)
    const { grossCents, refundedCents, refunds } = body.data
    expect(grossCents).toBe(11_900)
    expect({ refundedCents, refunds: refunds.map((refund: { amountCents: number }) => refund.amountCents) }).toEqual({
      refundedCents: 10_000,
      refunds: [3_000, 1, 6_999],
    })
    expect(await program.balance()).toMatchObject({ payableCents: 0 })
  })

  test('of nothing but tax is recorded and earns nothing, not even a flat amount', async () => {
    for (const sale of [
      { percentBps: 1_000, duration: 'lifetime' },
      { amountCents: 500, duration: 'lifetime' },
    ]) {
      const program = await givenPayingProgram(service, { sale, holdDays: 0 })
      const { commission_id, invoice_id } = await givenSale(program, 500, { tax: 500 })
      expect(commission_id).toBeNull()
      expect((await program.refund({ invoice_id, amount: 200 })).body).toMatchObject({ refunded_amount: 200 })
      expect((await program.refund({ invoice_id })).body).toMatchObject({ refunded_amount: 500, reversed_amount: 0 })
      expect(await program.commissions()).toEqual([])
    }
  })

  test('a tax that is not from 0 to the amount is rejected and records nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const customer_key = await program.customer()
    for (const tax of [-1, 1_001, 1.5, '100', [], true]) {
      const answer = await program.sale({ customer_key, amount: 1_000, tax, invoice_id: 'once' })
      expectRefusal(answer, 400, 'invalid_amount')
      expect(answer.body.error.field).toBe('tax')
    }
    expect((await program.sale({ customer_key, amount: 1_000, tax_cents: 200, invoice_id: 'once' })).status).toBe(200)
    expect(await program.commissions()).toMatchObject([{ amountCents: 80 }])
  })

  test('sent again with another tax is another sale with the same invoice_id, and no tax is a tax of 0', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const customer_key = await program.customer()
    const send = async (invoice_id: string, tax?: number | null) =>
      (await program.sale({ customer_key, amount: 1_000, tax, invoice_id })).body
    expect(await send('taxed', 200)).toMatchObject({ success: true })
    expect(await send('taxed', 200)).toMatchObject({ same_request: true })
    for (const tax of [100, 0, undefined]) expect(await send('taxed', tax)).toMatchObject({ same_request: false })
    expect(await send('free', 0)).toMatchObject({ success: true })
    for (const tax of [0, null, undefined]) expect(await send('free', tax)).toMatchObject({ same_request: true })
    expect(await send('free', 1)).toMatchObject({ same_request: false })
    expect(await program.commissions()).toHaveLength(2)
  })

  test('that is refunded before it is credited earns the rest once its lead arrives', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const click_id = await givenClick(service, program.link)
    const customer_key = unique('late')
    await program.sale({ customer_key, amount: 11_900, ...TAXED, invoice_id: 'in-1' })
    await program.refund({ invoice_id: 'in-1', amount: 4_760 })
    await program.lead({ customer_key, click_id })
    expect(await program.commissions()).toMatchObject([{ amountCents: 1_000, reversedCents: 400 }])
  })
})

describe('refunds in parts', () => {
  const sale = fc
    .record({
      gross: fc.integer({ min: 1, max: 1_000_000_000_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ gross, share }) => ({ gross, tax: Math.floor(gross * share) }))
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 })

  test('reverse the share of their total, never more than was earned, and all of it in the end', async () => {
    const shop = await givenPayments(ledger, { sale: { percentBps: 3_333, duration: 'lifetime' } })
    const property = fc.asyncProperty(sale, parts, async ({ gross, tax }, cuts) => {
      const net = gross - tax
      const earned = prorate(net, 3_333, 10_000)
      const amounts = { amountCents: net, grossCents: tax === 0 ? null : gross }
      const invoiceId = unique('invoice')
      await shop.underLoad().sale({ customerKey: await shop.customer(), ...amounts, invoiceId })
      const marks = [...new Set(cuts.map((cut) => Math.floor(cut * gross)))].filter((mark) => mark > 0 && mark < gross)
      let before = 0
      for (const mark of marks.toSorted((a, b) => a - b)) {
        const refund = await shop.refund(invoiceId, mark - before)
        before = mark
        expect(refund.refundedCents).toBe(mark)
        expect(refund.reversedCents).toBe(net === 0 ? 0 : prorate(earned, prorate(net, mark, gross), net))
        expect(refund.reversedCents).toBeLessThanOrEqual(earned)
      }
      const last = await shop.refund(invoiceId, gross - before)
      expect({ refunded: last.refundedCents, reversed: last.reversedCents }).toEqual({
        refunded: gross,
        reversed: earned,
      })
    })
    await fc.assert(property, { numRuns: cases({ short: 25, small: 200, nightly: 5_000 }) })
    expect((await shop.verify()).differences).toEqual([])
  })
})

describe('a sale with tax that a processor reports too', () => {
  const made = (refundId: string, grossCents: number): ReportBody => ({
    kind: 'refund',
    refundId,
    grossCents,
    currency: 'USD',
    state: 'made',
    reason: null,
  })

  test('is refunded by the processor in amounts with tax, in every order', async () => {
    const { balance } = await expectOneOutcome(ledger, [
      { api: 'sale', amount: 11_900, tax: 1_900, invoiceId: 'ch_1' },
      { references: ['ch_1'], says: made('re_1', 3_570), second: 70 },
      { references: ['ch_1'], says: made('re_2', 2_380), second: 80 },
      { api: 'lead' },
    ])
    expect(balance).toMatchObject({ payableCents: 500 })
  })

  test('keeps the merchant’s refunds as shares of the merchant’s amount when the processor states another tax', async () => {
    const shop = await givenPayments(ledger, { sale: TEN_PERCENT.sale })
    const attribution = await shop.attribution()
    await shop.lead(attribution.customerKey, attribution.clickId)
    const sold = { customerKey: attribution.customerKey, amountCents: 10_000, grossCents: 11_900, invoiceId: 'ch_1' }
    await shop.underLoad().sale(sold)
    await shop.refund('ch_1', 5_950)
    await shop.report(['ch_1'], paid(11_900, { netCents: 11_000 }), { attribution })
    expect(await shop.balance()).toMatchObject({ payableCents: 550 })
    await shop.refund('ch_1', 5_950)
    expect(await shop.balance()).toMatchObject({ payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('is merged with the processor’s sale, and the refunds of both count once', async () => {
    const shop = await givenPayments(ledger, { sale: TEN_PERCENT.sale })
    const attribution = await shop.attribution()
    await shop.lead(attribution.customerKey, attribution.clickId)
    const sold = { customerKey: attribution.customerKey, amountCents: 10_000, grossCents: 11_900, invoiceId: 'mine' }
    await shop.underLoad().sale(sold)
    await shop.refund('mine', 1_190)
    await shop.report(['ch_1'], paid(11_900, { netCents: 10_000 }), { attribution })
    await shop.report(['ch_1', 'mine'], { kind: 'tie' })
    expect(await shop.liveSales()).toMatchObject([{ amountCents: 10_000, grossCents: 11_900 }])
    expect(await shop.balance()).toMatchObject({ payableCents: 900 })
    await shop.refund('mine', 10_710)
    expect(await shop.balance()).toMatchObject({ payableCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })
})
