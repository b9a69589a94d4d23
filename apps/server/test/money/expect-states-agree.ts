import { expect } from 'bun:test'
import { commissionTotals, listCommissions } from '../../src/money/commissions/list-commissions.ts'
import type { Ledger, Money } from './given-money.ts'

const EVERY = { sort: 'amountCents', page: 1, pageSize: 10_000 } as const
const sum = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)

/** Checks that commissions and balances agree to the cent, for a program with one partner and one currency. */
export const expectStatesAgree = async ({ db }: Ledger, money: Pick<Money, 'programId' | 'clock' | 'balance'>) => {
  const filter = { programId: money.programId, at: money.clock.now() }
  const balance = await money.balance()
  const { rows } = await listCommissions(db, { ...filter, ...EVERY })
  // Looked up one by one, they are the same.
  const { rows: again } = await listCommissions(db, { ...filter, ...EVERY, sort: 'earnedAt' })
  expect(again.toSorted((a, b) => a.id - b.id)).toEqual(rows.toSorted((a, b) => a.id - b.id))

  const left = (row: (typeof rows)[number]) => row.amountCents - row.reversedCents
  const inReview = sum(rows, (row) => (row.state === 'review' ? left(row) - row.disputedCents : 0))
  const unpaid = sum(rows, (row) => left(row) - row.disputedCents - row.paidCents - row.inPayoutCents)
  expect({
    paid: sum(rows, (row) => row.paidCents),
    inPayout: sum(rows, (row) => row.inPayoutCents),
    disputed: sum(rows, (row) => row.disputedCents),
    inReview,
    balance: unpaid - inReview,
  }).toEqual({
    paid: balance.paidCents,
    inPayout: balance.batchedCents,
    disputed: balance.disputedCents,
    inReview: balance.reviewCents,
    balance: balance.heldCents + balance.payableCents,
  })

  const totals = await commissionTotals(db, filter)
  const inState = (state: string) => totals.filter((total) => total.state === state)
  expect(sum(totals, (total) => total.amountCents)).toBe(sum(rows, left))
  expect(sum(totals, (total) => total.count)).toBe(rows.length)
  const isOwed = rows.some(
    (row) =>
      row.paidCents > left(row) ||
      row.inPayoutCents < 0 ||
      left(row) - row.disputedCents - row.paidCents - row.inPayoutCents < 0,
  )
  // A debt is not a commission state: it is only netted in the balance.
  if (isOwed) return
  const free = (state: string) => sum(inState(state), (of) => of.amountCents - of.inPayoutCents - of.disputedCents)
  expect({ held: free('held'), payable: free('payable'), paid: free('paid') }).toEqual({
    held: balance.heldCents,
    payable: balance.payableCents,
    paid: balance.paidCents,
  })
  expect(sum(totals, (total) => total.inPayoutCents)).toBe(balance.batchedCents)
}
