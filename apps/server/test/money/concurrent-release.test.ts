import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../src/refusal.ts'
import { givenPayments, paid } from '../payments/given-payments.ts'
import { sized } from '../support/size.ts'
import { expectStatesAgree } from './expect-states-agree.ts'
import { givenLedger, TEN_PERCENT } from './given-money.ts'

const ledger = await givenLedger()
const ROUNDS = sized({ short: 2, long: 12 })

/** Held commissions of 10.00 and 5.00. */
const givenHeld = async () => {
  const shop = await givenPayments(ledger, { ...TEN_PERCENT, holdDays: 30 })
  const attribution = await shop.attribution()
  const report = (cents: number, more: object = {}) => shop.report(['pi_1'], paid(cents, more), { attribution })
  await report(10_000)
  await shop.sale(await shop.customer(), 5_000)
  const [commission] = await shop.commissions()
  return { shop, correct: () => report(30_000, { source: 'invoice' }), commissionId: commission?.id ?? 0 }
}
type Given = Awaited<ReturnType<typeof givenHeld>>

const EVENTS: Record<string, { run: (given: Given) => Promise<unknown>; payableCents: number }> = {
  'another release': { run: ({ shop }) => shop.releaseHolds(), payableCents: 1_500 },
  'a refund': { run: ({ shop }) => shop.refund('pi_1', 4_000), payableCents: 1_100 },
  'a corrected amount': { run: ({ correct }) => correct(), payableCents: 3_500 },
  'a void': { run: ({ shop, commissionId }) => shop.void(commissionId), payableCents: 500 },
  'a dispute and its end': {
    run: async ({ shop }) => {
      await shop.dispute('pi_1', 'open')
      await shop.dispute('pi_1', 'won')
      // Disputed meanwhile, it may have been left out.
      await shop.releaseHolds()
    },
    payableCents: 1_500,
  },
}

describe('a release and, at the same time,', () => {
  for (const [name, { run, payableCents }] of Object.entries(EVENTS))
    test(`${name}: everything is payable once, whichever comes first`, async () => {
      const all = await Promise.all(Array.from({ length: ROUNDS }, givenHeld))
      await Promise.all(
        all.map(async (given) => {
          await Promise.all([given.shop.releaseHolds(), run(given)])
          expect(await given.shop.balance()).toMatchObject({ heldCents: 0, payableCents, disputedCents: 0 })
          await expectStatesAgree(ledger, given.shop)
          expect((await given.shop.verify()).differences).toEqual([])
        }),
      )
    })

  test('a payout: it pays all of what was released, or nothing of it', async () => {
    const all = await Promise.all(Array.from({ length: ROUNDS }, givenHeld))
    await Promise.all(
      all.map(async ({ shop }) => {
        const [, paying] = await Promise.allSettled([shop.releaseHolds(), shop.pay()])
        if (paying.status === 'rejected') expect(paying.reason).toBeInstanceOf(Refusal)
        const { payableCents, batchedCents } = await shop.balance()
        expect([payableCents, batchedCents].toSorted((a, b) => a - b)).toEqual([0, 1_500])
        expect((await shop.verify()).differences).toEqual([])
      }),
    )
  })

  test('a suspension: the partner’s commissions are released, or stay held until they are reinstated', async () => {
    const all = await Promise.all(Array.from({ length: ROUNDS }, givenHeld))
    await Promise.all(
      all.map(async ({ shop }) => {
        await Promise.all([shop.releaseHolds(), shop.setStatus('suspended')])
        expect(await shop.balance()).toMatchObject({ heldCents: 1_500, payableCents: 0 })
        expect((await shop.verify()).differences).toEqual([])
      }),
    )
  })
})
