import { expect, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import type { PaymentReport } from '../../src/payments/payment-report.ts'
import { findChangedSales } from '../../src/tracking/payments/changed-sales.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { SECRETS } from '../support/service.ts'
import { givenLedger, givenPayments, type Payments, paid } from './given-payments.ts'

const ledger = await givenLedger()

const changesOf = (shop: Payments, report: PaymentReport) =>
  inTransaction(ledger.db, async (tx) => {
    const { inboxProgram, clock, programId } = shop
    await recordPaymentReport(tx, { clock: clock.now, hashKey: SECRETS.hashKey }, { inboxProgram, report })
    return findChangedSales(tx, { db: ledger.db, programIds: [programId] })
  })

test('the changes of a report can be previewed before it is stored, and are empty if it changes nothing', async () => {
  const shop = await givenPayments(ledger, { sale: { percentBps: 1_000, duration: 'first' } })
  const attribution = await shop.attribution()
  const start = shop.clock.now().getTime()
  shop.clock.advance(60_000)
  const reportAt = (name: string, second: number, says = paid(10_000)): PaymentReport => ({
    references: [name],
    at: new Date(start + second * 1_000),
    attribution,
    says,
  })
  const later = { invoiceId: 'pi_b', amountCents: 10_000, refundedCents: 0, commissionCents: 1_000 }
  expect(await changesOf(shop, reportAt('pi_b', 2))).toMatchObject([{ before: null, after: later }])
  expect(await changesOf(shop, reportAt('pi_b', 2))).toEqual([])
  // The first sale is reported second: both change.
  expect(await changesOf(shop, reportAt('pi_a', 1))).toMatchObject([
    { before: later, after: { ...later, commissionCents: 0 } },
    { before: null, after: { invoiceId: 'pi_a', commissionCents: 1_000 } },
  ])
  const refund = reportAt('pi_a', 3, { kind: 'refunded_in_all', grossCents: 2_500, currency: 'USD' })
  expect(await changesOf(shop, refund)).toMatchObject([
    { before: { refundedCents: 0, commissionCents: 1_000 }, after: { refundedCents: 2_500, commissionCents: 750 } },
  ])
  expect(await changesOf(shop, refund)).toEqual([])
  const dispute = reportAt('pi_a', 4, { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: 2_500 })
  expect(await changesOf(shop, dispute)).toMatchObject([
    { before: { disputedCents: 0 }, after: { disputedCents: 250 } },
  ])
})
