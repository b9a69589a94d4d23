/** The arithmetic of rewards. Whole numbers only; everything is rounded once, half up. */
import { share } from './share.ts'

export type Terms = {
  version: number
  currency: string
  leadAmountCents: number | null
  salePercentBps: number | null
  saleAmountCents: number | null
  saleDuration: 'first' | 'months' | 'lifetime' | null
  saleMonths: number | null
  holdDays: number
}

export type Reward = { amountCents: number; currency: string }

/** Why an event that was credited to a partner earns them nothing. */
export type NoReward =
  | 'no_terms'
  | 'no_reward_for_leads'
  | 'no_reward_for_sales'
  | 'lead_already_rewarded'
  | 'not_the_first_sale'
  | 'reward_period_over'
  | 'rounds_to_zero'

const DAY_MS = 86_400_000
const WHOLE_BPS = 10_000

export const leadReward = (terms: Terms): Reward | NoReward =>
  terms.leadAmountCents === null
    ? 'no_reward_for_leads'
    : { amountCents: terms.leadAmountCents, currency: terms.currency }

type SaleFacts = {
  amountCents: number
  currency: string
  soldAt: Date
  /** When the customer's first credited sale was made; null where this is it. */
  firstSoldAt: Date | null
}

/** A percentage is paid in the currency of the sale, a flat amount in the currency of the terms. */
export const saleReward = (
  terms: Terms,
  { amountCents, currency, soldAt, firstSoldAt }: SaleFacts,
): Reward | NoReward => {
  if (terms.saleDuration === null) return 'no_reward_for_sales'
  if (terms.saleDuration === 'first' && firstSoldAt !== null) return 'not_the_first_sale'
  if (
    terms.saleDuration === 'months' &&
    firstSoldAt !== null &&
    soldAt >= addMonths(firstSoldAt, terms.saleMonths ?? 0)
  )
    return 'reward_period_over'
  if (terms.saleAmountCents !== null) return { amountCents: terms.saleAmountCents, currency: terms.currency }
  const earned = share(amountCents, terms.salePercentBps ?? 0, WHOLE_BPS)
  return earned === 0 ? 'rounds_to_zero' : { amountCents: earned, currency }
}

/**
 * How much of a commission is taken back in all, once so much of its sale is refunded. Computed on the cumulative refund, so
 * that three partial refunds reverse exactly what one full refund would.
 */
export const reversedCents = (commissionCents: number, refundedCents: number, saleCents: number) =>
  share(commissionCents, refundedCents, saleCents)

type Told = { saleCents: number; refundedCents: number; openCents: number; lostCents: number }

/**
 * What refunds and lost disputes have taken of a commission, and what of the rest open disputes hold. Parts of the sale add up,
 * to the whole of it at most, and each sum is rounded once, so that a dispute that is won leaves everything as it was.
 */
export const sharesOf = (commissionCents: number, { saleCents, refundedCents, openCents, lostCents }: Told) => {
  const gone = Math.min(saleCents, refundedCents + lostCents)
  const reversed = reversedCents(commissionCents, gone, saleCents)
  const touched = reversedCents(commissionCents, Math.min(saleCents, gone + openCents), saleCents)
  return { reversed, held: touched - reversed }
}

/** What a refund of what the customer paid, tax included, comes to in terms of a sale without it. All of one is all of the other. */
export const refundedShare = (saleCents: number, refundedGrossCents: number, grossCents: number) =>
  share(saleCents, Math.min(refundedGrossCents, grossCents), grossCents)

export const payableAt = (earnedAt: Date, holdDays: number) => new Date(earnedAt.getTime() + holdDays * DAY_MS)

/** The same day some months on, or the last of that month where it has no such day. */
const addMonths = (date: Date, months: number) => {
  const day = date.getUTCDate()
  const moved = new Date(date)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, lastDay))
  return moved
}
