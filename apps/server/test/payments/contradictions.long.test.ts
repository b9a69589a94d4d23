import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { conversionsOf } from '../../src/events/overview/conversions.ts'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { Refusal } from '../../src/refusal.ts'
import { expectEveryDecisionAgain } from '../explain/every-decision.ts'
import { isLongRun } from '../support/size.ts'
import { givenLedger, givenPayments, givenTwoPrograms, type Payments, paid } from './given-payments.ts'
import { ordersOf } from './orders.ts'

const ledger = await givenLedger()

const MINUTES = 60_000
const REWARD = { lead: { amountCents: 50 }, sale: { percentBps: 1_000, duration: 'first' as const } }

type Attribution = Awaited<ReturnType<Payments['attribution']>>
type PartialAttribution = { programId: number; customerKey: string | null; clickId: string | null }
type Shop = { shop: Payments; a: Attribution; b: Attribution; start: number }

const checkout = paid(11_900, { netCents: 10_000, source: 'checkout' })
const invoice = paid(11_900, { netCents: 10_000, source: 'invoice' })
const halfRefunded = { kind: 'refunded_in_all', grossCents: 5_950, currency: 'USD' } as const
const disputed = { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: null } as const

const report =
  (
    references: [string, ...string[]],
    says: Parameters<Payments['report']>[1],
    who?: (shop: Shop) => PartialAttribution,
  ) =>
  (context: Shop) =>
    context.shop.report(references, says, { at: new Date(context.start + 60_000), attribution: who?.(context) ?? null })

const keyOnly = ({ programId, customerKey }: Attribution) => ({ programId, customerKey, clickId: null })
const clickOnly = ({ programId, clickId }: Attribution) => ({ programId, customerKey: null, clickId })

/** Customer A came through the first partner, customer B through the second. */
const MESSAGES = {
  'checkout of A': report(['cs_1', 'pi_1'], checkout, ({ a }) => a),
  'checkout of A by key': report(['cs_1', 'pi_1'], checkout, ({ a }) => keyOnly(a)),
  'checkout by the click of A': report(['cs_1', 'pi_1'], checkout, ({ a }) => clickOnly(a)),
  'checkout by a forged click': report(['cs_1', 'pi_1'], checkout, ({ a }) => ({ ...clickOnly(a), clickId: 'forged' })),
  'intent of B': report(['pi_1', 'ch_1'], paid(11_900), ({ b }) => b),
  'intent by the click of B': report(['pi_1', 'ch_1'], paid(11_900), ({ b }) => clickOnly(b)),
  'invoice of B': report(['in_1'], invoice, ({ b }) => b),
  link: report(['in_1', 'pi_1'], SAME_PAYMENT),
  refund: report(['ch_1', 'pi_1'], halfRefunded),
  dispute: report(['ch_1', 'pi_1'], disputed),
  'API sale of B': ({ shop, b }: Shop) => shop.sale(b.customerKey, 9_900, 'pi_1'),
}
type MessageName = keyof typeof MESSAGES

const outcomeOf = async (steps: MessageName[], known: ('a' | 'b')[]) => {
  const shop = await givenPayments(ledger, REWARD, 2)
  const context = {
    shop,
    a: await shop.attribution(0),
    b: await shop.attribution(1),
    start: shop.clock.now().getTime(),
  }
  for (const who of known) await shop.lead(context[who].customerKey, context[who].clickId)
  shop.clock.advance(3_600_000)
  for (const step of steps) await MESSAGES[step](context).catch((error) => expect(error).toBeInstanceOf(Refusal))
  await shop.seal()
  expect((await shop.verify(new Date(shop.clock.now().getTime() + 1))).differences).toEqual([])
  const nameOf = (key: string | null) =>
    key === context.a.customerKey ? 'A' : key === context.b.customerKey ? 'B' : key
  const { rows: counts } = await sql<{ link: number; leads: number; sales: number }>`
    SELECT link.id - min(link.id) OVER () AS link, coalesce(sum(leads), 0)::int AS leads, coalesce(sum(sales), 0)::int AS sales
    FROM referral_links link LEFT JOIN (${conversionsOf(shop.programId)}) fact ON fact.link_id = link.id
    WHERE link.program_id = ${shop.programId} GROUP BY link.id ORDER BY link.id`.execute(ledger.db)
  const sales = await shop.liveSales()
  return {
    sales: sales.map(({ customerKey, amountCents, reason, linkId }) => ({
      customer: nameOf(customerKey),
      amountCents,
      reason,
      partner: shop.links.findIndex((link) => link.linkId === linkId),
    })),
    leads: (await shop.leads()).map(({ linkId, state }) => `${state} ${linkId}`).length,
    balances: [await shop.balance(0), await shop.balance(1)].map(({ payableCents, disputedCents }) => ({
      payableCents,
      disputedCents,
    })),
    counts,
    decisions: (await shop.decisions()).map(({ outcome, reason }) => `${outcome} ${reason}`).toSorted(),
  }
}

