import type { GroupMembership, TierRule } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, columnsOf } from '../database/sql/columns.ts'
import { groupAt } from '../database/sql/group-at.ts'
import type { Tx } from '../database/transaction.ts'
import { changing } from '../outbox/publish-changes.ts'
import { findGroup } from './groups.ts'
import './partner-events.ts'

/** The tier rule that moves a partner, and its count. */
export type TierMove = Pick<TierRule, 'after' | 'within'> & { groupId: number; period: string; reached: number }

type Move = { programId: number; partnerId: number; groupId: number; at: Date }

type Moves = Omit<Move, 'partnerId'> & { partnerIds: number[]; movedBy: string }

/** Moves by a member. The caller holds the lock on the terms. */
export const insertMoves = async (tx: Tx, { partnerIds, at, ...move }: Moves) => {
  if (partnerIds.length === 0) return
  const writer = await changing(tx, 'partner', { programId: move.programId, ids: partnerIds, at })
  await writer
    .insertInto('partnerGroupChanges')
    .values(partnerIds.map((partnerId) => ({ ...move, partnerId, validFrom: at })))
    .execute()
}

/** A move by a tier rule. False if the same rule already moved the partner in this period. */
export const insertTierMove = async (tx: Tx, { at, tier, ...move }: Move & { tier: TierMove }) => {
  const { groupId: tierGroupId, period: tierPeriod, ...counted } = tier
  const writer = await changing(tx, 'partner', { programId: move.programId, ids: [move.partnerId], at })
  const inserted = await writer
    .insertInto('partnerGroupChanges')
    .values({ ...move, validFrom: at, tierGroupId, tierPeriod, tier: JSON.stringify(counted) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The current group of each partner that exists, by partner ID. */
export const currentGroups = async (
  db: Database | Tx,
  { programId, partnerIds }: { programId: number; partnerIds: number[] },
) => {
  const group = groupAt({ programId: sql`partner.program_id`, partnerId: sql`partner.id` })
  const { rows } = await sql<{ id: number; groupId: number }>`
    SELECT partner.id, ${group} AS group_id FROM partners partner
    WHERE partner.program_id = ${programId} AND partner.id = ${anyOf(partnerIds)}`.execute(db)
  return new Map(rows.map(({ id, groupId }) => [id, groupId]))
}

/** Null only if the partner does not exist. */
export const findGroupOfPartner = async (
  db: Database | Tx,
  { programId, partnerId }: { programId: number; partnerId: number },
) => {
  const id = (await currentGroups(db, { programId, partnerIds: [partnerId] })).get(partnerId)
  return id === undefined ? null : findGroup(db, { programId, id })
}

/** The group of each partner at a time, in the order of `all`. */
export const groupsAt = async (
  db: Database,
  { programId, all }: { programId: number; all: { partnerId: number; earnedAt: Date }[] },
): Promise<{ groupId: number; groupName: string }[]> => {
  const column = columnsOf(all)
  const group = groupAt({ programId: sql`${programId}::integer`, partnerId: sql`event.partner_id`, at: sql`event.at` })
  const { rows } = await sql<{ groupId: number; groupName: string }>`
    SELECT named.id AS group_id, named.name AS group_name
    FROM unnest(${column('partnerId', 'integer')}, ${column('earnedAt', 'timestamptz')}) WITH ORDINALITY AS event(partner_id, at, position)
    LEFT JOIN partner_groups named ON named.program_id = ${programId} AND named.id = ${group}
    ORDER BY event.position`.execute(db)
  return rows
}

type StoredTier = Pick<TierMove, 'after' | 'within' | 'reached'>

/** How the partner got into the group they are in, or were in at a time. */
export const findMembership = async (
  db: Database,
  { programId, partnerId, at }: { programId: number; partnerId: number; at?: Date },
) => {
  const { rows } = await sql<{
    groupId: number
    since: Date
    period: string | null
    groupName: string | null
    tier: StoredTier | null
  }>`
    SELECT change.group_id, change.valid_from AS since, change.tier_period AS period, change.tier, ruled.name AS group_name
    FROM partner_group_changes change
    LEFT JOIN partner_groups ruled ON ruled.program_id = change.program_id AND ruled.id = change.tier_group_id
    WHERE change.program_id = ${programId} AND change.partner_id = ${partnerId} ${at ? sql`AND change.valid_from <= ${at}` : sql``}
    ORDER BY change.id DESC LIMIT 1`.execute(db)
  return rows[0] ?? null
}

export const membershipAnswer = (found: Awaited<ReturnType<typeof findMembership>>): GroupMembership => {
  if (!found) return { since: null, tier: null }
  const { since, tier, groupName, period } = found
  return {
    since: since.toISOString(),
    tier: tier && { groupName: groupName ?? '', ...tier, period: period ?? '' },
  }
}
