import { describe, expect, test } from 'bun:test'
import { inTransaction, type Tx } from '../../src/database/transaction.ts'
import { isTransientError } from '../../src/database/transient-errors.ts'
import { sharedTermsLock } from '../../src/money/rewards/reward-terms.ts'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { claimInvoices } from '../../src/payments/payments.ts'
import { Refusal } from '../../src/refusal.ts'
import { createSales } from '../../src/tracking/sales/create-sales.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { SECRETS } from '../support/service.ts'
import { givenLedger, givenPayments, type Payments, paid } from './given-payments.ts'

const ledger = await givenLedger()

/** A transaction that has done its work and commits when the test says so. */
const held = async (work: (tx: Tx) => Promise<unknown>) => {
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const committed = inTransaction(ledger.owner, async (tx) => {
    await work(tx)
    done()
    await mayCommit
  })
  await Promise.race([isDone, committed])
  return {
    commit: () => {
      commit()
      return committed
    },
  }
}

const isWaiting = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => 'answered'), Bun.sleep(150).then(() => 'waiting')])) === 'waiting'

const deps = ({ clock }: Payments) => ({ clock: clock.now, hashKey: SECRETS.hashKey })
const halfRefunded = { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' } as const

const saleCall = ({ inboxProgram }: Payments, customerKey: string) => ({
  program: inboxProgram,
  invoiceId: 'pi_1',
  customerKey,
  clickId: null,
  amountCents: 10_000,
  currency: 'USD',
  eventName: null,
  subscriptionId: null,
  metadata: null,
})

/** Records a sale in a transaction that the test holds. */
const sell = async (tx: Tx, shop: Payments, customerKey: string) => {
  const sale = saleCall(shop, customerKey)
  await claimInvoices(tx, [{ ...sale }], sharedTermsLock([shop.programId]))
  const at = shop.clock.now()
  await createSales(tx, SECRETS, [{ ...sale, reportedBy: 'merchant', soldAt: at, at, codes: [] }])
}

describe('concurrent reports', () => {
  test("a refund during the merchant's sale waits for it and is applied", async () => {
    const shop = await givenPayments(ledger)
    const customer = await shop.customer()
    const sale = await held((tx) => sell(tx, shop, customer))
    const refund = shop.report(['ch_1', 'pi_1'], halfRefunded)
    expect(await isWaiting(refund)).toBe(true)
    await sale.commit()
    expect(await refund).toMatchObject({ outcome: 'applied' })
    expect(await shop.balance()).toMatchObject({ payableCents: 500 })
    expect((await shop.verify()).differences).toEqual([])
  })

  test("the merchant's sale during a refund of it waits for the refund and applies it", async () => {
    const shop = await givenPayments(ledger)
    const customer = await shop.customer()
    const report = { says: halfRefunded, at: shop.clock.now(), attribution: null }
    const refund = await held((tx) =>
      recordPaymentReport(tx, deps(shop), {
        inboxProgram: shop.inboxProgram,
        report: { ...report, references: ['ch_1', 'pi_1'] },
      }),
    )
    const sale = shop.sale(customer, 10_000, 'pi_1')
    expect(await isWaiting(sale)).toBe(true)
    await refund.commit()
    await sale
    expect(await shop.balance()).toMatchObject({ payableCents: 500 })
    expect(await shop.decisions()).toMatchObject([{ outcome: 'applied' }])
  })

  test("the merchant's sale during the processor's report of it waits for it and answers the stored sale", async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const report = { says: paid(10_000), at: shop.clock.now(), attribution }
    const payment = await held((tx) =>
      recordPaymentReport(tx, deps(shop), {
        inboxProgram: shop.inboxProgram,
        report: { ...report, references: ['in_1', 'pi_1'] },
      }),
    )
    const sale = shop.sale(attribution.customerKey, 10_000, 'pi_1').catch((error) => error)
    expect(await isWaiting(sale)).toBe(true)
    await payment.commit()
    const refusal = await sale
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code: 'duplicate_invoice', facts: { sale_id: (await shop.sales())[0]?.id } })
    expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
  })

  test('a lead during the payment of its customer waits for it and is the one that the payment settled', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const report = { says: paid(10_000), at: shop.clock.now(), attribution }
    const payment = await held((tx) =>
      recordPaymentReport(tx, deps(shop), {
        inboxProgram: shop.inboxProgram,
        report: { ...report, references: ['pi_1'] },
      }),
    )
    const lead = shop.lead(attribution.customerKey, attribution.clickId)
    expect(await isWaiting(lead)).toBe(true)
    await payment.commit()
    expect(await lead).toMatchObject({ outcome: 'duplicate' })
    expect(await shop.leads()).toHaveLength(1)
  })

  test('all reports of a payment, repeated and concurrent, are one sale with the right money', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const at = shop.clock.now()
    const calls: (() => Promise<unknown>)[] = [
      () => shop.report(['pi_1', 'ch_1'], paid(11_900), { attribution, at }),
      () => shop.report(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution, at }),
      () => shop.report(['cs_1', 'in_1'], paid(11_900, { netCents: 10_000, source: 'checkout' }), { attribution, at }),
      () => shop.report(['in_1', 'pi_1'], SAME_PAYMENT, { at }),
      () => shop.report(['ch_1'], { kind: 'refunded_in_all', grossCents: 5_950, currency: 'USD' }, { at }),
      () => shop.report(['ch_1'], { kind: 'dispute', disputeId: 'dp_1', state: 'won', grossCents: null }, { at }),
      () => shop.sale(attribution.customerKey, 10_000, 'pi_1'),
      () => shop.lead(attribution.customerKey, attribution.clickId),
    ]
    // Retries after a lock conflict or a duplicate, as a processor does.
    const until = async (work: () => Promise<unknown>): Promise<unknown> =>
      work().catch((error) => {
        if (error instanceof Refusal) return null
        if (isTransientError(error)) return until(work)
        throw error
      })
    await Promise.all([...calls, ...calls.toReversed(), ...calls].map(until))
    expect(await shop.liveSales()).toMatchObject([{ amountCents: 10_000 }])
    expect(await shop.balance()).toMatchObject({ payableCents: 500, disputedCents: 0 })
    await shop.seal()
    expect((await shop.verify()).differences).toEqual([])
  }, 120_000)
})

test('a change of terms waits for a payment under the previous terms, and applies from later on', async () => {
  const shop = await givenPayments(ledger)
  const report = { references: ['pi_1'] as [string], says: paid(10_000), at: shop.clock.now() }
  const attribution = await shop.attribution()
  const payment = await held((tx) =>
    recordPaymentReport(tx, deps(shop), { inboxProgram: shop.inboxProgram, report: { ...report, attribution } }),
  )
  const change = shop.changeTerms({ sale: { percentBps: 2_000, duration: 'lifetime' } })
  expect(await isWaiting(change)).toBe(true)
  await payment.commit()
  await change
  expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
  expect((await shop.verify()).differences).toEqual([])
})
