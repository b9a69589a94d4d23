import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { unique } from '../support/given.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger()

const MINUTE_MS = 60_000

type Shop = Awaited<ReturnType<typeof givenPayments>>
type Step = 'payment' | 'link' | 'lead' | 'follow'

/**
 * The customer paid, clicked on partner 0's link, then on partner 1's, then signed up. Reported in the order of the
 * steps.
 */
const outcomeOf = async (steps: Step[], { paidAfter }: { paidAfter: 'nothing' | 'first' | 'both' }) => {
  const shop = await givenPayments(ledger, undefined, 2)
  const customerKey = unique('customer')
  const attribution = { programId: shop.programId, customerKey, clickId: null }
  const moments = { nothing: shop.clock.now(), first: shop.clock.now(), both: shop.clock.now() }
  shop.clock.advance(MINUTE_MS)
  const clickId = await shop.click(0)
  shop.clock.advance(MINUTE_MS)
  moments.first = shop.clock.now()
  shop.clock.advance(MINUTE_MS)
  await shop.click(1, null, clickId)
  shop.clock.advance(MINUTE_MS)
  moments.both = shop.clock.now()
  shop.clock.advance(MINUTE_MS)
  const actions: Record<Step, () => Promise<unknown>> = {
    payment: () => shop.report(['pi_1'], paid(10_000), { attribution, at: moments[paidAfter] }),
    link: () => shop.report(['pi_1', 'in_1'], SAME_PAYMENT),
    lead: () => shop.lead(customerKey, clickId),
    follow: () => followAll(shop),
  }
  for (const step of steps) await actions[step]()
  expect((await shop.verify()).differences).toEqual([])
  const [sale] = await shop.sales()
  return {
    partner: shop.links.findIndex(({ partnerId }) => partnerId === sale?.partnerId),
    reason: sale?.reason,
    decidedFor: (await shop.decisions())[0]?.reason,
    earned: [(await shop.balance(0)).payableCents, (await shop.balance(1)).payableCents],
  }
}

const followAll = async (shop: Shop) => {
  const payments = await ledger.owner
    .selectFrom('payments')
    .select('id')
    .where('programId', '=', shop.programId)
    .execute()
  for (const { id } of payments) await shop.follow(id)
}

const ORDERS: Step[][] = [
  ['payment', 'lead'],
  ['lead', 'payment'],
  ['payment', 'lead', 'link'],
  ['payment', 'lead', 'follow'],
  ['lead', 'payment', 'link', 'follow'],
]

describe('a payment is credited to the click that preceded it, whenever it is reported:', () => {
  test('to no partner if there was no click yet', async () => {
    for (const order of ORDERS) {
      const reason = 'no_click_before_sale'
      const expected = { partner: -1, reason, decidedFor: reason, earned: [0, 0] }
      expect({ order, ...(await outcomeOf(order, { paidAfter: 'nothing' })) }).toMatchObject({ ...expected, order })
    }
  })

  test('to the last click before it if others came later', async () => {
    for (const order of ORDERS) {
      const expected = { partner: 0, reason: null, decidedFor: 'payment_recorded', earned: [1_000, 0] }
      expect({ order, ...(await outcomeOf(order, { paidAfter: 'first' })) }).toMatchObject({ ...expected, order })
    }
  })

  test('to the partner that the customer was already bound to', async () => {
    for (const order of ORDERS) {
      const expected = { partner: 1, reason: null, decidedFor: 'payment_recorded', earned: [0, 1_000] }
      expect({ order, ...(await outcomeOf(order, { paidAfter: 'both' })) }).toMatchObject({ ...expected, order })
    }
  })
})
