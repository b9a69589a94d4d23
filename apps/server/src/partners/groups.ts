import type { ChangeGroup, TierRule } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { groupAt } from '../database/sql/group-at.ts'
import type { PartnerGroups } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

const MAX_GROUPS = 50

export type PartnerGroup = {
  id: number
  name: string
  isDefault: boolean
  landingPages: string[]
  tierRule: TierRule | null
  createdAt: Date
}

type Row = Selectable<PartnerGroups>

const COLUMNS = [
  'id',
  'name',
  'isDefault',
  'landingPages',
  'tierSales',
  'tierAmountCents',
  'tierCurrency',
  'tierWithin',
  'tierMoveTo',
  'createdAt',
] as const

const asGroup = ({ id, name, isDefault, landingPages, createdAt, ...tier }: Pick<Row, (typeof COLUMNS)[number]>) => ({
  id,
  name,
  isDefault,
  landingPages,
  createdAt,
  tierRule: asTierRule(tier),
})

const asTierRule = (row: Pick<Row, `tier${string}` & keyof Row>): TierRule | null => {
  const { tierSales, tierAmountCents, tierCurrency, tierWithin, tierMoveTo } = row
  if (tierMoveTo === null) return null
  const after =
    tierSales === null ? { amountCents: tierAmountCents ?? 0, currency: tierCurrency ?? '' } : { sales: tierSales }
  return { after, within: tierWithin as TierRule['within'], moveTo: tierMoveTo }
}

const tierColumns = (rule: TierRule | null) => ({
  tierSales: rule && 'sales' in rule.after ? rule.after.sales : null,
  tierAmountCents: rule && 'amountCents' in rule.after ? rule.after.amountCents : null,
  tierCurrency: rule && 'currency' in rule.after ? rule.after.currency : null,
  tierWithin: rule?.within ?? null,
  tierMoveTo: rule?.moveTo ?? null,
})

/** Every program has one, created in the same transaction. */
export const createDefaultGroup = (tx: Tx, { programId, createdAt }: { programId: number; createdAt: Date }) =>
  tx.insertInto('partnerGroups').values({ programId, name: 'Default', isDefault: true, createdAt }).execute()

/** The program's groups, the default group first. */
export const listGroups = async (db: Database | Tx, programId: number): Promise<PartnerGroup[]> => {
  const rows = await db
    .selectFrom('partnerGroups')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('deletedAt', 'is', null)
    .orderBy('isDefault', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(asGroup)
}

type GroupKey = { programId: number; id: number }

export const findGroup = async (db: Database | Tx, { programId, id }: GroupKey): Promise<PartnerGroup | null> =>
  (await listGroups(db, programId)).find((group) => group.id === id) ?? null

/** Partners by group. With `archived`, includes those who are hidden from lists. */
export const countByGroup = async (
  db: Database | Tx,
  { programId, archived }: { programId: number; archived: boolean },
) => {
  const group = groupAt({ programId: sql`partner.program_id`, partnerId: sql`partner.id` })
  const { rows } = await sql<{ groupId: number; partners: number }>`
    SELECT ${group} AS group_id, count(*) AS partners FROM partners partner
    WHERE partner.program_id = ${programId} ${archived ? sql`` : sql`AND NOT partner.archived`} GROUP BY 1`.execute(db)
  return new Map(rows.map(({ groupId, partners }) => [groupId, partners]))
}

type NewGroup = { programId: number; name: string; landingPages: string[]; tierRule: TierRule | null; createdAt: Date }

/** The caller holds the lock on the terms, so names and rules are checked before they are written. */
export const insertGroup = async (tx: Tx, { programId, tierRule, ...group }: NewGroup): Promise<PartnerGroup> => {
  const groups = await listGroups(tx, programId)
  if (groups.length >= MAX_GROUPS)
    throw new Refusal('conflict', `A program can have at most ${MAX_GROUPS} groups. Delete one that you do not need.`)
  refuseTakenName(groups, { name: group.name, id: null })
  const row = await tx
    .insertInto('partnerGroups')
    .values({ programId, ...group, ...tierColumns(tierRule) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return asGroup(row)
}

/** The caller holds the lock on the terms. */
export const changeGroup = async (
  tx: Tx,
  { programId, id, change: { tierRule, ...change } }: GroupKey & { change: ChangeGroup },
): Promise<PartnerGroup> => {
  if (change.name !== undefined) refuseTakenName(await listGroups(tx, programId), { name: change.name, id })
  const row = await tx
    .updateTable('partnerGroups')
    .set((expression) => ({
      id: expression.ref('id'),
      ...change,
      ...(tierRule !== undefined && tierColumns(tierRule)),
    }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return asGroup(row)
}

/** Past terms and memberships still refer to the row. */
export const markGroupDeleted = (tx: Tx, { programId, id, at }: GroupKey & { at: Date }) =>
  tx
    .updateTable('partnerGroups')
    .set({ deletedAt: at, ...tierColumns(null) })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute()

const refuseTakenName = (groups: PartnerGroup[], { name, id }: { name: string; id: number | null }) => {
  const taken = groups.find((group) => group.id !== id && group.name.toLowerCase() === name.toLowerCase())
  if (taken)
    throw new Refusal('conflict', `name is already used by the group ${taken.name}. Choose another name.`, {
      field: 'name',
    })
}
