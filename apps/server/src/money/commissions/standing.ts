import { sharesOf } from '../rewards/rewards.ts'

/** What has become of the sale that a commission was earned for, in cents of the sale. */
export type SaleTold = { saleCents: number; refundedCents: number; openCents: number; lostCents: number }

/** Everything that decides where a commission stands. Nothing else may matter. */
export type StandingFacts = {
  /** What its event earned, before anything was taken back. */
  amountCents: number
  /** Null for the commission of a lead, which cannot be refunded. */
  sale: SaleTold | null
  review: 'none' | 'open' | 'released' | 'rejected'
  /** The sale turned out to be part of another one. */
  isMerged: boolean
}

/** What is promised and in neither dispute nor review is in the partner's balance, or was paid out of it. */
export type Standing = { promised: number; disputed: number; review: number }

const NOTHING: Standing = { promised: 0, disputed: 0, review: 0 }

/** Where a commission stands: the one rule behind refunds, disputes, reviews, voids and corrections. */
export const standingOf = ({ amountCents, sale, review, isMerged }: StandingFacts): Standing => {
  if (isMerged || review === 'rejected') return NOTHING
  const { reversed, held } = sale ? sharesOf(amountCents, sale) : { reversed: 0, held: 0 }
  const promised = amountCents - reversed
  return { promised, disputed: held, review: review === 'open' ? promised - held : 0 }
}

/** What is in the balance, or was paid out of it. Not below zero. */
export const inBalance = ({ promised, disputed, review }: Standing) => promised - disputed - review
