import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { changedDays } from '../roll-up/changed-days.ts'
import { AMOUNTS, BY_RANK, COUNTS, NOT_EMPTY, type Range, type Row, topValues } from './breakdown-parts.ts'
import { type Dimension, valueIn } from './dimensions.ts'
import { clickFacts, conversionsByClick, moneyIn } from './facts.ts'
import { within } from './periods.ts'

type ByVisitorOptions = Range & {
  by: Dimension
  /** Whether to add clicks since the last roll-up. */
  isFresh: boolean
}

/** Reads rolled-up breakdowns, plus raw clicks since the watermark and raw rows of changed days. */
export const byVisitor = async (db: Database, program: Program, { by, isFresh, query, ...days }: ByVisitorOptions) => {
  const programId = program.id
  const until = sql`(SELECT max(counted_until) FROM roll_ups WHERE program_id = ${programId})`
  const recent = { programId, after: sql`coalesce(${until}, '-infinity')`, until: isFresh ? sql`'infinity'` : until }
  const changed = { programId, days: changedDays(programId) }
  const stored = sql`program_id = ${programId} AND dimension = ${by} AND ${within(days)}`
  const isRolledUp = sql`day <> ALL (${changedDays(programId)})`
  const name = foldedName(programId, by)
  const { rows } = await sql<Row>`
    WITH fact AS (
      SELECT day, ${valueIn(by)} AS value, leads, sales, currency, revenue_cents, earned_currency, commission_cents
      FROM (${conversionsByClick(changed)}) click WHERE ${within(days)}
    ), named AS MATERIALIZED (
      SELECT ${name} AS name, fact.* FROM fact
    ), counted AS (
      SELECT value, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales FROM (
        SELECT value, clicks, CASE WHEN ${isRolledUp} THEN leads ELSE 0 END AS leads, CASE WHEN ${isRolledUp} THEN sales ELSE 0 END AS sales
        FROM daily_breakdowns WHERE ${stored}
        UNION ALL
        SELECT ${valueIn(by)}, 1, 0, 0 FROM (${clickFacts(recent)}) click WHERE ${within(days)}
        UNION ALL
        SELECT name, 0, leads, sales FROM named) every
      GROUP BY value ${NOT_EMPTY}
    ), money AS (
      SELECT value, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents FROM (
        SELECT value, currency, revenue_cents, commission_cents FROM daily_money WHERE ${stored} AND ${isRolledUp}
        UNION ALL ${moneyIn('named', sql`name`)}) every
      GROUP BY value, currency
    ), top AS (${topValues(query, program.currency)})
    SELECT ${COUNTS}, value AS label, ${AMOUNTS} FROM top ${BY_RANK}`.execute(db)
  return rows
}

/** A `fact`'s value as the roll-up stores it: on a folded day, rare values are grouped under `(other)`. */
const foldedName = (programId: number, by: Dimension) => {
  const known = (value: RawBuilder<unknown>) => sql`EXISTS (
    SELECT FROM daily_breakdowns kept
    WHERE kept.program_id = ${programId} AND kept.dimension = ${by} AND kept.day = fact.day AND kept.value = ${value})`
  return sql`CASE WHEN ${known(sql`'(other)'`)} AND NOT ${known(sql`fact.value`)} THEN '(other)' ELSE fact.value END`
}
