import { describe, expect, test } from 'bun:test'
import type { PaymentWords } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'
import { expectOneOutcome, type Step } from './orders.ts'

const ledger = await givenLedger()

const MINUTES = 60_000
const dispute = (state: 'open' | 'won' | 'lost', disputeId = 'dp_1'): PaymentWords => ({
  kind: 'dispute',
  disputeId,
  state,
})
const sold: Step = { references: ['pi_1', 'ch_1'], says: paid(10_000), attributed: true }
const disputed = (says: PaymentWords, second: number): Step => ({ references: ['ch_1'], says, second })
const halfRefunded: Step = {
  references: ['ch_1'],
  says: { kind: 'refunded_in_all', grossCents: 5_000, currency: 'USD' },
  second: 90,
}

describe('disputes that the processor tells, in every order:', () => {
  test(
    'opened and won is reinstated to the cent',
    async () => {
      const steps = [sold, disputed(dispute('open'), 70), disputed(dispute('won'), 80)]
      expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 1_000, disputedCents: 0 })
    },
    5 * MINUTES,
  )

  test(
    'opened and lost is reversed, also where a part was refunded',
    async () => {
      const steps = [sold, disputed(dispute('open'), 70), disputed(dispute('lost'), 80), halfRefunded]
      expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 0, disputedCents: 0 })
    },
    5 * MINUTES,
  )

  test(
    'still open it holds what refunds leave, and what a better informed amount makes of it',
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
    'lost it stays lost, whatever the amount is corrected to and whichever refund fails',
    async () => {
      const refund = { kind: 'refund', refundId: 're_1', grossCents: 2_000, currency: 'USD', reason: null } as const
      const better: Step = {
        references: ['in_1', 'pi_1'],
        says: paid(12_000, { netCents: 11_000, source: 'invoice' }),
        attributed: true,
      }
      const steps = [
        sold,
        disputed(dispute('lost'), 70),
        better,
        disputed({ ...refund, state: 'made' }, 80),
        disputed({ ...refund, state: 'failed' }, 90),
      ]
      const mayStart = ([first]: Step[]) => first === sold
      expect((await expectOneOutcome(ledger, steps, { mayStart })).balance).toMatchObject({ payableCents: 0 })
    },
    5 * MINUTES,
  )

  test('won here and lost there is lost', async () => {
    const steps = [sold, disputed(dispute('won'), 70), disputed(dispute('lost'), 80)]
    expect((await expectOneOutcome(ledger, steps)).balance).toMatchObject({ payableCents: 0 })
  })
})

test('a dispute before its sale waits, and is applied by the sale', async () => {
  const shop = await givenPayments(ledger)
  const early = await shop.say(['pi_1'], dispute('open'))
  expect(early).toMatchObject({ fate: 'waiting', reason: 'dispute_before_sale' })
  await shop.sale(await shop.customer(), 10_000, 'pi_1')
  expect(await shop.balance()).toMatchObject({ payableCents: 0, disputedCents: 1_000 })
  expect(await shop.fates()).toMatchObject([{ fate: 'applied', reason: 'dispute_recorded' }])
})
