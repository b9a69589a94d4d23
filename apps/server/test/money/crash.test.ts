import { describe, expect, test } from 'bun:test'
import type { Database } from '../../src/database/connect.ts'
import { Refusal } from '../../src/refusal.ts'
import { sized } from '../support/size.ts'
import { type Crash, openBreakingDatabase } from './breaking-database.ts'
import { DAY_MS, givenLedger, givenMoney, type Money, onlyLine } from './given-money.ts'

const ledger = await givenLedger()

/** Everything an operation can write, without the IDs that differ between two programs. */
const everythingOf = async ({ programId }: Money) => {
  const { rows } = await ledger.pool.query(
    `SELECT
      (SELECT array_agg(format('%s %s', customer_status, customer_key IS NULL) ORDER BY customer_status, customer_key IS NULL) FROM customers WHERE program_id = $1) AS customers,
      (SELECT count(*) FROM customer_keys WHERE program_id = $1) AS keys,
      (SELECT array_agg(state ORDER BY state) FROM leads WHERE program_id = $1) AS leads,
      (SELECT array_agg(format('%s %s', amount_cents, reason) ORDER BY amount_cents, reason) FROM sales WHERE program_id = $1) AS sales,
      (SELECT count(*) FROM changed_days WHERE program_id = $1) AS marks,
      (SELECT array_agg(amount_cents ORDER BY amount_cents) FROM commissions WHERE program_id = $1) AS commissions,
      (SELECT count(*) FROM partner_accounts WHERE program_id = $1) AS accounts,
      (SELECT array_agg(reason) FROM commission_reviews WHERE program_id = $1) AS reviews,
      (SELECT array_agg(amount_cents ORDER BY amount_cents) FROM refunds WHERE program_id = $1) AS refunds,
      (SELECT array_agg(status ORDER BY status) FROM disputes WHERE program_id = $1) AS disputes,
      (SELECT array_agg(format('%s %s', status, reserved_cents)) FROM payout_lines WHERE program_id = $1) AS payouts,
      (SELECT count(*) FROM payout_commissions WHERE program_id = $1) AS listed,
      (SELECT array_agg(type ORDER BY type) FROM outbox_events WHERE program_id = $1) AS events,
      (SELECT array_agg(line ORDER BY line) FROM (
        SELECT format('%s %s %s %s', from_account, to_account, amount_cents, cause) AS line FROM ledger_lines WHERE program_id = $1) one) AS ledger`,
    [programId],
  )
  return rows[0]
}

/** Concurrent crashes, each with its own program and connection. */
const LANES = 3

/** Every statement in the long run. In the short run the first, one in the middle and the COMMIT. */
const statementsOf = (count: number) =>
  sized({ short: [1, Math.ceil(count / 2), count], long: Array.from({ length: count }, (_, index) => index + 1) })

type Operation = { money: Money; run: (db?: Database) => Promise<unknown> }

/** The refusals of a retry that finds its work already done. */
const isAlreadyDone = (error: unknown) =>
  error instanceof Refusal &&
  (error.facts.same_request === true || (error.code === 'conflict' && /Nothing is payable/.test(error.message)))

const retry = async ({ run }: Operation) => {
  try {
    await run()
  } catch (error) {
    if (!isAlreadyDone(error)) throw error
  }
}

/** Runs the operation to its end and reports its rows and number of statements. */
const runWhole = async (given: () => Promise<Operation>) => {
  const operation = await given()
  const counting = openBreakingDatabase(ledger, { statement: Number.POSITIVE_INFINITY, when: 'after' })
  await operation.run(counting.db)
  await counting.close()
  return { complete: await everythingOf(operation.money), statements: counting.statements.length }
}

/** Crashes a fresh copy of the operation at that point and reports its rows. */
const crashAt = async (given: () => Promise<Operation>, { statement, when }: Crash, complete: unknown) => {
  const operation = await given()
  const nothing = await everythingOf(operation.money)
  const breaking = openBreakingDatabase(ledger, { statement, when })
  const failure = await operation.run(breaking.db).then(
    () => null,
    (error: Error) => error,
  )
  await breaking.close()
  expect(breaking.hasCrashed()).toBe(true)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(Refusal)
  const isCommitted = when === 'after' && breaking.statements.at(statement - 1) === 'commit'
  const left = await everythingOf(operation.money)
  if (isCommitted) expect([nothing, complete]).toContainEqual(left)
  else expect(left).toEqual(nothing)

  await retry(operation)
  await retry(operation)
  expect(await everythingOf(operation.money)).toEqual(complete)
  expect((await operation.money.verify()).differences).toEqual([])
  return Bun.deepEquals(left, nothing) ? 'nothing' : 'everything'
}

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
  for (const [name, given] of Object.entries(OPERATIONS))
    test(name, async () => {
      const { complete, statements } = await runWhole(given)
      expect(statements).toBeGreaterThan(5)
      const crashes = (['before', 'after'] as const).flatMap((when) =>
        statementsOf(statements).map((statement) => ({ statement, when })),
      )
      const ends: string[] = []
      const lane = async () => {
        for (let crash = crashes.pop(); crash; crash = crashes.pop()) ends.push(await crashAt(given, crash, complete))
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      // Only the response to the COMMIT can be lost after the work was done.
      expect(ends.filter((end) => end === 'everything')).toHaveLength(1)
    })
})
