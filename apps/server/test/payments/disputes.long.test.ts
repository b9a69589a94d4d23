import { describe, expect, test } from 'bun:test'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'
import { expectOneOutcome, type Step } from './orders.ts'

const ledger = await givenLedger()

const MINUTES = 60_000
const dispute = (state: 'open' | 'won' | 'lost', disputeId = 'dp_1', grossCents: number | null = null): ReportBody => ({
  kind: 'dispute',
  disputeId,
  state,
  grossCents,
})
const sold: Step = { references: ['pi_1', 'ch_1'], says: paid(10_000), attributed: true }
const disputed = (says: ReportBody, second: number): Step => ({ references: ['ch_1'], says, second })
const halfRefunded: Step = {
  references: ['ch_1'],
  says: { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' },
  second: 90,
}

describe('disputes reported by the processor, in every order:', () => {
  test(
    'opened and won is reinstated to the cent',
    async () => {
      const steps = [sold, disputed(dispute('open'), 70), disputed(dispute('won'), 80)]
      expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 1_000, disputedCents: 0 })
    },
    5 * MINUTES,
  )

  test(
    'opened and lost is reversed, also after a partial refund',
    async () => {
      const steps = [sold, disputed(dispute('open'), 70), disputed(dispute('lost'), 80), halfRefunded]
      expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 0, disputedCents: 0 })
    },
    5 * MINUTES,
  )

  test(
    'still open it holds what refunds leave, also after the amount is corrected',
    async () => {
      const better: Step = {
        references: ['in_1', 'pi_1'],
        says: paid(10_000, { netCents: 8_000, source: 'invoice' }),
        attributed: true,
      }
      const steps = [sold, disputed(dispute('open'), 70), halfRefunded, better]
      const { balance, sale } = await expectOneOutcome(ledger, steps)
      expect(sale).toMatchObject({ amountCents: 8_000 })
      expect(balance).toMatchObject({ payableCents: 0, disputedCents: 400 })
    },
    5 * MINUTES,
  )

  test(
    'lost it stays lost, whatever amount is corrected and whichever refund fails',
    async () => {
      const refund = { kind: 'refund', refundId: 're_1', grossCents: 2_000, currency: 'USD', reason: null } as const
      const better: Step = {
        references: ['in_1', 'pi_1'],
        says: paid(12_000, { netCents: 11_000, source: 'invoice' }),
        attributed: true,
      }
      const steps = [
        disputed(dispute('lost'), 70),
        better,
        disputed({ ...refund, state: 'made' }, 80),
        disputed({ ...refund, state: 'failed' }, 90),
      ]
      expect((await expectOneOutcome(ledger, steps, { first: sold })).balance).toMatchObject({ payableCents: 0 })
    },
    5 * MINUTES,
  )

  test('reported both won and lost is lost', async () => {
    const steps = [sold, disputed(dispute('won'), 70), disputed(dispute('lost'), 80)]
    expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 0 })
  })
})

describe('a partial dispute, in every order,', () => {
  const net: Step = {
    references: ['in_1', 'pi_1'],
    says: paid(11_900, { netCents: 10_005, source: 'invoice' }),
    attributed: true,
  }
  const gross: Step = { references: ['pi_1', 'ch_1'], says: paid(11_900), attributed: true }
  const part = (state: 'open' | 'won' | 'lost', cents: number, disputeId = 'dp_1') =>
    disputed(dispute(state, disputeId, cents), 70)
  const refunded = (grossCents: number): Step => ({
    references: ['ch_1'],
    says: { kind: 'refunded_in_all', grossCents, currency: 'USD' },
    second: 90,
  })

  test.each<[string, Step[], { payableCents: number; disputedCents: number }]>([
    // 1,001 of 10,005; a quarter of it is 250.25.
    ['holds its share', [net, gross, part('open', 2_975)], { payableCents: 751, disputedCents: 250 }],
    ['reverses it', [gross, net, part('open', 2_975), part('lost', 2_975)], { payableCents: 751, disputedCents: 0 }],
    ['reinstates it to the cent', [net, gross, part('won', 2_975)], { payableCents: 1_001, disputedCents: 0 }],
    [
      'adds up with others',
      [net, gross, part('open', 2_975), part('lost', 2_975, 'dp_2')],
      { payableCents: 501, disputedCents: 250 },
    ],
    [
      'never takes more than there is',
      [net, gross, part('open', 9_000), part('open', 9_000, 'dp_2')],
      { payableCents: 0, disputedCents: 1_001 },
    ],
    [
      'holds what refunds leave of it',
      [net, gross, refunded(10_000), part('open', 2_975)],
      { payableCents: 0, disputedCents: 160 },
    ],
    [
      'leaves less to refund once it is lost',
      [net, gross, refunded(5_950), part('lost', 2_975)],
      { payableCents: 250, disputedCents: 0 },
    ],
  ])(
    '%s',
    async (_, steps, expected) => {
      const { balance } = await expectOneOutcome(ledger, steps)
      expect(balance).toMatchObject(expected)
    },
    5 * MINUTES,
  )

  test('leaves the rest in the open payout, and the reinstated part to the next one', async () => {
    const shop = await givenPayments(ledger)
    await shop.report(['pi_1'], paid(10_000), { attribution: await shop.attribution() })
    await shop.pay()
    await shop.report(['pi_1'], dispute('open', 'dp_1', 4_000))
    expect(await shop.balance()).toMatchObject({ payableCents: 0, batchedCents: 600, disputedCents: 400 })
    await shop.report(['pi_1'], dispute('won', 'dp_1', 4_000))
    expect(await shop.balance()).toMatchObject({ payableCents: 400, batchedCents: 600, disputedCents: 0 })
    expect((await shop.verify()).differences).toEqual([])
  })
})

test('a dispute before its sale waits and is applied by the sale', async () => {
  const shop = await givenPayments(ledger)
  const early = await shop.report(['pi_1'], dispute('open'))
  expect(early).toMatchObject({ outcome: 'waiting', reason: 'dispute_before_sale' })
  await shop.sale(await shop.customer(), 10_000, 'pi_1')
  expect(await shop.balance()).toMatchObject({ payableCents: 0, disputedCents: 1_000 })
  expect(await shop.decisions()).toMatchObject([{ outcome: 'applied', reason: 'dispute_recorded' }])
})
