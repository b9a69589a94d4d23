import type { ReasonCode } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, columnsOf } from '../database/sql/columns.ts'
import type { Decisions } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

/** The current version of every rule. Changing what a rule decides requires a new version. */
export const RULE_VERSIONS = {
  lead: 2,
  sale: 2,
  commission: 2,
  reversal: 1,
  dispute: 1,
  review: 1,
  correction: 1,
  confirmation: 1,
  adjustment: 2,
} as const
export type RuleName = keyof typeof RULE_VERSIONS

type Result = { outcome: string; reason: ReasonCode }

export type NewDecision = {
  programId: number
  subject: 'lead' | 'sale' | 'refund' | 'dispute' | 'review' | 'adjustment'
  subjectId: number | string
  /** The lead or sale that the decision is about. */
  of: { leadId: number } | { saleId: number }
  rule: RuleName
  facts: object
  result: Result
  /** What the lead or sale earned, if decided in the same moment. Stored in the same row. */
  commission?: { facts: object; result: Result }
  at: Date
}

/** Runs in the transaction of the event, so that an event and its reason are committed together. */
export const storeDecision = (tx: Tx, decision: NewDecision) => storeDecisions(tx, [decision])

export const storeDecisions = async (tx: Tx, decisions: NewDecision[]) => {
  if (decisions.length > 0) await insertDecisions(decisions).execute(tx)
}

/** The same as a part of the statement that writes what was decided. */
export const insertDecisions = (decisions: NewDecision[]) => {
  const column = columnsOf(decisions.map(rowOf))
  return sql`
    INSERT INTO decisions (program_id, subject, subject_id, lead_id, sale_id, decided_at, rule, rule_version, outcome, reason,
      facts, result)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('subject', 'text')}, ${column('subjectId', 'text')},
      ${column('leadId', 'bigint')}, ${column('saleId', 'bigint')}, ${column('decidedAt', 'timestamptz')},
      ${column('rule', 'text')}, ${column('ruleVersion', 'integer')}, ${column('outcome', 'text')}, ${column('reason', 'text')},
      ${column('facts', 'jsonb')}, ${column('result', 'jsonb')})`
}

const rowOf = ({ programId, subject, of, rule, facts, result, commission, at, subjectId }: NewDecision) => ({
  programId,
  subject,
  leadId: 'leadId' in of ? of.leadId : null,
  saleId: 'saleId' in of ? of.saleId : null,
  subjectId: String(subjectId),
  decidedAt: at,
  rule,
  ruleVersion: RULE_VERSIONS[rule],
  outcome: result.outcome,
  reason: result.reason,
  facts: toJson(facts),
  result: toJson({
    ...result,
    ...(commission && { commissionDecision: { ...commission, ruleVersion: RULE_VERSIONS.commission } }),
  }),
})

export type Decision = Omit<Selectable<Decisions>, 'subject' | 'rule' | 'reason' | 'facts' | 'result'> & {
  subject: NewDecision['subject']
  rule: RuleName
  reason: ReasonCode
  facts: unknown
  result: unknown
}

type Filter = { programId: number } & ({ leadId: number } | { saleId: number } | { saleIds: number[] })

/** All decisions about a lead or about sales, oldest first. */
export const listDecisions = async (db: Database | Tx, filter: Filter): Promise<Decision[]> => {
  if ('saleIds' in filter && filter.saleIds.length === 0) return []
  const rows = await db
    .selectFrom('decisions')
    .selectAll()
    .where('programId', '=', filter.programId)
    .$if('leadId' in filter, (query) => query.where('leadId', '=', 'leadId' in filter ? filter.leadId : 0))
    .$if('saleId' in filter, (query) => query.where('saleId', '=', 'saleId' in filter ? filter.saleId : 0))
    .$if('saleIds' in filter, (query) => query.where('saleId', '=', anyOf('saleIds' in filter ? filter.saleIds : [])))
    .orderBy('id')
    .execute()
  return rows.flatMap(readDecisions)
}

type StoredResult = { commissionDecision?: { facts: unknown; result: Result; ruleVersion: number } }

/** The decisions of a stored row: one, or two if it includes what the lead or sale earned. */
export const readDecisions = (row: Selectable<Decisions>): Decision[] => {
  const { commissionDecision, ...result } = fromJson(row.result) as StoredResult
  const attribution: Decision = {
    ...row,
    subject: row.subject as NewDecision['subject'],
    rule: row.rule as RuleName,
    reason: row.reason as ReasonCode,
    facts: fromJson(row.facts),
    result,
  }
  if (!commissionDecision) return [attribution]
  const { outcome, reason } = commissionDecision.result
  return [attribution, { ...attribution, rule: 'commission', outcome, reason, ...commissionDecision }]
}

/** By convention, the names of dates and only those end in `At`. */
const isDate = (name: string, value: unknown): value is string => /(^a|A)t$/.test(name) && typeof value === 'string'

/** Dates are stored as ISO 8601 text. */
export const toJson = (value: object) => JSON.stringify(value)

/** Restores dates, so that the facts can be fed back into the rule. */
export const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isDate(name, part) ? new Date(part) : fromJson(part)]),
  )
}
