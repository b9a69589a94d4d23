import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { expectStatesAgree } from './expect-states-agree.ts'
import { givenLedger, givenMoney, onlyLine } from './given-money.ts'

const ledger = await givenLedger()
const MIGRATION = readFileSync(new URL('../../migrations/0023-payout-items.sql', import.meta.url), 'utf8')

/** Payouts that paid, failed, were reduced, and deducted a refund; the last two are open. */
const givenPayouts = async () => {
  const money = await givenMoney(ledger)
  money.clock.run()
  const customer = await money.customer()
  const sell = async (amountCents: number) => (await money.sale(customer, amountCents)).invoiceId
  const pay = async () => onlyLine(await money.pay())
  const first = await sell(10_000)
  await sell(5_000)
  await money.mark(await pay(), 'paid')
  await money.refund(first)
  const reduced = await sell(40_000)
  const failed = await pay()
  await money.refund(reduced, 1_000)
  await sell(2_000)
  await money.mark(await pay(), 'paid')
  await money.mark(failed, 'failed')
  const disputed = await sell(30_000)
  await pay()
  await money.dispute(disputed, 'open')
  await sell(7_000)
  await pay()
  const rows = async (table: string) =>
    (
      await ledger.pool.query(`SELECT * FROM ${table} WHERE program_id = $1 ORDER BY payout_line_id, commission_id`, [
        money.programId,
      ])
    ).rows
  return {
    ...money,
    items: () => rows('payout_statement_items'),
    listed: () => rows('payout_commissions'),
    forget: (table: string, which: string) =>
      ledger.pool.query(`DELETE FROM ${table} item WHERE program_id = $1 AND ${which}`, [money.programId]),
  }
}

test('an upgrade adds what payouts without a statement took, also where a later one brought their balance forward', async () => {
  const money = await givenPayouts()
  const [before, listed] = [await money.items(), await money.listed()]
  await money.forget(
    'payout_statement_items',
    'payout_line_id < (SELECT max(id) - 1 FROM payout_lines WHERE program_id = $1)',
  )
  const [kept] = await money.items()
  await ledger.pool.query(
    'UPDATE payout_statement_items SET amount_cents = amount_cents + 500 WHERE program_id = $1 AND payout_line_id = $2',
    [money.programId, kept.payout_line_id],
  )
  await ledger.pool.query(MIGRATION)
  expect([await money.items(), await money.listed()]).toEqual([before, listed])
  await expectStatesAgree(ledger, money)
  expect((await money.verify()).differences).toEqual([])
})

test('an upgrade lists commissions in the open payout that took them, unless they have left it since', async () => {
  const money = await givenPayouts()
  const listed = await money.listed()
  await money.forget(
    'payout_commissions',
    "payout_line_id IN (SELECT id FROM payout_lines WHERE program_id = $1 AND status = 'open')",
  )
  expect((await money.listed()).length).toBeLessThan(listed.length)
  await ledger.pool.query(MIGRATION)
  expect(await money.listed()).toEqual(listed)
})
