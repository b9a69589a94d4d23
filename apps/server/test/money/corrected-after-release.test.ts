import { expect, test } from 'bun:test'
import { givenPayments, paid } from '../payments/given-payments.ts'
import { expectStatesAgree } from './expect-states-agree.ts'
import { DAY_MS, givenLedger, TEN_PERCENT } from './given-money.ts'

const ledger = await givenLedger()

/** A released commission on a sale of 100.00, which the processor reported; `correct` reports that it was 300.00. */
const givenReleased = async () => {
  const shop = await givenPayments(ledger, { ...TEN_PERCENT, holdDays: 30 })
  const attribution = await shop.attribution()
  const report = (cents: number, more: object = {}) => shop.report(['pi_1'], paid(cents, more), { attribution })
  await report(10_000)
  shop.clock.advance(DAY_MS)
  const { at, released } = await shop.releaseHolds()
  expect(released).toMatchObject([{ commissions: 1, amountCents: 1_000 }])
  const expectConsistent = async () => {
    await expectStatesAgree(ledger, shop)
    expect((await shop.verify()).differences).toEqual([])
  }
  return { shop, at, expectConsistent, correct: () => report(30_000, { source: 'invoice' }) }
}

test('a corrected amount is payable from the release, not held again', async () => {
  const { shop, at, correct, expectConsistent } = await givenReleased()
  shop.clock.advance(1_000)
  await correct()
  expect(await shop.balance()).toMatchObject({ heldCents: 0, payableCents: 3_000 })
  expect(await shop.commissions()).toMatchObject([{ amountCents: 3_000, payableAt: at }])
  await expectConsistent()
})

test('a refund, a dispute that is won, and a void leave the released date', async () => {
  const { shop, at, expectConsistent } = await givenReleased()
  await shop.refund('pi_1', 4_000)
  expect(await shop.balance()).toMatchObject({ heldCents: 0, payableCents: 600 })
  await shop.dispute('pi_1', 'open')
  expect(await shop.balance()).toMatchObject({ heldCents: 0, payableCents: 0, disputedCents: 600 })
  await expectConsistent()
  await shop.dispute('pi_1', 'won')
  expect(await shop.balance()).toMatchObject({ heldCents: 0, payableCents: 600, disputedCents: 0 })
  const [commission] = await shop.commissions()
  expect(commission?.payableAt).toEqual(at)
  await shop.void(commission?.id ?? 0)
  expect(await shop.balance()).toMatchObject({ heldCents: 0, payableCents: 0 })
  await expectConsistent()
})

test('ledger:verify finds a release that was removed, and a date without a release', async () => {
  const { shop } = await givenReleased()
  await ledger.pool.query('DELETE FROM hold_releases WHERE program_id = $1', [shop.programId])
  expect((await shop.verify()).differences).toHaveLength(1)
  expect((await shop.verify()).differences[0]).toContain('which is not 30 days after its event')
})
