import type { TierRule } from '@tributary/contract'
import { sql } from 'kysely'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { lockTerms } from '../../money/rewards/reward-terms.ts'
import { currentGroups, insertTierMove } from '../../partners/group-changes.ts'
import { listGroups, type PartnerGroup } from '../../partners/groups.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import { countTowardTier, findPeriodStart, hasReached, salesSince } from './tier-progress.ts'

/** Partners moved in one transaction. */
const MOVES_AT_ONCE = 500

/**
 * Moves every partner who has reached their group's tier. A move applies from now on, so it never changes what was earned before and
 * does not depend on the order in which sales are reported.
 */
export const applyTierRules = async ({ db, clock }: { db: Database; clock: Clock }) =>
  runEach(await findPrograms(db, await findProgramsWithRules(db)), async (program) => {
    for (const group of await listGroups(db, program.id)) await moveReached(db, { program, group, clock })
  })

const findProgramsWithRules = async (db: Database) => {
  const rows = await db
    .selectFrom('partnerGroups')
    .select('programId')
    .distinct()
    .where('tierMoveTo', 'is not', null)
    .orderBy('programId')
    .execute()
  return rows.map(({ programId }) => programId)
}

type GroupOf = { program: Program; group: PartnerGroup; clock: Clock }

/** Counts without the lock on the terms, which stops new commissions. A sale refunded meanwhile counts as if the rule ran before. */
const moveReached = async (db: Database, { program, group, clock }: GroupOf) => {
  if (!group.tierRule) return
  const moves = await findReached(db, { program, groupId: group.id, rule: group.tierRule, at: clock() })
  for (let first = 0; first < moves.length; first += MOVES_AT_ONCE)
    await inTransaction(db, (tx) =>
      movePart(tx, { program, groupId: group.id, clock, moves: moves.slice(first, first + MOVES_AT_ONCE) }),
    )
}

type Part = { program: Program; groupId: number; clock: Clock; moves: Reached[] }

/** Moves those who are still in the group and meet its rule, which may have changed since they were counted. */
const movePart = async (tx: Tx, { program: { id: programId }, groupId, clock, moves }: Part) => {
  await lockTerms(tx, programId)
  const at = clock()
  const groups = new Map((await listGroups(tx, programId)).map((group) => [group.id, group]))
  const group = groups.get(groupId)
  if (!group?.tierRule) return
  const { moveTo, ...rule } = group.tierRule
  const current = await currentGroups(tx, { programId, partnerIds: moves.map(({ partnerId }) => partnerId) })
  for (const { partnerId, reached, period, after, within } of moves) {
    if (current.get(partnerId) !== groupId || !Bun.deepEquals({ after, within }, rule)) continue
    const tier = { groupId, period, reached, ...rule }
    if (!(await insertTierMove(tx, { programId, partnerId, groupId: moveTo, at, tier }))) continue
    const before = { group: group.name }
    const result = { group: groups.get(moveTo)?.name ?? null, tierRule: rule, reached }
    const entry = { action: 'partner moved', subject: `partner ${partnerId}`, before, after: result }
    await recordAudit(tx, { programId, userId: null, ...entry, at })
  }
}

/** With the rule that was counted. */
type Reached = Pick<TierRule, 'after' | 'within'> & { partnerId: number; reached: number; period: string }

type Counted = { program: Program; groupId: number; rule: TierRule; at: Date }

/** The partners of a group who have reached its tier. */
const findReached = async (db: Database, { program, groupId, rule, at }: Counted): Promise<Reached[]> => {
  const programId = program.id
  const { after, within } = rule
  const since = await findPeriodStart(db, { within, timezone: program.timezone, at })
  const partnerIds = await findCandidates(db, { programId, groupId, after, since })
  if (partnerIds.length === 0) return []
  const counts = await countTowardTier(db, { programId, partnerIds, after, since })
  return partnerIds
    .map((partnerId) => ({ partnerId, reached: counts.get(partnerId) ?? 0, period: since, after, within }))
    .filter(({ reached }) => hasReached(after, reached))
}

type Candidates = Pick<TierRule, 'after'> & { programId: number; groupId: number; since: string }

/**
 * Partners who reach the tier if refunds are ignored, so that refunds are only looked up for those. Leaves out partners whom the rule
 * has already moved in this period.
 */
const findCandidates = async (db: Database, { programId, groupId, after, since }: Candidates) => {
  const members = await sql<{ id: number }>`
    SELECT partner.id FROM partners partner
    WHERE partner.program_id = ${programId} AND partner.status = 'approved' AND NOT partner.archived
      AND ${groupAt({ programId: sql`partner.program_id`, partnerId: sql`partner.id` })} = ${groupId}
      AND NOT EXISTS (SELECT FROM partner_group_changes moved WHERE moved.program_id = partner.program_id
        AND moved.partner_id = partner.id AND moved.tier_group_id = ${groupId} AND moved.tier_period = ${since}::date)`.execute(
    db,
  )
  const partnerIds = members.rows.map(({ id }) => id)
  if (partnerIds.length === 0) return []
  const isEnough =
    'sales' in after
      ? sql`count(*) >= ${after.sales}::bigint`
      : sql`sum(sale.amount_cents) >= ${after.amountCents}::bigint`
  const { rows } = await sql<{ partnerId: number }>`
    SELECT sale.partner_id FROM ${salesSince({ programId, partnerIds, after, since })}
    GROUP BY sale.partner_id HAVING ${isEnough} ORDER BY sale.partner_id`.execute(db)
  return rows.map(({ partnerId }) => partnerId)
}
