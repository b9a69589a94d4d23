import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { findReportDecisions } from '../../src/payments/payment-reports.ts'
import { Refusal } from '../../src/refusal.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger()

/** The processor account is connected to one program; the payment names another of the same workspace. */
const givenTwoPrograms = async () => {
  const inbox = await givenPayments(ledger)
  const named = await givenPayments(ledger)
  await ledger.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [
    inbox.inboxProgram.workspaceId,
    named.programId,
  ])
  const attribution = await named.attribution()
  // The two clocks start one after the other.
  for (const { clock } of [inbox, named]) clock.advance(60_000)
  return { inbox, named, attribution }
}

const halfRefunded = { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' } as const

describe('a payment that names another program of the workspace', () => {
  test('is a sale there, and refunds and disputes reported to the inbox program apply to it', async () => {
    const { inbox, named, attribution } = await givenTwoPrograms()
    await inbox.report(['pi_1', 'ch_1'], paid(10_000), { attribution })
    expect(await inbox.sales()).toEqual([])
    expect(await named.liveSales()).toMatchObject([{ invoiceId: 'pi_1', amountCents: 10_000, reason: null }])
    await inbox.report(['ch_1'], halfRefunded)
    expect(await named.balance()).toMatchObject({ payableCents: 500 })
    await inbox.report(['ch_1'], { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: null })
    expect(await named.balance()).toMatchObject({ payableCents: 0, disputedCents: 500 })
    for (const shop of [inbox, named]) expect((await shop.verify()).differences).toEqual([])
  })

  test('cannot be reported there once more, under any of its names, nor in the inbox program', async () => {
    const { inbox, named, attribution } = await givenTwoPrograms()
    await inbox.report(['pi_1'], paid(10_000), { attribution })
    await inbox.report(['in_1', 'pi_1'], SAME_PAYMENT)
    for (const name of ['pi_1', 'in_1']) {
      await expect(named.sale(attribution.customerKey, 10_000, name)).rejects.toThrow(Refusal)
      await expect(inbox.sale('customer-1', 10_000, name)).rejects.toThrow(Refusal)
    }
    expect(await named.refund('in_1', 2_500)).toMatchObject({ reversedCents: 250 })
  })

  test('and that the merchant has already reported there is that sale', async () => {
    const { inbox, named, attribution } = await givenTwoPrograms()
    await named.lead(attribution.customerKey, attribution.clickId)
    await named.sale(attribution.customerKey, 9_000, 'in_1')
    await inbox.report(['ch_1', 'pi_1'], halfRefunded)
    await inbox.report(['pi_1', 'in_1'], paid(10_000), { attribution })
    expect(await named.liveSales()).toMatchObject([{ amountCents: 10_000 }])
    expect(await named.balance()).toMatchObject({ payableCents: 500 })
    for (const shop of [inbox, named]) expect((await shop.verify()).differences).toEqual([])
  })

  test('of another workspace is rejected and unattributed', async () => {
    const inbox = await givenPayments(ledger)
    const stranger = await givenPayments(ledger)
    const attribution = await stranger.attribution()
    const result = await inbox.report(['pi_1'], paid(10_000), { attribution })
    expect(result).toMatchObject({ outcome: 'refused', reason: 'program_of_others' })
    expect([...(await inbox.sales()), ...(await stranger.sales()), ...(await stranger.leads())]).toEqual([])
  })
})

test('the same reference in two programs is two payments', async () => {
  const [one, other] = [await givenPayments(ledger), await givenPayments(ledger)]
  for (const shop of [one, other]) await shop.report(['in_1'], paid(10_000), { attribution: await shop.attribution() })
  for (const shop of [one, other]) expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
})

test('the results of reports can be listed by program', async () => {
  const [one, other] = [await givenPayments(ledger), await givenPayments(ledger)]
  const { reportId } = await one.report(['pi_1'], { kind: 'pending' }, { attribution: await one.attribution() })
  const ask = (programId: number) => findReportDecisions(ledger.db, { programId, reportIds: [reportId] })
  expect(await ask(one.programId)).toMatchObject([{ reportId, outcome: 'waiting', reason: 'payment_pending' }])
  await one.report(['pi_1'], paid(10_000))
  expect(await ask(one.programId)).toMatchObject([{ reportId, outcome: 'applied', reason: 'payment_settled' }])
  expect(await ask(other.programId)).toEqual([])
})

test('a repeated report is the same report', async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  const at = shop.clock.now()
  const send = () => shop.report(['pi_1'], paid(10_000), { attribution, at })
  const first = await send()
  shop.clock.advance(8 * 86_400_000)
  const again = await Promise.all([send(), send(), send(), send()])
  expect(again).toEqual([first, first, first, first])
  expect(await shop.sales()).toHaveLength(1)
  expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
})
