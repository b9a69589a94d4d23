import { expect, test } from 'bun:test'
import { givenLedger, givenPayments } from '../payments/given-payments.ts'
import { applyEvent } from './apply-event.ts'
import { type Payment, SIZED_GENERATIONS, type StripePayment, stripePayment, type TestEvent } from './stripe-events.ts'

const ledger = await givenLedger()

/** Another payment of the same customer: 11.90 with 1.90 of tax by default. */
type Buy = (more?: Payment) => StripePayment
type Expected = { sales: number[]; earned: Record<string, number> }

const free = { amount_total: 0, payment_status: 'no_payment_required' }
const refund = (payment: StripePayment, name: string, amount: number) =>
  payment.refund('refund.created', `${name}_${payment.ids.charge}`, { amount, status: 'succeeded' })
const disputed = (payment: StripePayment) => payment.dispute('charge.dispute.created', 'needs_response')
const closed = (payment: StripePayment, status: string) => payment.dispute('charge.dispute.closed', status)

/** What happens at a merchant, and the result at ten percent. */
const SCENARIOS: Record<string, [(buy: Buy) => TestEvent[], Expected]> = {
  'a trial earns nothing, the renewal after it does': [
    (buy) => {
      const [trial, renewal] = [buy(), buy()]
      const nothing = { amount_paid: 0, amount_due: 0, total: 0, total_excluding_tax: 0, subtotal: 0 }
      return [trial.subscribed(free), trial.invoicePaid(nothing), renewal.invoicePaid()]
    },
    { sales: [1_000], earned: { USD: 100 } },
  ],
  'a downgrade is a credit and not a sale; the paid part of the next invoice is one': [
    (buy) => {
      const [downgrade, next] = [buy(), buy()]
      const credit = { amount_paid: 0, total: -500, total_excluding_tax: -420, subtotal: -420 }
      return [downgrade.invoicePaid(credit), next.invoicePaid({ amount_paid: 690, starting_balance: -500 })]
    },
    { sales: [580], earned: { USD: 58 } },
  ],
  'a voucher for the full amount is not a sale': [
    (buy) => [buy().completed(free), buy().subscribed(free)],
    { sales: [], earned: {} },
  ],
  'each currency is separate, with its own decimals': [
    (buy) => [
      buy({ currency: 'eur' }).completed(),
      buy({ currency: 'jpy', amount: 11_900, tax: 1_900 }).completed(),
      buy({ currency: 'kwd', amount: 119_000, tax: 19_000 }).completed(),
    ],
    { sales: [1_000, 10_000, 100_000], earned: { EUR: 100, JPY: 1_000, KWD: 10_000 } },
  ],
  'refunds beyond the paid amount reverse all of it, and no more': [
    (buy) => {
      const payment = buy()
      return [payment.completed(), refund(payment, 're_1', 800), refund(payment, 're_2', 800)]
    },
    { sales: [1_000], earned: { USD: 0 } },
  ],
  'a dispute won after a refund leaves what the refund left': [
    (buy) => {
      const payment = buy()
      return [payment.completed(), refund(payment, 're_1', 595), disputed(payment), closed(payment, 'won')]
    },
    { sales: [1_000], earned: { USD: 50 } },
  ],
  'a lost dispute takes everything, and a refund of the rest takes nothing twice': [
    (buy) => {
      const payment = buy()
      return [payment.completed(), disputed(payment), closed(payment, 'lost'), refund(payment, 're_1', 1_190)]
    },
    { sales: [1_000], earned: { USD: 0 } },
  ],
  'a canceled subscription keeps its payments': [
    (buy) => {
      const payment = buy()
      return [payment.subscribed(), payment.invoicePaid(), payment.subscriptionDeleted()]
    },
    { sales: [1_000], earned: { USD: 100 } },
  ],
  'an invoice paid by other means was paid': [
    (buy) => [buy().invoicePaid({ paid_out_of_band: true, payment_intent: null, charge: null })],
    { sales: [1_000], earned: { USD: 100 } },
  ],
  'a voided invoice was not paid': [
    (buy) => [{ ...buy().invoicePaid({ status: 'void', amount_paid: 0 }), type: 'invoice.voided' }],
    { sales: [], earned: {} },
  ],
  'a bank debit that fails after the checkout was completed is not a sale, and the card that pays instead is': [
    (buy) => {
      const [debit, card] = [buy(), buy()]
      return [debit.completed({ payment_status: 'unpaid' }), debit.asyncFailed(), card.completed()]
    },
    { sales: [1_000], earned: { USD: 100 } },
  ],
  'a card authorized for more than was captured is a sale of the captured amount': [
    (buy) => {
      const payment = buy({ amount: 600, tax: 0 })
      const [reserved, taken] = [{ amount: 1_000 }, { amount: 1_000, amount_captured: 600, amount_refunded: 400 }]
      return [
        refund(payment, 're_1', 400),
        payment.intentSucceeded({ ...reserved, amount_received: 600 }),
        payment.chargeRefunded(400, taken),
      ]
    },
    { sales: [600], earned: { USD: 60 } },
  ],
}

for (const generation of SIZED_GENERATIONS)
  for (const [name, [scenario, expected]] of Object.entries(SCENARIOS))
    test(`${generation}: ${name}`, async () => {
      const shop = await givenPayments(ledger)
      const { programId, customerKey, clickId } = await shop.attribution()
      shop.clock.advance(2_000)
      const metadata = { program_id: String(programId), service_customer_key: customerKey, service_click_id: clickId }
      const created = Math.floor(shop.clock.now().getTime() / 1_000)
      shop.clock.advance(60_000)
      for (const event of scenario((more) => stripePayment({ generation, metadata, created, ...more })))
        await applyEvent(shop, event)
      const { rows } = await ledger.pool.query<{ currency: string; cents: number }>(
        `SELECT currency, sum(CASE 'program' WHEN from_account THEN amount_cents WHEN to_account THEN -amount_cents ELSE 0 END)::int AS cents
         FROM ledger_lines WHERE program_id = $1 GROUP BY currency`,
        [programId],
      )
      expect({
        sales: (await shop.liveSales()).map(({ amountCents }) => amountCents),
        earned: Object.fromEntries(rows.map(({ currency, cents }) => [currency, cents])),
      }).toEqual(expected)
      expect((await shop.verify()).differences).toEqual([])
    })
