import { describe, test } from 'bun:test'
import type { Database } from '../../src/database/connect.ts'
import { crashEverywhere, type Operation } from './crash-everywhere.ts'
import { DAY_MS, givenLedger, givenMoney, onlyLine } from './given-money.ts'

const ledger = await givenLedger()

const OPERATIONS: Record<string, () => Promise<Operation>> = {
  sale: async () => {
    const money = await givenMoney(ledger, { sale: { percentBps: 1_000, duration: 'months', months: 3 } })
    const key = await money.customer(0, money.links[0]?.email)
    return { money, run: (db) => money.sale(key, 1_000, 'in-1', db) }
  },
  'sale of an unknown customer': async () => {
    const money = await givenMoney(ledger)
    return { money, run: (db) => money.sale('nobody', 1_000, 'in-1', db) }
  },
  'sales that share a transaction': async () => {
    const money = await givenMoney(ledger, { sale: { percentBps: 1_000, duration: 'months', months: 3 } }, 2)
    const sold = [
      { customerKey: await money.customer(0, money.links[0]?.email), amountCents: 1_000, invoiceId: 'in-1' },
      { customerKey: await money.customer(1), amountCents: 2_000, invoiceId: 'in-2' },
      { customerKey: 'nobody', amountCents: 3_000, invoiceId: 'in-3' },
    ]
    const run = async (db?: Database) => {
      for (const ended of await money.concurrentSales(sold, db)) if (ended.status === 'rejected') throw ended.reason
    }
    return { money, run }
  },
  'leads that share a transaction': async () => {
    const money = await givenMoney(ledger, { lead: { amountCents: 50 } }, 2)
    const signUps = [
      { customerKey: 'one', clickId: await money.click(0), email: money.links[0]?.email },
      { customerKey: 'two', clickId: await money.click(1) },
      { customerKey: 'three', clickId: await money.click(1) },
    ]
    const run = async (db?: Database) => {
      for (const ended of await money.concurrentLeads(signUps, db)) if (ended.status === 'rejected') throw ended.reason
    }
    return { money, run }
  },
  'lead, with earlier sales, refunds and disputes': async () => {
    const money = await givenMoney(ledger, {
      lead: { amountCents: 50 },
      sale: { percentBps: 1_000, duration: 'lifetime' },
    })
    const clickId = await money.click()
    await money.sale('late', 1_000, 'in-1')
    await money.refund('in-1', 300)
    await money.sale('late', 500, 'in-2')
    await money.dispute('in-2', 'open')
    return { money, run: (db) => money.lead('late', clickId, { handle: db }) }
  },
  'refund while a payout is open': async () => {
    const money = await givenMoney(ledger)
    await money.sale(await money.customer(), 1_000, 'in-1')
    await money.pay()
    return { money, run: (db) => money.refund('in-1', 400, 'r-1', db) }
  },
  'dispute lost after a payout': async () => {
    const money = await givenMoney(ledger)
    await money.sale(await money.customer(), 1_000, 'in-1')
    await money.mark(onlyLine(await money.pay()), 'paid')
    return { money, run: (db) => money.dispute('in-1', 'lost', 'd-1', db) }
  },
  payout: async () => {
    const money = await givenMoney(ledger, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 1 }, 2)
    await money.sale(await money.customer(0), 1_000)
    await money.sale(await money.customer(1), 2_000)
    money.clock.advance(DAY_MS)
    return { money, run: (db) => money.pay(db) }
  },
  'line marked paid': async () => {
    const money = await givenMoney(ledger)
    await money.sale(await money.customer(), 1_000)
    const line = onlyLine(await money.pay())
    return { money, run: (db) => money.mark(line, 'paid', null, db) }
  },
}

describe('a crash before and after every statement leaves everything or nothing, and the retry completes it once', () => {
  for (const [name, given] of Object.entries(OPERATIONS)) test(name, () => crashEverywhere(ledger, given))
})
