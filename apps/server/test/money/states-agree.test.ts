import { expect, test } from 'bun:test'
import { commissionTotals, listCommissions } from '../../src/money/commissions/list-commissions.ts'
import { givenPayments, type Payments, paid } from '../payments/given-payments.ts'
import { expectStatesAgree } from './expect-states-agree.ts'
import { givenLedger, givenMoney, type Money, onlyLine, TEN_PERCENT } from './given-money.ts'

const ledger = await givenLedger()

const totalsOf = async ({ programId, clock }: Money) =>
  (await commissionTotals(ledger.db, { programId, at: clock.now() })).map(
    ({ state, amountCents, inPayoutCents, count }) => [state, amountCents, inPayoutCents, count],
  )
const commissionsOf = async ({ programId, clock }: Money) => {
  const filter = { programId, at: clock.now(), sort: 'earnedAt' as const, page: 1, pageSize: 100 }
  return (await listCommissions(ledger.db, filter)).rows
}
const expectNoDifferences = async (money: Money) => {
  await expectStatesAgree(ledger, money)
  expect((await money.verify()).differences).toEqual([])
}

/** Sales of 100.00 and 50.00 in an exported line of 15.00. */
const givenExported = async () => {
  const money = await givenMoney(ledger)
  const customer = await money.customer()
  const { invoiceId } = await money.sale(customer, 10_000)
  await money.sale(customer, 5_000)
  const line = onlyLine(await money.pay())
  await money.exportAll(line.payoutId)
  return { money, customer, invoiceId, line }
}

for (const won of ['before', 'after'] as const)
  test(`a dispute opened after the file and won ${won} the line is marked: the commission is paid, and in no other payout`, async () => {
    const { money, customer, invoiceId, line } = await givenExported()
    await money.dispute(invoiceId, 'open')
    await expectNoDifferences(money)
    if (won === 'before') await money.dispute(invoiceId, 'won')
    await expectNoDifferences(money)
    await money.mark(line, 'paid')
    await expectNoDifferences(money)
    if (won === 'after') await money.dispute(invoiceId, 'won')
    await expectNoDifferences(money)
    expect(await money.balance()).toMatchObject({ payableCents: 0, paidCents: 1_500 })
    expect(await totalsOf(money)).toEqual([['paid', 1_500, 0, 2]])
    await money.sale(customer, 1_000)
    await money.pay()
    expect((await commissionsOf(money)).map(({ inPayout }) => inPayout).filter(Boolean)).toHaveLength(1)
    await expectNoDifferences(money)
  })

test('a dispute after the file, and the line marked at the remaining amount: the commission is payable, and in the next payout', async () => {
  const { money, invoiceId, line } = await givenExported()
  await money.dispute(invoiceId, 'open')
  await money.dispute(invoiceId, 'won')
  await money.mark(line, 'paid', 500)
  expect(await totalsOf(money)).toEqual([
    ['paid', 500, 0, 1],
    ['payable', 1_000, 0, 1],
  ])
  await money.mark(onlyLine(await money.pay()), 'paid')
  expect(await totalsOf(money)).toEqual([['paid', 1_500, 0, 2]])
  await expectNoDifferences(money)
})

test('a dispute of a paid commission, netted by the next payout and then won: payable again', async () => {
  const money = await givenMoney(ledger)
  const customer = await money.customer()
  const { invoiceId } = await money.sale(customer, 1_000)
  await money.mark(onlyLine(await money.pay()), 'paid')
  await money.dispute(invoiceId, 'open')
  await money.sale(customer, 5_000)
  await money.mark(onlyLine(await money.pay()), 'paid')
  await money.dispute(invoiceId, 'won')
  expect(await totalsOf(money)).toEqual([
    ['paid', 500, 0, 1],
    ['payable', 100, 0, 1],
  ])
  await expectNoDifferences(money)
})

/** A sale of 100.00, reported by the processor; `correct` reports that it was 300.00. */
const givenReported = async () => {
  const shop: Payments = await givenPayments(ledger, TEN_PERCENT)
  const attribution = await shop.attribution()
  await shop.report(['pi_1'], paid(10_000), { attribution })
  return { shop, correct: () => shop.report(['pi_1'], paid(30_000, { source: 'invoice' }), { attribution }) }
}

test('a commission raised after it was paid is payable for the rest, which the next payout has', async () => {
  const { shop, correct } = await givenReported()
  await shop.mark(onlyLine(await shop.pay()), 'paid')
  await correct()
  expect(await shop.balance()).toMatchObject({ payableCents: 2_000, paidCents: 1_000 })
  expect(await commissionsOf(shop)).toMatchObject([
    { state: 'payable', amountCents: 3_000, paidCents: 1_000, inPayout: false },
  ])
  expect(await totalsOf(shop)).toEqual([
    ['paid', 1_000, 0, 0],
    ['payable', 2_000, 0, 1],
  ])
  await expectNoDifferences(shop)
  const line = onlyLine(await shop.pay())
  expect(await commissionsOf(shop)).toMatchObject([{ state: 'payable', inPayout: true, inPayoutCents: 2_000 }])
  await expectNoDifferences(shop)
  await shop.mark(line, 'paid')
  expect(await commissionsOf(shop)).toMatchObject([{ state: 'paid', paidCents: 3_000, inPayout: false }])
  expect(await totalsOf(shop)).toEqual([['paid', 3_000, 0, 1]])
  await expectNoDifferences(shop)
})

test('a commission raised while a payout has it: that payout pays the reserved amount, the next one the rest', async () => {
  const { shop, correct } = await givenReported()
  const first = onlyLine(await shop.pay())
  await correct()
  expect(await totalsOf(shop)).toEqual([['payable', 3_000, 1_000, 1]])
  const second = onlyLine(await shop.pay())
  expect(await totalsOf(shop)).toEqual([['payable', 3_000, 3_000, 1]])
  await shop.mark(first, 'paid')
  await expectNoDifferences(shop)
  await shop.refund('pi_1')
  expect(await shop.balance()).toMatchObject({ payableCents: -1_000, batchedCents: 0, paidCents: 1_000 })
  await expectNoDifferences(shop)
  expect(second.payoutId).not.toBe(first.payoutId)
})
