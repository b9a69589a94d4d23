import { expect, test } from 'bun:test'
import shapes2024 from '../shapes/2024.json'
import shapes2026 from '../shapes/2026.json'
import { createEvents, newPayment, type PaymentUpdate, renewalOf } from '../src/index.ts'

const SAMPLES: Record<number, Record<string, object>> = { 2024: shapes2024, 2026: shapes2026 }
const ONLY_WHEN_FAILED = ['failure_reason', 'failure_balance_transaction']

for (const generation of [2024, 2026] as const)
  test(`every object of every event has exactly the fields of Stripe’s ${generation} sample`, () => {
    const at = 1_790_000_000
    const payment = newPayment({ name: 'once', generation })
    const subscribed = newPayment({ name: 'monthly', generation, mode: 'subscription', taxCents: 500 })
    const debit = newPayment({
      name: 'debit',
      generation,
      mode: 'subscription',
      method: 'us_bank_account',
      status: 'processing',
    })
    const refund = { id: 're_1', amountCents: 100, at, reason: null, status: 'succeeded' as const }
    const updates: PaymentUpdate[] = [
      { kind: 'checkout_completed', payment },
      { kind: 'checkout_completed', payment: subscribed },
      { kind: 'renewed', payment: renewalOf(subscribed, { name: 'second' }) },
      { kind: 'checkout_pending', payment: debit },
      { kind: 'pending_succeeded', payment: { ...debit, status: 'paid' } },
      { kind: 'pending_failed', payment: { ...debit, status: 'failed' } },
      { kind: 'refunded', payment: { ...payment, refundedCents: 100 }, refund },
      { kind: 'refund_failed', payment, refund },
      { kind: 'dispute_opened', payment, dispute: { id: 'dp_1', at, status: 'needs_response' } },
      { kind: 'subscription_ended', payment: subscribed, at },
    ]
    const events = updates.flatMap(createEvents)
    for (const { type, data } of events) {
      const sample = Object.keys(SAMPLES[generation]?.[String(data.object.object)] ?? {})
      const fields = Object.keys(data.object).filter(
        (field) => sample.includes(field) || !ONLY_WHEN_FAILED.includes(field),
      )
      expect({ type, fields: fields.sort() }).toEqual({ type, fields: sample.sort() })
    }
    expect(new Set(events.map(({ data }) => data.object.object)).size).toBe(generation === 2024 ? 8 : 9)
  })
