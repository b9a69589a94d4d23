import { expect, test } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { type PaymentReport, SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { recordPaymentReports } from '../../src/tracking/payments/sync-payments.ts'
import { unique } from '../support/given.ts'
import { SECRETS } from '../support/service.ts'
import { givenLedger, givenPayments, givenTwoPrograms, paid } from './given-payments.ts'

const ledger = await givenLedger()

const countDeadlocks = async () => {
  const { rows } = await ledger.pool.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  return Number(rows[0]?.deadlocks)
}

test('concurrent corrections of several payments of one customer do not deadlock where only first sales pay', async () => {
  const shop = await givenPayments(ledger, { sale: { percentBps: 1_000, duration: 'first' } })
  const recorder = { clock: shop.clock.now, hashKey: SECRETS.hashKey }
  const clickId = await shop.click(0)
  const customerKey = unique('customer')
  await shop.lead(customerKey, clickId)
  const attribution = { programId: shop.programId, customerKey, clickId }
  const first = shop.clock.now().getTime()
  const payments = [0, 1, 2, 3, 4]
  for (const number of payments)
    await shop.report([`pi_${number}`], paid(10_000 + number), { attribution, at: new Date(first + number) })
  const before = await countDeadlocks()
  const pool = openPool(ledger.databaseUrl, { max: payments.length })
  const db = openDatabase(pool)
  const correct = (number: number) => {
    const says = paid(10_000 + number, { source: 'invoice', netCents: 9_000 + number })
    const report: PaymentReport = {
      references: [`in_${number}`, `pi_${number}`],
      says,
      at: new Date(first - 10 * number),
      attribution,
    }
    return inTransaction(db, (tx) => recordPaymentReports(tx, recorder, [{ inboxProgram: shop.inboxProgram, report }]))
  }
  await Promise.all(payments.map(correct))
  await pool.end()
  expect(await countDeadlocks()).toBe(before)
  expect((await shop.commissions()).filter(({ amountCents }) => amountCents > 0)).toHaveLength(1)
  expect((await shop.verify()).differences).toEqual([])
})

test('a payment that names program B, then A, then B again ends as a sale in B', async () => {
  const { inbox, other } = await givenTwoPrograms(ledger)
  const customerKey = await other.customer()
  const inInbox = await inbox.attribution()
  const inOther = { programId: other.programId, customerKey, clickId: null }
  for (const invoiceId of ['pi_1', 'in_1']) {
    await other.sale(customerKey, 10_000, invoiceId)
    other.clock.advance(100)
  }
  await inbox.report(['in_1', 'pi_1'], SAME_PAYMENT)
  await inbox.report(['pi_1'], paid(10_000), { attribution: inOther })
  await inbox.report(['in_1'], paid(10_000, { source: 'invoice', netCents: 10_000 }), { attribution: inInbox })
  expect(await inbox.liveSales()).toHaveLength(1)
  await inbox.report(['cs_1', 'in_1'], paid(10_000, { source: 'checkout' }), { attribution: inOther })
  expect(await inbox.liveSales()).toEqual([])
  expect(await other.liveSales()).toMatchObject([{ amountCents: 10_000, reason: null }])
  for (const shop of [inbox, other]) expect((await shop.verify()).differences).toEqual([])
})