const expectOne = async (steps: MessageName[], known: ('a' | 'b')[] = []) => {
  const [first = [], ...others] = ordersOf(steps)
  const expected = await outcomeOf(first, known)
  for (const order of others) expect({ order, ...(await outcomeOf(order, known)) }).toEqual({ order, ...expected })
  await expectEveryDecisionAgain(ledger.owner)
  return expected
}

describe('reports of one payment that name different customers are one sale of one customer, in every order:', () => {
  test(
    "the checkout's customer before the payment's",
    async () => {
      const { sales, balances, leads } = await expectOne(['checkout of A', 'intent of B', 'refund', 'dispute'])
      expect(sales).toEqual([{ customer: 'A', amountCents: 10_000, reason: null, partner: 0 }])
      // Both were named with their clicks, so both are leads.
      expect(leads).toBe(2)
      expect(balances).toEqual([
        { payableCents: 50, disputedCents: 500 },
        { payableCents: 50, disputedCents: 0 },
      ])
    },
    5 * MINUTES,
  )

  test.skipIf(!isLongRun)(
    "the checkout's customer before that of the invoice, which is linked to it later",
    async () => {
      const { sales, balances } = await expectOne(['checkout of A', 'invoice of B', 'link', 'refund'])
      expect(sales).toMatchObject([{ customer: 'A', partner: 0 }])
      expect(balances).toMatchObject([{ payableCents: 550 }, { payableCents: 50 }])
    },
    5 * MINUTES,
  )

  test.skipIf(!isLongRun)('also if both signed up before', async () => {
    const { sales } = await expectOne(['checkout of A', 'intent of B', 'refund'], ['a', 'b'])
    expect(sales).toMatchObject([{ customer: 'A', partner: 0 }])
  })

  test.skipIf(!isLongRun)('also if that customer is unknown: then the sale waits for them', async () => {
    const { sales, balances } = await expectOne(['checkout of A by key', 'intent of B', 'refund'])
    expect(sales).toEqual([{ customer: 'A', amountCents: 10_000, reason: 'customer_unknown', partner: -1 }])
    expect(balances).toMatchObject([{ payableCents: 0 }, { payableCents: 50 }])
  })

  test.skipIf(!isLongRun)("also against the merchant's own call", async () => {
    const { sales, balances } = await expectOne(['checkout of A', 'API sale of B', 'refund'], ['b'])
    expect(sales).toMatchObject([{ customer: 'A', partner: 0 }])
    expect(balances).toMatchObject([{ payableCents: 550 }, { payableCents: 50 }])
  })
})

describe('reports of one payment that name different clicks and no customer are one sale, in every order:', () => {
  test("the checkout's click wins", async () => {
    const { sales } = await expectOne(['checkout by the click of A', 'intent by the click of B', 'refund'])
    expect(sales).toMatchObject([{ partner: 0 }])
  })

  test('a checkout with an unknown click is unattributed', async () => {
    const { sales } = await expectOne(['checkout by a forged click', 'intent by the click of B', 'refund'])
    expect(sales).toMatchObject([{ partner: -1, reason: 'click_not_found' }])
  })

  test('a customer goes before a click', async () => {
    const { sales } = await expectOne(['checkout by the click of A', 'intent of B', 'refund'])
    expect(sales).toMatchObject([{ customer: 'B', partner: 1 }])
  })
})

test('reports of one payment that name two programs are one sale and two leads, in every order', async () => {
  const results = []
  for (const order of ordersOf(['checkout', 'intent', 'refund'] as const)) {
    const { inbox, other } = await givenTwoPrograms(ledger, REWARD)
    const [a, b] = [await other.attribution(), await inbox.attribution()]
    const at = inbox.clock.now()
    inbox.clock.advance(3_600_000)
    other.clock.advance(3_600_000)
    for (const step of order) {
      if (step === 'checkout') await inbox.report(['cs_1', 'pi_1'], checkout, { attribution: a, at })
      if (step === 'intent') await inbox.report(['pi_1', 'ch_1'], paid(11_900), { attribution: b, at })
      if (step === 'refund') await inbox.report(['ch_1', 'pi_1'], halfRefunded, { at })
    }
    for (const shop of [inbox, other]) expect((await shop.verify()).differences).toEqual([])
    const seen = async (shop: Payments) => [(await shop.liveSales()).length, (await shop.leads()).length]
    results.push([await seen(inbox), await seen(other), (await inbox.balance()).payableCents].flat())
  }
  expect(new Set(results.map(String))).toEqual(new Set(['0,1,1,1,50']))
})

test('a paid commission stays with the partner it was paid to', async () => {
  const shop = await givenPayments(ledger, REWARD, 2)
  const [a, b] = [await shop.attribution(0), await shop.attribution(1)]
  shop.clock.advance(1_000)
  await shop.report(['pi_1', 'ch_1'], paid(10_000), { attribution: b })
  await shop.pay()
  await shop.report(['cs_1', 'pi_1'], paid(10_000, { source: 'checkout' }), { attribution: a })
  expect(await shop.liveSales()).toMatchObject([{ customerKey: b.customerKey }])
  expect(await shop.balance(1)).toMatchObject({ batchedCents: 1_050 })
  expect((await shop.verify()).differences).toEqual([])
})
