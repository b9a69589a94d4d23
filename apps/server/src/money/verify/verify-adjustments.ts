import { sql } from 'kysely'
import { isUndone, isVoided } from '../../database/sql/active-void.ts'
import type { Tx } from '../../database/transaction.ts'
import { standingOf } from '../commissions/standing.ts'
import { type Booked, describeCommission, differencesInLedger, readAdjusted } from './verify-commissions.ts'

type Check = { programId: number; found: (difference: string) => void }

type Payment = {
  id: number
  kind: 'bonus' | 'manual'
  partnerId: number
  amountCents: number
  currency: string
  payableAt: Date
  isSetAside: boolean
  review: 'none' | 'open' | 'released' | 'rejected'
}

/** Every bonus and manual commission has its commission, with the amount that the member entered. */
export const verifyAdjustments = async (tx: Tx, { programId, found }: Check) => {
  const booked = await readAdjusted(tx, { programId, kinds: ['bonus', 'manual'] })
  const byAdjustment = new Map(booked.map((row) => [row.eventId, row]))
  for (const payment of await readPayments(tx, programId)) {
    const row = byAdjustment.get(payment.id)
    if (!row) found(`adjustment ${payment.id} should have a commission but has none`)
    else for (const difference of differencesOf(payment, row)) found(`${describeCommission(row)} ${difference}`)
  }
}

const readPayments = async (tx: Tx, programId: number) => {
  const { rows } = await sql<Payment>`
    SELECT payment.id, CASE payment.type WHEN 'bonus' THEN 'bonus' ELSE 'manual' END AS kind, payment.partner_id,
      payment.amount_cents, payment.currency, payment.payable_at,
      ${isUndone('payment')} OR ${isVoided('commission')} AS is_set_aside,
      CASE WHEN review.commission_id IS NULL THEN 'none' ELSE coalesce(review.decision, 'open') END AS review
    FROM adjustments payment
    LEFT JOIN commissions commission ON commission.program_id = payment.program_id AND commission.adjustment_id = payment.id
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    WHERE payment.program_id = ${programId} AND payment.type IN ('bonus', 'commission')
    ORDER BY payment.id`.execute(tx)
  return rows
}

const differencesOf = ({ review, isSetAside, ...payment }: Payment, booked: Booked): string[] => {
  const isSame =
    booked.kind === payment.kind &&
    booked.partnerId === payment.partnerId &&
    booked.amountCents === payment.amountCents &&
    booked.currency === payment.currency &&
    booked.payableAt.getTime() === payment.payableAt.getTime()
  const { amountCents } = payment
  const standing = standingOf({ amountCents, sale: null, review, isMerged: false, isSetAside })
  return [...(isSame ? [] : ['differs from its adjustment']), ...differencesInLedger(standing, booked)]
}
