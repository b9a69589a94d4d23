import type { TierRule } from '@tributary/contract'
import { sql } from 'kysely'
import { note } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { lockTerms } from '../../money/rewards/reward-terms.ts'
import { insertTierMove } from '../../partners/group-changes.ts'
import { listGroups, type PartnerGroup } from '../../partners/groups.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import { countTowardTier, findPeriodStart, hasReached, salesSince } from './tier-progress.ts'

/** Partners moved in one transaction. The next one continues. */
const MOVES_AT_ONCE = 500

/**
 * Moves every partner who has reached their group's tier. A move applies from now on, so it never changes what was earned before and
 * does not depend on the order in which sales are reported.
 */
export const applyTierRules = async ({ db, clock }: { db: Database; clock: Clock }) =>
  runEach(await findPrograms(db, await findProgramsWithRules(db)), async (program) => {
    for (const { id } of await listGroups(db, program.id))
      while (await moveReached(db, { program, groupId: id, clock }));
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

type GroupOf = { program: Program; groupId: number; clock: Clock }

/** Looks without a lock first, because moves are rare and the lock stops new commissions. True if more may be left. */
const moveReached = async (db: Database, { program, groupId, clock }: GroupOf) => {
  if ((await findReached(db, { program, groupId, at: clock() })).moves.length === 0) return false
  return inTransaction(db, async (tx) => {
    await lockTerms(tx, program.id)
    const at = clock()
    const { group, moves, target } = await findReached(tx, { program, groupId, at })
    if (!group?.tierRule || !target) return false
    const { moveTo, ...rule } = group.tierRule
    for (const { partnerId, reached, period } of moves.slice(0, MOVES_AT_ONCE)) {
      const tier = { groupId: group.id, period, reached, after: rule.after, within: rule.within }
      await insertTierMove(tx, { programId: program.id, partnerId, groupId: moveTo, at, tier })
      const before = { group: group.name }
      const after = { group: target.name, tierRule: rule, reached }
      const entry = { action: 'partner moved', subject: `partner ${partnerId}`, before, after }
      await note(tx, { programId: program.id, userId: null, ...entry, at })
    }
    return moves.length > MOVES_AT_ONCE
  })
}

type Reached = { partnerId: number; reached: number; period: string }
type Found = { group?: PartnerGroup; target?: PartnerGroup; moves: Reached[] }

/** The partners of a group who have reached its tier. */
const findReached = async (
  db: Database | Tx,
  { program, groupId, at }: { program: Program; groupId: number; at: Date },
): Promise<Found> => {
  const programId = program.id
  const groups = new Map((await listGroups(db, programId)).map((group) => [group.id, group]))
  const group = groups.get(groupId)
  if (!group?.tierRule) return { moves: [] }
  const { after, within, moveTo } = group.tierRule
  const since = await findPeriodStart(db, { within, timezone: program.timezone, at })
  const partnerIds = await findCandidates(db, { programId, groupId, after, since })
  const counts = partnerIds.length > 0 ? await countTowardTier(db, { programId, partnerIds, after, since }) : new Map()
  const moves = partnerIds
    .map((partnerId) => ({ partnerId, reached: counts.get(partnerId) ?? 0, period: since }))
    .filter(({ reached }) => hasReached(after, reached))
  return { group, target: groups.get(moveTo), moves }
}

type Candidates = Pick<TierRule, 'after'> & { programId: number; groupId: number; since: string }

/**
 * Partners who reach the tier if refunds are ignored, so that refunds are only looked up for those. Leaves out partners whom the rule
 * has already moved in this period.
 */
const findCandidates = async (db: Database | Tx, { programId, groupId, after, since }: Candidates) => {
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
