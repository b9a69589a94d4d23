import { describe, expect, test } from 'bun:test'
import type { Database } from '../../src/database/connect.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { publish } from '../../src/outbox/events.ts'
import { type ReportBody, SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { auditFor } from '../../src/platform/audit.ts'
import { eraseCustomer } from '../../src/tracking/erase-customer.ts'
import { crashEverywhere, type Operation } from '../money/crash-everywhere.ts'
import { givenLedger, givenMoney, TEN_PERCENT } from '../money/given-money.ts'
import { givenPayments, paid } from '../payments/given-payments.ts'
import { unique } from '../support/given.ts'
import { SECRETS } from '../support/service.ts'

/** After all tests, the events of every program must agree with its tables (every-event.ts). */
const ledger = await givenLedger()
const db: Database = ledger.db

const givenSold = async () => {
  const money = await givenMoney(ledger, TEN_PERCENT)
  await money.sale(await money.customer(), 1_000, 'in-1')
  return money
}

type References = [string, ...string[]]

/** A program with these reports of one customer's payments, and the next one. */
const givenReports = async (...reports: [References, ReportBody][]): Promise<Operation> => {
  const money = await givenPayments(ledger)
  const attribution = await money.attribution()
  const [last, ...earlier] = reports.toReversed()
  for (const [references, says] of earlier.toReversed()) await money.report(references, says, { attribution })
  const [references, says] = last ?? [['none'], SAME_PAYMENT]
  const report = { references, says, attribution, at: money.clock.now() }
  // The inbox, which is not part of this, drops a report that is stored already.
  const isStored = async () => (await money.decisions()).length === reports.length
  return { money, run: async (handle = db) => (await isStored()) || money.receive(report, handle) }
}

const INVOICE = paid(11_900, { netCents: 10_000, source: 'invoice' })

const PAYMENTS: Record<string, () => Promise<Operation>> = {
  'payment reported by the processor': () => givenReports([['pi_1'], paid(1_000)]),
  'payment with another amount': () => givenReports([['in_1'], paid(11_900)], [['in_1'], INVOICE]),
  'payment that failed after all': () => givenReports([['pi_1'], paid(1_000)], [['pi_1'], { kind: 'failed' }]),
  'payment refunded at the processor': () =>
    givenReports([['pi_1'], paid(1_000)], [['pi_1'], { kind: 'refunded_in_all', grossCents: 1_000, currency: 'USD' }]),
  'two sales of one payment merged': () =>
    givenReports([['pi_1', 'ch_1'], paid(11_900)], [['in_1'], INVOICE], [['in_1', 'pi_1'], SAME_PAYMENT]),
  'payment that the merchant reported first': async () => {
    const money = await givenPayments(ledger)
    await money.sale(await money.customer(), 1_000, 'in_1')
    const says = paid(900)
    const report = { references: ['in_1'] as References, says, attribution: null, at: money.clock.now() }
    const run = async (handle = db) => (await money.decisions()).length > 0 || money.receive(report, handle)
    return { money, run }
  },
  refund: async () => {
    const money = await givenSold()
    return { money, run: (handle) => money.refund('in-1', 400, 'r-1', handle) }
  },
  'refund that empties a payout line': async () => {
    const money = await givenSold()
    await money.pay()
    return { money, run: (handle) => money.refund('in-1', null, 'r-1', handle) }
  },
  'dispute opened': async () => {
    const money = await givenSold()
    return { money, run: (handle) => money.dispute('in-1', 'open', 'd-1', handle) }
  },
  'dispute won': async () => {
    const money = await givenSold()
    await money.dispute('in-1', 'open')
    return { money, run: (handle) => money.dispute('in-1', 'won', 'd-1', handle) }
  },
  'customer erased': async () => {
    const money = await givenMoney(ledger, { lead: { amountCents: 50 }, ...TEN_PERCENT })
    const customerKey = await money.customer()
    await money.sale(customerKey, 1_000, 'in-1')
    const { program, clock } = money
    const audit = auditFor({ programId: program.id }, { userId: 'user-1' })
    const erasing = { clock: clock.now, hashKey: SECRETS.hashKey, audit, redactMessages: async () => 0 }
    const run = (handle = db) => inTransaction(handle, (tx) => eraseCustomer(tx, erasing, { program, customerKey }))
    return { money, run }
  },
  'browser lead': async () => {
    const money = await givenMoney(ledger, { lead: { amountCents: 50 } })
    const [key, clickId] = [unique('customer'), await money.click()]
    return { money, run: (handle) => money.browserLead(key, clickId, handle) }
  },
  'lead that confirms one of a browser': async () => {
    const money = await givenMoney(ledger, { lead: { amountCents: 50 } })
    const [key, clickId] = [unique('customer'), await money.click()]
    await money.browserLead(key, clickId)
    return { money, run: (handle) => money.lead(key, clickId, { handle }) }
  },
}

describe('no event without its change and no change without its event, whichever statement a crash hits:', () => {
  for (const [name, given] of Object.entries(PAYMENTS)) test(name, () => crashEverywhere(ledger, given))
})

test('control: an event in a transaction of its own is found', async () => {
  const publishAfterwards = async (): Promise<Operation> => {
    const money = await givenSold()
    const { programId } = money
    const ping = { programId, type: 'test.ping', at: money.clock.now(), data: { message: 'refunded' } } as const
    const run = async (handle = db) => {
      await money.refund('in-1', 400, 'r-1', handle)
      await inTransaction(handle, (tx) => publish(tx, [ping]))
    }
    return { money, run }
  }
  await expect(crashEverywhere(ledger, publishAfterwards)).rejects.toThrow('toEqual')
})
