import type { EarlierEvents, RewardRequest } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { changeReward } from '../../money/rewards/change-reward.ts'
import { requestedTerms } from '../../money/rewards/requested-terms.ts'
import { backfillAnswer, beginBackfill, findBackfill } from '../../money/rewards/reward-backfills.ts'
import { hasProgramTerms, termsAt, termsOfEvent } from '../../money/rewards/reward-terms.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'

const NOT_FIRST =
  "applyToEarlier is only allowed with a program's first reward terms. Leave it out; the new terms apply from now on."

type FirstTerms = { program: Program; request: RewardRequest; userId: string; at: Date }

/**
 * Saves a program's first reward terms as valid from its earliest event, so earlier commissions verify under the same rule as
 * new ones. Returns false if the same request already started the backfill. The caller holds the lock on the terms.
 */
export const beginRewardBackfill = async (tx: Tx, { program, request, userId, at }: FirstTerms): Promise<boolean> => {
  const programId = program.id
  if (await hasProgramTerms(tx, programId)) {
    if (await isSameBackfill(tx, { program, request, at })) return false
    throw new Refusal('conflict', NOT_FIRST, { field: 'applyToEarlier' })
  }
  const validFrom = await findEarliestMoment(tx, program)
  const change = { programId, partnerId: null, groupId: null, currency: program.currency, request, at: validFrom }
  const termsVersion = await changeReward(tx, change)
  await beginBackfill(tx, { programId, termsVersion, requestedBy: userId, requestedAt: at })
  return true
}

const isSameBackfill = async (tx: Tx, { program, request, at }: Omit<FirstTerms, 'userId'>) => {
  const backfill = await findBackfill(tx, program.id)
  const terms = await termsAt(tx, { programId: program.id, partnerId: null, at })
  if (!backfill || terms?.version !== backfill.termsVersion) return false
  const { leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, saleRules, holdDays } = terms
  const stored = { leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, saleRules, holdDays }
  return terms.minimumPayoutCents === request.minimumPayoutCents && Bun.deepEquals(stored, requestedTerms(request))
}

const findEarliestMoment = async (tx: Tx, { id, createdAt }: Program): Promise<Date> => {
  const { rows } = await sql<{ at: Date }>`
    SELECT least(${createdAt}::timestamptz,
      (SELECT min(sold_at) FROM sales WHERE program_id = ${id}),
      (SELECT min(created_at) FROM leads WHERE program_id = ${id})) AS at`.execute(tx)
  return rows[0]?.at ?? createdAt
}

type Counts = { leads: number; sales: number; revenue: { currency: string; amountCents: number }[] }

const NONE: Counts = { leads: 0, sales: 0, revenue: [] }

/** The events that first terms would apply to, and those they were applied to. */
export const findEarlierEvents = async (db: Database, programId: number): Promise<EarlierEvents> => {
  const canApply = !(await hasProgramTerms(db, programId))
  const backfill = await findBackfill(db, programId)
  return {
    canApply,
    ...(canApply ? await countUnrewarded(db, programId) : NONE),
    applied: backfill && {
      ...backfillAnswer(backfill),
      termsVersion: backfill.termsVersion,
      requestedAt: backfill.requestedAt.toISOString(),
    },
  }
}

/** Excludes events that had terms, of their partner or of its group, and leads of customers who were erased and reported again. */
const countUnrewarded = async (db: Database, programId: number): Promise<Counts> => {
  const { rows } = await sql<{ leads: number; currency: string | null; sales: number; cents: number }>`
    SELECT 0 AS leads, event.currency, count(*) AS sales, sum(event.amount_cents)::bigint AS cents
    FROM (SELECT *, sold_at AS at FROM sales) event
    WHERE event.program_id = ${programId} AND event.credit_source IS NOT NULL AND event.voided_at IS NULL
      AND NOT EXISTS (${termsOfEvent})
    GROUP BY event.currency
    UNION ALL
    SELECT count(*), NULL, 0, 0 FROM (SELECT *, settled_at AS at FROM leads) event
    WHERE event.program_id = ${programId} AND event.state = 'settled' AND NOT event.rewarded_before AND NOT event.unpaid_before
      AND NOT EXISTS (${termsOfEvent})`.execute(db)
  const bySale = rows.filter(({ currency }) => currency !== null)
  return {
    leads: rows.reduce((sum, { leads }) => sum + leads, 0),
    sales: bySale.reduce((sum, { sales }) => sum + sales, 0),
    revenue: bySale.map(({ currency, cents }) => ({ currency: currency ?? '', amountCents: cents })),
  }
}
