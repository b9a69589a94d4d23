import type { Account } from '../ledger/ledger.ts'
import { balanceOf, NOTHING, type Standing } from './commission-rules.ts'

/** What the ledger currently says about a commission. */
export type Booked = Standing & {
  payableAt: Date
  /** Open payout lines that list the commission, newest first, with the amount each still reserves. */
  openLines: { id: number; cents: number }[]
}

export type LedgerMove = {
  fromAccount: Account
  toAccount: Account
  amountCents: number
  /** When the moved amount becomes payable. */
  availableAt: Date
  payoutLineId: number | null
}

/**
 * The ledger lines that take a commission from its booked standing to the wanted one; none if they are equal. If the payable date
 * changes, everything is reversed and booked again under the new date.
 */
export const movesBetween = (booked: Booked, wanted: Standing & { payableAt: Date }): LedgerMove[] => {
  const { payableAt, openLines } = booked
  if (payableAt.getTime() === wanted.payableAt.getTime()) return moves(booked, wanted, { payableAt, openLines })
  return [
    ...moves(booked, NOTHING, { payableAt, openLines }),
    ...moves(NOTHING, wanted, { payableAt: wanted.payableAt, openLines: [] }),
  ]
}

type Bucket = 'program' | 'disputed' | 'review' | 'balance'

/** The order matters: a refund debits the balance before a won dispute credits it. */
const BUCKETS: Bucket[] = ['program', 'disputed', 'review', 'balance']

const centsIn = (bucket: Bucket, standing: Standing) => {
  if (bucket === 'balance') return balanceOf(standing)
  return bucket === 'program' ? -standing.promised : standing[bucket]
}

/** Moves money from accounts with a surplus to accounts with a deficit. Four accounts need at most three moves. */
const moves = (from: Standing, to: Standing, { payableAt, openLines }: Pick<Booked, 'payableAt' | 'openLines'>) => {
  const change = new Map(BUCKETS.map((bucket) => [bucket, centsIn(bucket, to) - centsIn(bucket, from)]))
  const debitBalance = balanceDebits(openLines)
  const result: LedgerMove[] = []
  for (const source of BUCKETS)
    for (const target of BUCKETS) {
      const cents = Math.min(-(change.get(source) ?? 0), change.get(target) ?? 0)
      if (cents <= 0) continue
      change.set(source, (change.get(source) ?? 0) + cents)
      change.set(target, (change.get(target) ?? 0) - cents)
      const debits =
        source === 'balance' ? debitBalance(cents) : [{ fromAccount: source, amountCents: cents, payoutLineId: null }]
      const toAccount = target === 'balance' ? 'earned' : target
      result.push(...debits.map((debit) => ({ ...debit, toAccount, availableAt: payableAt }) as const))
    }
  return result
}

type Debit = Pick<LedgerMove, 'fromAccount' | 'amountCents' | 'payoutLineId'>

/** Debits open payout lines first, to keep them from overpaying. */
const balanceDebits = (openLines: Booked['openLines']) => {
  const lines = openLines.map((line) => ({ ...line }))
  return (cents: number): Debit[] => {
    let left = cents
    const reserved = lines.map((line): Debit => {
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
