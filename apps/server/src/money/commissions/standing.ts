import { type SaleAmounts, splitCommission } from '../rewards/rewards.ts'

/** Everything that decides a commission's standing. */
export type StandingFacts = {
  /** Before any reversal. */
  amountCents: number
  /** Null for leads, which cannot be refunded. */
  sale: SaleAmounts | null
  review: 'none' | 'open' | 'released' | 'rejected'
  /** The sale was merged into another one. */
  isMerged: boolean
  /** A member's decision takes it to zero (adjustments/decide-set-aside.ts). */
  isSetAside: boolean
}

/** Cents per account. The promised rest, neither disputed nor in review, is in the partner's balance or already paid. */
export type Standing = { promised: number; disputed: number; review: number }

export const NOTHING: Standing = { promised: 0, disputed: 0, review: 0 }

/** The one rule behind refunds, disputes, reviews, adjustments and corrections. */
export const standingOf = ({ amountCents, sale, review, isMerged, isSetAside }: StandingFacts): Standing => {
  if (isMerged || isSetAside || review === 'rejected') return NOTHING
  const { reversed, held } = sale ? splitCommission(amountCents, sale) : { reversed: 0, held: 0 }
  const promised = amountCents - reversed
  return { promised, disputed: held, review: review === 'open' ? promised - held : 0 }
}

/** In the partner's balance or already paid; never negative. */
export const balanceOf = ({ promised, disputed, review }: Standing) => promised - disputed - review
