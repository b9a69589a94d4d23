import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { explainInvoice } from '../../src/tracking/explain/explain-why-not.ts'
import { expectEveryDecisionAgain } from '../explain/every-decision.ts'
import { givenLedger, givenPayments, givenTwoPrograms, type Payments, paid } from './given-payments.ts'
import { ordersOf } from './orders.ts'

const ledger = await givenLedger()

const refunded = { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' } as const
const disputed = { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: null } as const

const expectRight = async (...shops: Payments[]) => {
  for (const shop of shops) expect((await shop.verify()).differences).toEqual([])
  await expectEveryDecisionAgain(ledger.owner)
}

describe('an API sale in a program other than the inbox program of the workspace', () => {
  test.each([
    ['after it', ['sale', 'refund', 'dispute']],
    ['after a bare payment', ['sale', 'paid', 'refund', 'dispute']],
    ['before it', ['refund', 'dispute', 'sale']],
    ['before it, and a bare payment', ['paid', 'refund', 'sale', 'dispute']],
  ])('is refunded and disputed by reports %s', async (_, steps) => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    const customer = await other.customer()
    const actions: Record<string, () => Promise<unknown>> = {
      sale: () => other.sale(customer, 10_000, 'pi_1'),
      paid: () => inbox.report(['pi_1', 'ch_1'], paid(10_000)),
      refund: () => inbox.report(['ch_1', 'pi_1'], refunded),
      dispute: () => inbox.report(['ch_1', 'pi_1'], disputed),
    }
    for (const step of steps) await actions[step]?.()
    expect(await other.balance()).toMatchObject({ payableCents: 0, disputedCents: 500 })
    expect((await inbox.decisions()).filter(({ outcome }) => outcome === 'waiting')).toEqual([])
    await expectRight(inbox, other)
  })

  test('is one sale, even if the merchant reports it again in either program after the processor', async () => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    await other.sale(await other.customer(), 10_000, 'pi_1')
    await inbox.report(['pi_1', 'ch_1'], refunded)
    for (const [shop, name] of [
      [other, 'ch_1'],
      [inbox, 'pi_1'],
    ] as const)
      await expect(shop.sale('customer-1', 10_000, name)).rejects.toMatchObject({ code: 'duplicate_invoice' })
    await expectRight(inbox, other)
  })

  test('can be refunded by the merchant under any name from the processor', async () => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    await inbox.report(['cs_1', 'pi_1'], paid(10_000))
    await inbox.report(['pi_1', 'ch_1'], paid(10_000))
    await other.sale(await other.customer(), 10_000, 'ch_1')
    for (const name of ['pi_1', 'cs_1', 'ch_1']) await other.refund(name, 2_000)
    expect(await other.balance()).toMatchObject({ payableCents: 400 })
    await expect(inbox.refund('pi_1', 2_000)).rejects.toMatchObject({ code: 'sale_not_found' })
    await expectRight(inbox, other)
  })

  test('may share its invoice_id with a sale in another program', async () => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    for (const shop of [other, inbox]) await shop.sale(await shop.customer(), 10_000, '1001')
    for (const shop of [inbox, other]) {
      expect(await shop.balance()).toMatchObject({ payableCents: 1_000 })
      await expect(shop.sale('customer-1', 10_000, '1001')).rejects.toMatchObject({ code: 'duplicate_invoice' })
    }
    await expectRight(inbox, other)
  })

  test('applies a concurrent refund', async () => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    const customer = await other.customer()
    const names = Array.from({ length: 10 }, (_, index) => `pi_${index}`)
    await Promise.all(
      names.flatMap((name) => [
        other.sale(customer, 10_000, name),
        inbox.report([name, `ch_${name}`], { ...refunded, grossCents: 10_000 }),
      ]),
    )
    expect(await other.balance()).toMatchObject({ payableCents: 0 })
    await expectRight(inbox, other)
  })
})

test('reports of one payment that name two programs are one sale, the same in every order', async () => {
  const names = ['session', 'invoice', 'link', 'refund'] as const
  for (const order of ordersOf([...names])) {
    const { inbox, other } = await givenTwoPrograms(ledger)
    const third = await givenPayments(ledger)
    await ledger.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [
      inbox.inboxProgram.workspaceId,
      third.programId,
    ])
    const [mine, theirs] = [await other.attribution(), await third.attribution()]
    const at = inbox.clock.now()
    for (const { clock } of [inbox, other, third]) clock.advance(600_000)
    const actions = {
      session: () => inbox.report(['cs_1', 'pi_1'], paid(10_000, { source: 'checkout' }), { attribution: mine, at }),
      invoice: () => inbox.report(['in_1'], paid(10_000, { source: 'invoice' }), { attribution: theirs, at }),
      link: () => inbox.report(['in_1', 'pi_1'], SAME_PAYMENT, { at }),
      refund: () => inbox.report(['ch_1', 'pi_1'], refunded, { at }),
    }
    for (const step of order) await actions[step]()
    expect({ order, sales: await other.liveSales() }).toMatchObject({ order, sales: [{ amountCents: 10_000 }] })
    expect({ order, sales: await third.liveSales() }).toEqual({ order, sales: [] })
    expect({ order, ...(await other.balance()) }).toMatchObject({ order, payableCents: 500 })
    expect({ order, ...(await third.balance()) }).toMatchObject({ order, payableCents: 0 })
    await expectRight(inbox, other, third)
  }
}, 300_000)

describe('a lookup of a payment in a program other than the inbox program', () => {
  const ask = async (shop: Payments, invoiceId: string) =>
    explainInvoice(
      { db: ledger.db, clock: shop.clock.now, findUnreportedEvent: async () => null },
      { viewer: { programId: shop.programId, audience: 'merchant' }, invoiceId },
    )

  test('finds what the inbox program received', async () => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    const attribution = await other.attribution()
    await inbox.report(['cs_1'], { kind: 'pending' }, { attribution })
    expect(await ask(other, 'cs_1')).toMatchObject({ outcome: 'waiting', reason: 'payment_pending' })
    await inbox.report(['ch_2', 'pi_2'], refunded)
    expect(await ask(other, 'pi_2')).toMatchObject({ outcome: 'waiting', reason: 'refund_before_sale' })
    await inbox.report(['pi_3'], paid(10_000))
    expect(await ask(other, 'pi_3')).toMatchObject({ outcome: 'uncredited', reason: 'no_metadata' })
    await inbox.report(['pi_4'], paid(10_000), { attribution })
    expect(await ask(other, 'pi_4')).toMatchObject({ outcome: 'credited', timeline: expect.any(Array) })
    expect((await ask(other, 'pi_4')).timeline.map(({ event }) => event)).toContain('payment')
  })

  test('except reports that name another program', async () => {
    const { inbox, other } = await givenTwoPrograms(ledger)
    await inbox.report(['cs_1'], { kind: 'pending' }, { attribution: await inbox.attribution() })
    expect(await ask(other, 'cs_1')).toMatchObject({ outcome: 'not_received', reason: 'invoice_never_received' })
  })
})
