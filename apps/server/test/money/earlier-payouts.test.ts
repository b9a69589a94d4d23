import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
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
  return {
    ...money,
    listed: async () =>
      (
        await ledger.pool.query(
          'SELECT * FROM payout_commissions WHERE program_id = $1 ORDER BY payout_line_id, commission_id',
          [money.programId],
        )
      ).rows,
    forget: (table: string, which: string) =>
      ledger.pool.query(`DELETE FROM ${table} item WHERE program_id = $1 AND ${which}`, [money.programId]),
  }
}

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
