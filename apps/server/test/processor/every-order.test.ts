import { expect, test } from 'bun:test'
import { Refusal } from '../../src/refusal.ts'
import { NIGHTLY, NIGHTLY_TIMEOUT_MS } from '../money/nightly.ts'
import { givenLedger, givenPayments, type Payments } from '../payments/given-payments.ts'
import { permutations, representativeOrders } from '../payments/orders.ts'
import { sized } from '../support/size.ts'
import { applyEvent } from './apply-event.ts'
import { type Generation, SIZED_GENERATIONS, stripePayment, type TestEvent } from './stripe-events.ts'

const ledger = await givenLedger()

/** 11.90 with 1.90 of tax; 1.19 is refunded; the dispute is won and changes nothing. */
const givenPayment = async (shop: Payments, generation: Generation) => {
  const { customerKey, clickId, programId } = await shop.attribution()
  shop.clock.advance(2_000)
  const metadata = { program_id: String(programId), service_customer_key: customerKey, service_click_id: clickId }
  const created = Math.floor(shop.clock.now().getTime() / 1_000)
  const payment = stripePayment({ generation, metadata, created })
  shop.clock.advance(60_000)
  const deliver = (event: TestEvent) => () => applyEvent(shop, event)
  const reports: Record<string, () => Promise<unknown>> = {
    checkout: deliver(payment.subscribed()),
    payment: deliver(payment.intentSucceeded()),
    invoice: deliver(payment.invoicePaid()),
    link: deliver(payment.invoicePaymentPaid()),
    // The second API report of a payment is refused.
    call: () =>
      shop
        .sale(customerKey, 900, payment.ids.intent)
        .catch((error) => expect({ refused: error instanceof Refusal, error }).toMatchObject({ refused: true })),
    refund: deliver(payment.refund('refund.created', `re_${payment.ids.charge}`, { amount: 119, status: 'succeeded' })),
    disputed: deliver(payment.dispute('charge.dispute.created', 'needs_response')),
    won: deliver(payment.dispute('charge.dispute.closed', 'won')),
  }
  return reports
}

const PATHS: Record<Generation, string[]> = {
  '2024': ['checkout', 'payment', 'invoice', 'call'],
  '2026': ['checkout', 'payment', 'invoice', 'link', 'call'],
}
const AFTER = ['refund', 'disputed', 'won']

/** Every order of the reports, with later events in a different place each time; in every place in the nightly run. */
const longOrders = (paths: string[]) => {
  if (NIGHTLY) return permutations([...paths, ...AFTER])
  return permutations(paths).map((order, index) =>
    AFTER.reduce(
      (reports, step, turn) => reports.toSpliced((index * (turn + 1) + turn) % (reports.length + 1), 0, step),
      order,
    ),
  )
}

/** In the short run every step follows every other one once. */
const ordersOf = (paths: string[]) =>
  sized({ short: () => representativeOrders([...paths, ...AFTER]), long: () => longOrders(paths) })()

for (const generation of SIZED_GENERATIONS)
  test(
    `the reports of one payment of ${generation}, over four paths, give one sale in any order`,
    async () => {
      const shop = await givenPayments(ledger)
      for (const [index, order] of ordersOf(PATHS[generation]).entries()) {
        const payment = await givenPayment(shop, generation)
        for (const step of order) await payment[step]?.()
        const sales = await shop.liveSales()
        expect({ order, sales: sales.length, last: sales.at(-1)?.amountCents }).toEqual({
          order,
          sales: index + 1,
          last: 1_000,
        })
        const { payableCents, disputedCents } = await shop.balance()
        expect({ order, payableCents, disputedCents }).toEqual({
          order,
          payableCents: 90 * (index + 1),
          disputedCents: 0,
        })
      }
      expect((await shop.decisions()).filter(({ outcome }) => outcome !== 'applied')).toEqual([])
      expect((await shop.verify()).differences).toEqual([])
    },
    Math.max(NIGHTLY_TIMEOUT_MS, 600_000),
  )
