import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { RAISE_STATEMENT_TIMEOUT } from '../../database/query-timeout.ts'
import type { Tx } from '../../database/transaction.ts'
import { readCreditedFacts } from '../adjustments/manual-credits.ts'
import { findCustomersInPeriod, readCustomerFacts } from '../commissions/customer-facts.ts'
import {
  type CreditedEvent,
  type CustomerFacts,
  type Evaluation,
  evaluateCredited,
  evaluateCustomer,
  type TermsAt,
} from '../commissions/evaluate.ts'
import { type ProgramTerms, readTerms } from './program-terms.ts'
import type { Terms } from './rewards.ts'

/** Small pages let other requests use the database in between. */
const CUSTOMERS_PER_PAGE = 500

export type ComparedAmounts = { actualCents: number; proposedCents: number; differenceCents: number }
export type Comparison = {
  currency: string
  partners: (ComparedAmounts & { partnerId: number })[]
  totals: ComparedAmounts
}

type Backtest = {
  programId: number
  proposed: Terms
  /** Other terms to compare them with; null for the actual ones. */
  against: Terms | null
  /** The group whose terms are replaced; null for the default group. */
  groupId: number | null
  from: Date
  before: Date
  onProgress: (progress: { done: number; total: number }) => void
  /** Stops the run when the client disconnects; the result is then null. */
  signal: AbortSignal
}

/**
 * Compares what each partner earned in a period with what they would have earned under the proposed terms. The same rule evaluates
 * the same facts twice, so equal terms give a difference of exactly zero. Partners with custom terms keep them, and so do partners
 * in other groups with their own terms.
 *
 * Each page of customers is read in its own short snapshot, so a long run holds neither a connection nor old row versions.
 */
export const backtest = async (
  db: Database,
  { programId, onProgress, signal, ...period }: Backtest,
): Promise<Comparison[] | null> => {
  const { from, before } = period
  const pages = await inSnapshot(db, (tx) =>
    findCustomersInPeriod(tx, { programId, from, before, pageSize: CUSTOMERS_PER_PAGE }),
  )
  const total = pages.reduce((sum, { customers }) => sum + customers, 0)
  const sums = createSums()
  let done = 0
  onProgress({ done, total })
  for (const { clickIds, customers } of pages) {
    if (signal.aborted) return null
    const { terms, facts } = await inSnapshot(db, async (tx) => ({
      terms: await readTerms(tx, programId),
      facts: await readCustomerFacts(tx, { programId, clickIds }),
    }))
    for (const customer of facts) compare(customer, { ...period, terms, sums })
    done += customers
    onProgress({ done, total })
  }
  const { terms, credited } = await inSnapshot(db, async (tx) => ({
    terms: await readTerms(tx, programId),
    credited: await readCreditedFacts(tx, { programId, from, before }),
  }))
  for (const event of credited) compareCredited(event, { ...period, terms, sums })
  return sums.all()
}

/** Read-only: Postgres rejects any write. */
const inSnapshot = <T>(db: Database, read: (tx: Tx) => Promise<T>) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql.raw(RAISE_STATEMENT_TIMEOUT).execute(tx)
      return read(tx)
    })

type ComparisonInput = Pick<Backtest, 'proposed' | 'against' | 'groupId' | 'from' | 'before'> & {
  terms: ProgramTerms
  sums: Sums
}

const compare = (facts: CustomerFacts, { sums, ...input }: ComparisonInput) => {
  const { isInPeriod, actual, hypothetical } = termsOf(input)
  const add = (termsAt: TermsAt, column: Column) => {
    const { lead, sales } = evaluateCustomer(facts, termsAt)
    if (lead && isInPeriod(lead.event.settledAt)) sums.add(lead, column)
    for (const sale of sales) if (isInPeriod(sale.event.soldAt)) sums.add(sale, column)
  }
  add(actual, 'actualCents')
  add(hypothetical, 'proposedCents')
}

/** A sale that a member credited or moved counts for its new partner. */
const compareCredited = (event: CreditedEvent, { sums, ...input }: ComparisonInput) => {
  const { actual, hypothetical } = termsOf(input)
  sums.add(evaluateCredited(event, actual), 'actualCents')
  sums.add(evaluateCredited(event, hypothetical), 'proposedCents')
}

const termsOf = ({ terms, proposed, against, groupId, from, before }: Omit<ComparisonInput, 'sums'>) => {
  const isInPeriod = (at: Date) => at >= from && at < before
  const former: TermsAt = (partnerId, at) => terms.at(partnerId, at.getTime()) ?? null
  // Before the period the actual terms apply, because they decide which sale was the customer's first.
  const under =
    (replaced: Terms): TermsAt =>
    (partnerId, at) =>
      isInPeriod(at) ? (terms.at(partnerId, at.getTime(), { groupId, terms: replaced }) ?? null) : former(partnerId, at)
  return { isInPeriod, actual: against ? under(against) : former, hypothetical: under(proposed) }
}

type Column = 'actualCents' | 'proposedCents'
type Sums = ReturnType<typeof createSums>

/** Sums by currency and partner. Partners who earn nothing under either terms are left out. */
const createSums = () => {
  const byCurrency = new Map<string, Map<number, Record<Column, number>>>()
  return {
    add: ({ event, reward, standing }: Evaluation<{ partnerId: number }>, column: Column) => {
      if (typeof reward === 'string') return
      const partners = byCurrency.get(reward.currency) ?? new Map<number, Record<Column, number>>()
      byCurrency.set(reward.currency, partners)
      const sum = partners.get(event.partnerId) ?? { actualCents: 0, proposedCents: 0 }
      partners.set(event.partnerId, sum)
      sum[column] += standing.promised
    },
    all: (): Comparison[] =>
      [...byCurrency]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, partners]) => ({
          currency,
          partners: [...partners]
            .map(([partnerId, sum]) => ({ partnerId, ...withDifference(sum) }))
            .toSorted((a, b) => b.actualCents - a.actualCents || a.partnerId - b.partnerId),
          totals: sumAmounts([...partners.values()]),
        })),
  }
}

const withDifference = ({ actualCents, proposedCents }: Record<Column, number>): ComparedAmounts => ({
  actualCents,
  proposedCents,
  differenceCents: proposedCents - actualCents,
})

export const sumAmounts = (rows: Record<Column, number>[]) =>
  withDifference({
    actualCents: rows.reduce((sum, { actualCents }) => sum + actualCents, 0),
    proposedCents: rows.reduce((sum, { proposedCents }) => sum + proposedCents, 0),
  })
