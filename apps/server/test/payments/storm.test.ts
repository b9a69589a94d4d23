import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { Refusal } from '../../src/refusal.ts'
import { DAY_MS, type Reward } from '../money/given-money.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from '../money/nightly.ts'
import { givenLedger, givenPayments, type Payments, paid } from './given-payments.ts'

const ledger = await givenLedger()

const SECOND_MS = 1_000
const inCents = { currency: 'USD' }

type Shop = { shop: Payments; attribution: Awaited<ReturnType<Payments['attribution']>>; start: number }

/** Every report about one payment of 119.00, 100.00 without tax. Seconds are in the processor's clock. */
const MESSAGES: Record<string, (shop: Shop) => Promise<unknown>> = {
  intent: ({ shop, attribution, start }) =>
    shop.report(['pi_1', 'ch_1'], paid(11_900), { attribution, at: new Date(start + 60 * SECOND_MS) }),
  bareIntent: ({ shop, start }) => shop.report(['pi_1'], paid(11_900), { at: new Date(start + 61 * SECOND_MS) }),
  checkout: ({ shop, attribution, start }) => {
    const words = paid(11_900, { netCents: 10_000, source: 'checkout' })
    return shop.report(['cs_1', 'pi_1'], words, { attribution, at: new Date(start + 62 * SECOND_MS) })
  },
  invoice: ({ shop, attribution, start }) => {
    const words = paid(11_900, { netCents: 10_000, source: 'invoice', subscriptionId: 'sub_1' })
    return shop.report(['in_1'], words, { attribution, at: new Date(start + 63 * SECOND_MS) })
  },
  link: ({ shop }) => shop.report(['in_1', 'pi_1'], SAME_PAYMENT),
  pending: ({ shop, attribution }) => shop.report(['cs_1'], { kind: 'pending' }, { attribution }),
  refund: ({ shop, start }) => reportRefund(shop, { refundId: 're_1', grossCents: 3_333, at: start + 70 * SECOND_MS }),
  otherRefund: ({ shop, start }) =>
    reportRefund(shop, { refundId: 're_2', grossCents: 2_500, at: start + 80 * SECOND_MS }),
  failedRefund: ({ shop, start }) =>
    reportRefund(shop, { refundId: 're_2', grossCents: 2_500, at: start + 95 * SECOND_MS, state: 'failed' }),
  total: ({ shop, start }) => {
    const words = { kind: 'refunded_in_all', grossCents: 5_833, ...inCents } as const
    return shop.report(['ch_1', 'pi_1'], words, { at: new Date(start + 80 * SECOND_MS) })
  },
  disputed: ({ shop }) =>
    shop.report(['ch_1', 'pi_1'], { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: null }),
  won: ({ shop }) =>
    shop.report(['ch_1', 'pi_1'], { kind: 'dispute', disputeId: 'dp_1', state: 'won', grossCents: null }),
  lost: ({ shop }) =>
    shop.report(['ch_1', 'pi_1'], { kind: 'dispute', disputeId: 'dp_2', state: 'lost', grossCents: null }),
  partDisputed: ({ shop }) =>
    shop.report(['ch_1', 'pi_1'], { kind: 'dispute', disputeId: 'dp_3', state: 'open', grossCents: 2_975 }),
  partLost: ({ shop }) =>
    shop.report(['ch_1', 'pi_1'], { kind: 'dispute', disputeId: 'dp_4', state: 'lost', grossCents: 1_111 }),
  renewal: ({ shop, attribution, start }) =>
    shop.report(['in_2', 'pi_2'], paid(11_900, { netCents: 10_000, source: 'invoice' }), {
      attribution,
      at: new Date(start + 120 * SECOND_MS),
    }),
  renewalLater: ({ shop, attribution, start }) =>
    shop.report(['in_3', 'pi_3'], paid(5_000, { netCents: 4_000, source: 'invoice' }), {
      attribution,
      at: new Date(start + 40 * DAY_MS),
    }),
  renewalRefunded: ({ shop, start }) => {
    const words = { kind: 'refunded_in_all', grossCents: 4_000, ...inCents } as const
    return shop.report(['ch_2', 'pi_2'], words, { at: new Date(start + 130 * SECOND_MS) })
  },
  renewalDisputed: ({ shop }) =>
    shop.report(['ch_2', 'pi_2'], { kind: 'dispute', disputeId: 'dp_5', state: 'open', grossCents: 6_000 }),
  /** A payment of a customer who signed up after it: unattributed, whenever it is reported. */
  early: ({ shop, attribution, start }) =>
    shop.report(['pi_0'], paid(7_000), {
      attribution: { ...attribution, clickId: null },
      at: new Date(start - 60 * SECOND_MS),
    }),
  apiSale: ({ shop, attribution }) => shop.sale(attribution.customerKey, 10_500, 'pi_1'),
  apiLead: ({ shop, attribution }) => shop.lead(attribution.customerKey, attribution.clickId),
}
type Message = keyof typeof MESSAGES

