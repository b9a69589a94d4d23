import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { recordLead } from '../../src/tracking/leads/record-lead.ts'
import { DAY_MS } from '../money/given-money.ts'
import { inSeparateTransactions } from '../support/separate-transactions.ts'
import { SECRETS } from '../support/service.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger()

const LEAD = { lead: { amountCents: 250 }, sale: { percentBps: 1_000, duration: 'lifetime' as const } }

describe('a payment of a customer', () => {
  test('settles a provisional lead, which then counts and pays', async () => {
    const shop = await givenPayments(ledger, LEAD)
    const attribution = await shop.attribution()
    await recordLead(
      {
        db: ledger.db,
        batches: inSeparateTransactions(ledger.db, { clock: shop.clock.now, hashKey: SECRETS.hashKey }),
      },
      {
        program: shop.inboxProgram,
        event: 'browser_sign_up',
        request: { click_id: attribution.clickId, customer_key: null, email: null },
      },
    )
    expect(await shop.leads()).toMatchObject([{ state: 'provisional' }])
    await shop.report(['pi_1'], paid(10_000), { attribution })
    expect(await shop.leads()).toMatchObject([{ state: 'settled', settledBy: 'processor' }])
    expect(await shop.balance()).toMatchObject({ payableCents: 1_250 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('settles it even if the merchant reported the sale by the click before', async () => {
    const shop = await givenPayments(ledger, LEAD)
    const attribution = await shop.attribution()
    await shop.sale(attribution.customerKey, 10_000, 'pi_1')
    await shop.report(['pi_1'], paid(10_000), { attribution })
    expect(await shop.leads()).toMatchObject([{ state: 'settled' }])
    expect(await shop.balance()).toMatchObject({ payableCents: 1_250 })
  })

  test('with a settled lead needs no click', async () => {
    const shop = await givenPayments(ledger)
    const customerKey = await shop.customer()
    const attribution = { programId: shop.programId, customerKey, clickId: null }
    await shop.report(['pi_1'], paid(10_000), { attribution })
    expect(await shop.liveSales()).toMatchObject([{ reason: null }])
    expect(await shop.leads()).toHaveLength(1)
  })

  test('is judged at the time of the payment: a report after the attribution window is not too late', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const at = new Date(shop.clock.now().getTime() + 1_000)
    shop.clock.advance(400 * DAY_MS)
    await shop.report(['pi_1'], paid(10_000), { attribution, at })
    expect(await shop.liveSales()).toMatchObject([{ reason: null, soldAt: at }])
    expect(await shop.leads()).toMatchObject([{ settledAt: at }])
    expect((await shop.verify()).differences).toEqual([])
  })

  test('after the attribution window is stored and unattributed, with the reason', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    shop.clock.advance(366 * DAY_MS)
    const result = await shop.report(['pi_1'], paid(10_000), { attribution })
    expect(result).toMatchObject({ outcome: 'applied', reason: 'customer_unknown' })
    const keyless = await shop.report(['pi_2'], paid(10_000), { attribution: { ...attribution, customerKey: null } })
    expect(keyless).toMatchObject({ outcome: 'applied', reason: 'click_expired' })
    expect(await shop.leads()).toEqual([])
  })

  test.each([
    ['an unknown click', 'forged'],
    ['a click of another program', null],
  ])('with %s is unattributed', async (_, forged) => {
    const shop = await givenPayments(ledger)
    const clickId = forged ?? (await givenPayments(ledger).then((other) => other.attribution())).clickId
    const attribution = { programId: shop.programId, customerKey: null, clickId }
    expect(await shop.report(['pi_1'], paid(10_000), { attribution })).toMatchObject({ reason: 'click_not_found' })
    const keyed = { ...attribution, customerKey: 'customer-1' }
    expect(await shop.report(['pi_2'], paid(10_000), { attribution: keyed })).toMatchObject({
      reason: 'customer_unknown',
    })
    expect(await shop.balance()).toMatchObject({ payableCents: 0 })
  })

  test('without a key is credited by its click, like the merchant’s own call', async () => {
    const shop = await givenPayments(ledger)
    const attribution = { ...(await shop.attribution()), customerKey: null }
    await shop.report(['pi_1'], paid(10_000), { attribution })
    expect(await shop.liveSales()).toMatchObject([{ clickId: attribution.clickId }])
    expect(await shop.leads()).toEqual([])
  })

  test('whose key comes with a later report is credited then', async () => {
    const shop = await givenPayments(ledger)
    const customerKey = await shop.customer()
    const first = { programId: shop.programId, customerKey: null, clickId: 'unknown' }
    expect(await shop.report(['pi_1'], paid(10_000), { attribution: first })).toMatchObject({
      reason: 'click_not_found',
    })
    await shop.report(['pi_1', 'cs_1'], SAME_PAYMENT, { attribution: { ...first, customerKey } })
    expect(await shop.liveSales()).toMatchObject([{ customerKey, reason: null }])
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test('is credited by a later lead', async () => {
    const shop = await givenPayments(ledger)
    const clickId = await shop.click()
    const attribution = { programId: shop.programId, customerKey: 'late', clickId: null }
    await shop.report(['pi_1'], paid(10_000), { attribution })
    await shop.report(['pi_1'], { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' })
    await shop.lead('late', clickId)
    expect(await shop.balance()).toMatchObject({ payableCents: 500 })
    expect((await shop.verify()).differences).toEqual([])
  })
})

test('renewals are separate payments, by the metadata of their subscription', async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  const renewal = (name: string) =>
    shop.report([name], paid(11_900, { netCents: 10_000, source: 'invoice', subscriptionId: 'sub_1' }), { attribution })
  await shop.report(['cs_1', 'in_1'], paid(11_900, { netCents: 10_000, source: 'checkout' }), { attribution })
  for (const name of ['in_1', 'in_2', 'in_3', 'in_2']) await renewal(name)
  expect(await shop.report(['in_4'], paid(0, { netCents: 0, source: 'invoice' }), { attribution })).toMatchObject({
    outcome: 'ignored',
    reason: 'nothing_paid',
  })
  expect(await shop.liveSales()).toMatchObject([
    { invoiceId: 'in_1', subscriptionId: 'sub_1' },
    { invoiceId: 'in_2' },
    { invoiceId: 'in_3' },
  ])
  expect(await shop.leads()).toHaveLength(1)
  expect(await shop.balance()).toMatchObject({ payableCents: 3_000 })
})

describe('a pending payment', () => {
  test('waits, and is a sale once it is paid', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const pending = await shop.report(['cs_1', 'pi_1'], { kind: 'pending' }, { attribution })
    expect(pending).toMatchObject({ outcome: 'waiting', reason: 'payment_pending' })
    expect(await shop.liveSales()).toEqual([])
    expect(await shop.leads()).toEqual([])
    shop.clock.advance(5 * DAY_MS)
    await shop.report(['cs_1'], paid(10_000, { source: 'checkout' }))
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
    expect(await shop.decisions()).toMatchObject([
      { outcome: 'applied', reason: 'payment_settled' },
      { outcome: 'applied' },
    ])
  })

  test('that fails is not a sale', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    await shop.report(['cs_1'], { kind: 'pending' }, { attribution })
    await shop.report(['cs_1'], { kind: 'failed' }, { attribution })
    expect(await shop.sales()).toEqual([])
    expect(await shop.decisions()).toMatchObject([
      { outcome: 'ignored', reason: 'payment_failed' },
      { outcome: 'ignored', reason: 'payment_failed' },
    ])
  })

  test('or one without attribution is stored, and is not a sale', async () => {
    const shop = await givenPayments(ledger)
    expect(await shop.report(['pi_1'], paid(10_000))).toMatchObject({ outcome: 'ignored', reason: 'no_metadata' })
    expect(await shop.sales()).toEqual([])
  })
})
