import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { RAISE_STATEMENT_TIMEOUT } from '../../database/query-timeout.ts'
import type { Tx } from '../../database/transaction.ts'
import { customersOfPeriod, factsOfCustomers } from '../commissions/customer-facts.ts'
import { type CustomerFacts, type Evaluated, evaluateCustomer, type TermsAt } from '../commissions/evaluate.ts'
import { type ProgramTerms, readTerms } from './program-terms.ts'
import type { Terms } from './rewards.ts'

/** Read in a moment each, so that other calls get their turn at the database in between. */
const CUSTOMERS_A_PAGE = 500

export type Compared = { actualCents: number; proposedCents: number; differenceCents: number }
export type Comparison = { currency: string; partners: (Compared & { partnerId: number })[]; totals: Compared }

type Backtest = {
  programId: number
  proposed: Terms
  from: Date
  before: Date
  onProgress: (progress: { done: number; total: number }) => void
  /** Once the caller has gone, the rest is not read, and the answer is null. */
  signal: AbortSignal
}

/**
 * What each partner earned for the leads and sales of a period, and what they would have earned had other terms held in it. The
 * same rule evaluates the same facts twice, so equal terms differ by exactly nothing. Partners with custom terms keep them.
 *
 * Every page of customers is read at one moment of its own, and every customer once: a comparison of a million customers keeps
 * neither a connection nor old row versions for as long as it runs.
 */
export const backtest = async (
  db: Database,
  { programId, onProgress, signal, ...asked }: Backtest,
): Promise<Comparison[] | null> => {
  const { from, before } = asked
  const pages = await atOneMoment(db, (tx) =>
    customersOfPeriod(tx, { programId, from, before, pageSize: CUSTOMERS_A_PAGE }),
  )
  const total = pages.reduce((sum, { customers }) => sum + customers, 0)
  const sums = createSums()
  let done = 0
  onProgress({ done, total })
  for (const { clickIds, customers } of pages) {
    if (signal.aborted) return null
    const { terms, facts } = await atOneMoment(db, async (tx) => ({
      terms: await readTerms(tx, programId),
      facts: await factsOfCustomers(tx, { programId, clickIds }),
    }))
    for (const customer of facts) compare(customer, { ...asked, terms, sums })
    done += customers
    onProgress({ done, total })
  }
  return sums.all()
}

/** Postgres itself refuses every change in here. */
const atOneMoment = <T>(db: Database, read: (tx: Tx) => Promise<T>) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql.raw(RAISE_STATEMENT_TIMEOUT).execute(tx)
      return read(tx)
    })

type Comparing = { terms: ProgramTerms; proposed: Terms; from: Date; before: Date; sums: Sums }

const compare = (facts: CustomerFacts, { terms, proposed, from, before, sums }: Comparing) => {
  const isOfPeriod = (at: Date) => at >= from && at < before
  const held = (partnerId: number, at: Date) => terms.at(partnerId, at.getTime()) ?? null
  // Before the period, what held decides which sale was the first that earned.
  const instead: TermsAt = (partnerId, at) => {
    const replaced = held(partnerId, at)
    const isCustom = replaced !== null && replaced.partnerId !== null
    return isCustom || !isOfPeriod(at) ? replaced : proposed
  }
  const add = (termsAt: TermsAt, column: Column) => {
    const { lead, sales } = evaluateCustomer(facts, termsAt)
    if (lead && isOfPeriod(lead.event.settledAt)) sums.add(lead, column)
    for (const sale of sales) if (isOfPeriod(sale.event.soldAt)) sums.add(sale, column)
  }
  add(held, 'actualCents')
  add(instead, 'proposedCents')
}

type Column = 'actualCents' | 'proposedCents'
type Sums = ReturnType<typeof createSums>

/** By currency and partner. Who would earn nothing either way has no currency, and is left out. */
const createSums = () => {
  const byCurrency = new Map<string, Map<number, Record<Column, number>>>()
  return {
    add: ({ event, reward, standing }: Evaluated<{ partnerId: number }>, column: Column) => {
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
          totals: totalsOf([...partners.values()]),
        })),
  }
}

const withDifference = ({ actualCents, proposedCents }: Record<Column, number>): Compared => ({
  actualCents,
  proposedCents,
  differenceCents: proposedCents - actualCents,
})

export const totalsOf = (rows: Record<Column, number>[]) =>
  withDifference({
    actualCents: rows.reduce((sum, { actualCents }) => sum + actualCents, 0),
    proposedCents: rows.reduce((sum, { proposedCents }) => sum + proposedCents, 0),
  })
