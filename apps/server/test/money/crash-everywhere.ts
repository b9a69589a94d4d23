import { expect } from 'bun:test'
import type { Database } from '../../src/database/connect.ts'
import { Refusal } from '../../src/refusal.ts'
import { sized } from '../support/size.ts'
import { type Crash, openBreakingDatabase } from './breaking-database.ts'
import type { Ledger, Money } from './given-money.ts'

/** Everything an operation can write, without the IDs that differ between two programs. */
const everythingOf = async (ledger: Ledger, { programId }: Money) => {
  const { rows } = await ledger.pool.query(
    `SELECT
      (SELECT array_agg(format('%s %s', customer_status, customer_key IS NULL) ORDER BY customer_status, customer_key IS NULL) FROM customers WHERE program_id = $1) AS customers,
      (SELECT count(*) FROM customer_keys WHERE program_id = $1) AS keys,
      (SELECT count(*) FROM erased_customers WHERE program_id = $1) AS erased,
      (SELECT array_agg(state ORDER BY state) FROM leads WHERE program_id = $1) AS leads,
      (SELECT array_agg(format('%s %s', amount_cents, reason) ORDER BY amount_cents, reason) FROM sales WHERE program_id = $1) AS sales,
      (SELECT count(*) FROM changed_days WHERE program_id = $1) AS marks,
      (SELECT array_agg(amount_cents ORDER BY amount_cents) FROM commissions WHERE program_id = $1) AS commissions,
      (SELECT count(*) FROM partner_accounts WHERE program_id = $1) AS accounts,
      (SELECT array_agg(format('%s %s', reason, decision)) FROM commission_reviews WHERE program_id = $1) AS reviews,
      (SELECT array_agg(status ORDER BY id) FROM partners WHERE program_id = $1) AS partners,
      (SELECT count(*) FROM partner_group_changes WHERE program_id = $1) AS moves,
      (SELECT count(*) FROM reward_terms WHERE program_id = $1) AS terms,
      (SELECT array_agg(type ORDER BY id) FROM adjustments WHERE program_id = $1) AS adjustments,
      (SELECT count(*) FROM adjustment_reversals WHERE program_id = $1) AS undone,
      (SELECT array_agg(status ORDER BY id) FROM payout_drafts WHERE program_id = $1) AS drafts,
      (SELECT array_agg(report->>'kind' ORDER BY id) FROM payment_reports WHERE program_id = $1) AS reports,
      (SELECT array_agg(amount_cents ORDER BY amount_cents) FROM refunds WHERE program_id = $1) AS refunds,
      (SELECT array_agg(status ORDER BY status) FROM disputes WHERE program_id = $1) AS disputes,
      (SELECT array_agg(format('%s %s', status, reserved_cents)) FROM payout_lines WHERE program_id = $1) AS payouts,
      (SELECT count(*) FROM payout_commissions WHERE program_id = $1) AS listed,
      (SELECT array_agg(event ORDER BY event) FROM (
        SELECT format('%s %s %s %s %s', type, data->>'status', data->>'amountCents', data->>'customerKey' LIKE 'erased%', (SELECT array_agg(field ORDER BY field) FROM json_object_keys(changes) field)) AS event
        FROM outbox_events WHERE program_id = $1) one) AS events,
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

export type Operation = {
  money: Money
  run: (db?: Database) => Promise<unknown>
  /** Works on all programs, and notes in further transactions how far it came. */
  isJob?: boolean
}

/** The refusals of a retry that finds its work already done. The rows tell whether it was. */
const isAlreadyDone = (error: unknown) =>
  error instanceof Refusal && (error.facts.same_request === true || error.code === 'conflict')

const retry = async ({ run }: Operation) => {
  try {
    await run()
  } catch (error) {
    if (!isAlreadyDone(error)) throw error
  }
}

/** Runs the operation to its end and reports its rows and number of statements. */
const runWhole = async (ledger: Ledger, given: () => Promise<Operation>) => {
  const operation = await given()
  const counting = openBreakingDatabase(ledger, { statement: Number.POSITIVE_INFINITY, when: 'after' })
  await operation.run(counting.db)
  await counting.close()
  const { money, isJob = false } = operation
  return { complete: await everythingOf(ledger, money), statements: counting.statements.length, isJob }
}

/** Crashes a fresh copy of the operation at that point and reports its rows. */
const crashAt = async (
  ledger: Ledger,
  given: () => Promise<Operation>,
  { statement, when, complete }: Crash & { complete: unknown },
) => {
  const operation = await given()
  const nothing = await everythingOf(ledger, operation.money)
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
  const left = await everythingOf(ledger, operation.money)
  if (isCommitted || operation.isJob) expect([nothing, complete]).toContainEqual(left)
  else expect(left).toEqual(nothing)

  await retry(operation)
  await retry(operation)
  expect(await everythingOf(ledger, operation.money)).toEqual(complete)
  expect((await operation.money.verify()).differences).toEqual([])
  return Bun.deepEquals(left, nothing) ? 'nothing' : 'everything'
}

/** Crashes before and after every statement. Everything or nothing is left, and the retry completes it once. */
export const crashEverywhere = async (ledger: Ledger, given: () => Promise<Operation>) => {
  const { complete, statements, isJob } = await runWhole(ledger, given)
  expect(statements).toBeGreaterThan(5)
  const crashes = (['before', 'after'] as const).flatMap((when) =>
    statementsOf(statements).map((statement) => ({ statement, when, complete })),
  )
  const ends: string[] = []
  const lane = async () => {
    for (let crash = crashes.pop(); crash; crash = crashes.pop()) ends.push(await crashAt(ledger, given, crash))
  }
  const lanes = await Promise.allSettled(Array.from({ length: isJob ? 1 : LANES }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  // Only the response to the COMMIT can be lost after the work was done.
  if (!isJob) expect(ends.filter((end) => end === 'everything')).toHaveLength(1)
}