const reportRefund = (
  shop: Payments,
  { at, ...refund }: { refundId: string; grossCents: number; at: number; state?: 'failed' },
) =>
  shop.report(
    ['ch_1', 'pi_1'],
    { kind: 'refund', state: 'made', reason: null, ...inCents, ...refund },
    { at: new Date(at) },
  )

/** Changes to the money in between. */
const CHANGES: Record<string, (shop: Payments) => Promise<unknown>> = {
  pay: (shop) => shop.pay(),
  payAndMark: async (shop) => {
    const { payoutId, lines } = await shop.pay()
    await shop.mark({ payoutId, lineId: lines[0]?.id ?? 0 }, 'paid')
  },
  payAndFail: async (shop) => {
    const { payoutId, lines } = await shop.pay()
    await shop.mark({ payoutId, lineId: lines[0]?.id ?? 0 }, 'failed')
  },
  seal: (shop) => shop.seal(),
}

/** What the customer's sales earn: all of them, the first, or those of the first month. */
const REWARDS: Record<string, Partial<Reward>> = {
  lifetime: { sale: { percentBps: 1_000, duration: 'lifetime' } },
  first: { sale: { percentBps: 1_000, duration: 'first' } },
  months: { sale: { percentBps: 1_000, duration: 'months', months: 1 } },
}

const outcomeOf = async (steps: string[], reward: string) => {
  const shop = await givenPayments(ledger, REWARDS[reward])
  shop.clock.advance(120 * SECOND_MS)
  const attribution = await shop.attribution()
  const start = shop.clock.now().getTime()
  shop.clock.advance(50 * DAY_MS)
  for (const step of steps) {
    const running = MESSAGES[step]?.({ shop, attribution, start }) ?? CHANGES[step]?.(shop)
    // Already reported, or nothing to pay.
    await running?.catch((error) => expect(error).toBeInstanceOf(Refusal))
  }
  await shop.seal()
  expect((await shop.verify(new Date(shop.clock.now().getTime() + 1))).differences).toEqual([])
  // Without a report that links them, invoice and intent are two sales in any order.
  const commissions = await shop.commissions()
  const earned = (id: number) => commissions.find(({ saleId }) => saleId === id)?.amountCents ?? 0
  // Of two sales at the same time either may have been the first.
  const sales = (await shop.liveSales()).toSorted(
    (a, b) => a.amountCents - b.amountCents || earned(a.id) - earned(b.id),
  )
  const { heldCents, payableCents, batchedCents, paidCents, disputedCents, reviewCents } = await shop.balance()
  return {
    sales: sales.map(({ amountCents, clickId, customerKey }) => ({
      amountCents,
      isCredited: clickId !== null,
      hasKey: customerKey !== null,
    })),
    commissions: sales.map(({ id }) => earned(id)),
    disputedCents,
    allCents: heldCents + payableCents + batchedCents + paidCents + disputedCents + reviewCents,
    leads: (await shop.leads()).map(({ state }) => state),
  }
}

const messages = Object.keys(MESSAGES) as Message[]

test(
  'reports of a payment, in any order, repeated, and with payouts in between, have the same outcome',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(messages, { minLength: 2, maxLength: 8 }).chain((chosen) =>
          fc.record({
            chosen: fc.constant(chosen),
            reward: fc.constantFrom(...Object.keys(REWARDS)),
            order: fc
              .tuple(
                fc.array(fc.constantFrom(...chosen), { maxLength: 4 }),
                fc.array(fc.constantFrom(...Object.keys(CHANGES)), { maxLength: 3 }),
              )
              .chain(([again, changes]) => {
                const all = [...chosen, ...again, ...changes]
                return fc.shuffledSubarray(all, { minLength: all.length })
              }),
          }),
        ),
        async ({ chosen, order, reward }) => {
          expect(await outcomeOf(order, reward)).toEqual(await outcomeOf(chosen, reward))
        },
      ),
      { numRuns: cases({ short: 3, small: 25, nightly: 20_000 }) },
    )
  },
  NIGHTLY_TIMEOUT_MS * 4,
)
