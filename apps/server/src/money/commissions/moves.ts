import type { Account } from '../ledger/ledger.ts'
import { inBalance, type Standing } from './standing.ts'

/** Where a commission stands by the ledger, on the day on which it is payable. */
export type Booked = Standing & {
  payableAt: Date
  /** The open payout lines that list it, the newest first, and what each still reserves. */
  openLines: { id: number; cents: number }[]
}

export type Move = {
  fromAccount: Account
  toAccount: Account
  amountCents: number
  /** A line stands on the day on which what it moves is payable. */
  availableAt: Date
  payoutLineId: number | null
}

const NOTHING: Standing = { promised: 0, disputed: 0, review: 0 }

/**
 * The ledger lines that bring a commission from where it stands to where it should. None if it stands there. What is payable on
 * another day than before goes back whole and comes again.
 */
export const movesBetween = (booked: Booked, wanted: Standing & { payableAt: Date }): Move[] => {
  const { payableAt, openLines } = booked
  if (payableAt.getTime() === wanted.payableAt.getTime()) return moves(booked, wanted, { payableAt, openLines })
  return [
    ...moves(booked, NOTHING, { payableAt, openLines }),
    ...moves(NOTHING, wanted, { payableAt: wanted.payableAt, openLines: [] }),
  ]
}

type Place = 'program' | 'disputed' | 'review' | 'balance'

/** A partner's balance loses what a refund takes before it gains what a dispute gives back. */
const PLACES: Place[] = ['program', 'disputed', 'review', 'balance']

const centsIn = (place: Place, standing: Standing) => {
  if (place === 'balance') return inBalance(standing)
  return place === 'program' ? -standing.promised : standing[place]
}

/** Every place that has too much gives to those that have too little. Four places, so at most three pairs of them. */
const moves = (from: Standing, to: Standing, { payableAt, openLines }: Pick<Booked, 'payableAt' | 'openLines'>) => {
  const change = new Map(PLACES.map((place) => [place, centsIn(place, to) - centsIn(place, from)]))
  const takeFromBalance = fromBalance(openLines)
  const made: Move[] = []
  for (const giver of PLACES)
    for (const taker of PLACES) {
      const cents = Math.min(-(change.get(giver) ?? 0), change.get(taker) ?? 0)
      if (cents <= 0) continue
      change.set(giver, (change.get(giver) ?? 0) + cents)
      change.set(taker, (change.get(taker) ?? 0) - cents)
      const taken =
        giver === 'balance' ? takeFromBalance(cents) : [{ fromAccount: giver, amountCents: cents, payoutLineId: null }]
      const toAccount = taker === 'balance' ? 'earned' : taker
      made.push(...taken.map((part) => ({ ...part, toAccount, availableAt: payableAt }) as const))
    }
  return made
}

type Taken = Pick<Move, 'fromAccount' | 'amountCents' | 'payoutLineId'>

/** What an open payout line reserves is taken from there first, so that the line pays no more than is left. */
const fromBalance = (openLines: Booked['openLines']) => {
  const lines = openLines.map((line) => ({ ...line }))
  return (cents: number): Taken[] => {
    let left = cents
    const reserved = lines.map((line): Taken => {
      const amountCents = Math.min(left, line.cents)
      left -= amountCents
      line.cents -= amountCents
      return { fromAccount: 'batched', amountCents, payoutLineId: line.id }
    })
    return [...reserved, { fromAccount: 'earned' as const, amountCents: left, payoutLineId: null }].filter(
      ({ amountCents }) => amountCents > 0,
    )
  }
}
