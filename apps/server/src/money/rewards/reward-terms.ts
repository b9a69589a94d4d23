import type { RewardRule } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import type { Tx } from '../../database/transaction.ts'
import { looksAt } from './requested-terms.ts'
import type { Terms } from './rewards.ts'

const TERMS = [
  'version',
  'currency',
  'leadAmountCents',
  'salePercentBps',
  'saleAmountCents',
  'saleDuration',
  'saleMonths',
  'saleRules',
  'holdDays',
  'minimumPayoutCents',
  'validFrom',
] as const
const COLUMNS = [...TERMS, 'partnerId', 'groupId'] as const

/** Whose terms they are: a partner's, a group's or, with neither, the default group's. */
export type TermsOwner = { partnerId: number | null; groupId: number | null }

/** Terms that apply to an event, without their owner. */
export type EventTerms = Terms & { saleRules: RewardRule[] | null; minimumPayoutCents: number; validFrom: Date }

export type StoredTerms = EventTerms & TermsOwner

/** `dependsOnFirstSale`: some terms of the program, not necessarily these, depend on the customer's other sales. */
type TermsOfEvent = StoredTerms & { dependsOnFirstSale: boolean }

/** Namespace of the advisory lock; unique to terms. */
const TERMS_LOCK = 1

/** Proof that the terms of these programs cannot change until the transaction ends. */
export type LockedTerms = { programIds: Set<number> }

export const requireLocked = ({ programIds }: LockedTerms, events: { programId: number }[]) => {
  if (!events.every(({ programId }) => programIds.has(programId)))
    throw new Error('Lock the reward terms before loading them')
}

/** SQL fragment: takes the shared lock on the programs' terms. Read the terms in a later statement, which sees every committed change. */
export const sharedTermsLock = (programIds: number[]) => {
  const sorted = [...new Set(programIds)].toSorted((a, b) => a - b)
  return sql`SELECT pg_advisory_xact_lock_shared(${TERMS_LOCK}, id) FROM unnest(${sorted}::integer[]) AS id`
}

/**
 * Every transaction that creates commissions holds this shared lock until it ends. A change of terms therefore either commits before
 * the transaction reads them or gets a later `validFrom`, so the dates alone decide which terms apply to an event.
 */
export const shareLockTerms = async (tx: Tx, programIds: number[]): Promise<LockedTerms> => {
  await sharedTermsLock(programIds).execute(tx)
  return { programIds: new Set(programIds) }
}

/** Take this lock before choosing `validFrom`, so that changes of terms run one at a time and get consecutive versions. */
export const lockTerms = (tx: Tx, programId: number) =>
  sql`SELECT pg_advisory_xact_lock(${TERMS_LOCK}, ${programId}::integer)`.execute(tx)

type TermsKey = { programId: number; partnerId: number | null; at: Date }

/** One lookup in the index per owner, however many partners have custom terms. */
const latestOf = (isOwner: RawBuilder<unknown>) => sql`(
  SELECT owned.* FROM reward_terms owned
  WHERE owned.program_id = event.program_id AND ${isOwner} AND owned.valid_from <= event.at
  ORDER BY owned.version DESC LIMIT 1)`

/**
 * SQL fragment over the alias `event` (program_id, partner_id, at): the partner's custom terms at that time, else those of the group
 * they were in, else the default group's. `readTerms` applies the same rule to a whole program.
 */
const selectTerms = (columns: readonly string[]) => sql`
  SELECT ${sql.join(columns.map((column) => sql.ref(`latest.${column}`)))},
    EXISTS (SELECT FROM reward_terms limited WHERE limited.program_id = event.program_id
      AND limited.looks_at IS NOT NULL) AS depends_on_first_sale
  FROM (
    ${latestOf(sql`owned.partner_id = event.partner_id`)} UNION ALL
    ${latestOf(
      sql`owned.partner_id IS NULL AND owned.group_id = ${groupAt({
        programId: sql`event.program_id`,
        partnerId: sql`event.partner_id`,
        at: sql`event.at`,
      })}`,
    )} UNION ALL
    ${latestOf(sql`owned.partner_id IS NULL AND owned.group_id IS NULL`)}) latest
  WHERE NOT latest.inherits
  ORDER BY latest.partner_id NULLS LAST, latest.group_id NULLS LAST LIMIT 1`

/** Without the owner, whose columns have the same names as those of the event. */
export const termsOfEvent = selectTerms(TERMS)

export const allTermsAt = async (db: Database | Tx, all: TermsKey[]): Promise<(TermsOfEvent | null)[]> => {
  const column = columnsOf(all)
  const { rows } = await sql<TermsOfEvent & { position: number }>`
    SELECT position, terms.* FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')},
      ${column('at', 'timestamptz')}) WITH ORDINALITY AS event(program_id, partner_id, at, position)
    CROSS JOIN LATERAL (${selectTerms(COLUMNS)}) terms`.execute(db)
  const found = new Map(rows.map(({ position, ...terms }) => [position, terms]))
  return all.map((_, index) => found.get(index + 1) ?? null)
}

export const termsAt = async (db: Database | Tx, key: TermsKey) => (await allTermsAt(db, [key]))[0] ?? null

/** The terms of a group at a time: its own, else the default group's. A null `groupId` is the default group. */
export const groupTermsAt = async (
  db: Database | Tx,
  { programId, groupId, at }: { programId: number; groupId: number | null; at: Date },
) => {
  const own = groupId === null ? null : await latestOfGroup(db, { programId, groupId, at })
  return own && !own.inherits ? own : termsAt(db, { programId, partnerId: null, at })
}

const latestOfGroup = async (
  db: Database | Tx,
  { programId, groupId, at }: { programId: number; groupId: number; at: Date },
) =>
  ((await db
    .selectFrom('rewardTerms')
    .select([...COLUMNS, 'inherits'])
    .where('programId', '=', programId)
    .where('groupId', '=', groupId)
    .where('validFrom', '<=', at)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()) as (StoredTerms & { inherits: boolean }) | undefined) ?? null

/** Whether any current terms, the program's, a group's or a partner's, contain an amount, which ties them to the program's currency. */
export const hasTermsWithAmounts = async (db: Database | Tx, { programId, at }: Omit<TermsKey, 'partnerId'>) => {
  const { rows } = await sql`
    SELECT FROM (
      SELECT DISTINCT ON (partner_id, group_id) * FROM reward_terms
      WHERE program_id = ${programId} AND valid_from <= ${at}
      ORDER BY reward_terms.partner_id, reward_terms.group_id, reward_terms.version DESC) terms
    WHERE lead_amount_cents IS NOT NULL OR sale_amount_cents IS NOT NULL OR minimum_payout_cents > 0
      OR jsonb_path_exists(sale_rules, '$.**.amountCents')
      OR jsonb_path_exists(sale_rules, '$.**.minAmountCents')
      OR jsonb_path_exists(sale_rules, '$.**.maxPerSaleCents') OR jsonb_path_exists(sale_rules, '$.**.maxPerCustomerCents')
    LIMIT 1`.execute(db)
  return rows.length > 0
}

/** The programs of which any version of the terms depends on the customer's other sales. */
export const findFirstSalePrograms = async (db: Database | Tx, programIds: number[]): Promise<Set<number>> => {
  if (programIds.length === 0) return new Set()
  const { rows } = await sql<{ programId: number }>`
    SELECT program_id FROM unnest(${[...new Set(programIds)]}::integer[]) AS named(program_id)
    WHERE EXISTS (SELECT FROM reward_terms limited
      WHERE limited.program_id = named.program_id AND limited.looks_at IS NOT NULL)`.execute(db)
  return new Set(rows.map(({ programId }) => programId))
}

/** Ignores the terms of partners and of other groups than the default. */
export const hasProgramTerms = async (db: Database | Tx, programId: number) =>
  Boolean(
    await db
      .selectFrom('rewardTerms')
      .select('version')
      .where('programId', '=', programId)
      .where('partnerId', 'is', null)
      .where('groupId', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  )

export type NewTerms = Omit<StoredTerms, 'version' | 'validFrom' | 'saleRules'> & {
  saleRules?: RewardRule[] | null
  inherits?: boolean
}

/** Adds a version valid from `at`. The caller must hold `lockTerms`. */
export const addTerms = async (tx: Tx, { programId, terms, at }: { programId: number; terms: NewTerms; at: Date }) => {
  const last = await tx
    .selectFrom('rewardTerms')
    .select((e) => e.fn.max('version').as('version'))
    .where('programId', '=', programId)
    .executeTakeFirst()
  const version = (last?.version ?? 0) + 1
  await tx
    .insertInto('rewardTerms')
    .values({
      ...terms,
      saleRules: terms.saleRules ? JSON.stringify(terms.saleRules) : null,
      looksAt: looksAt(terms),
      programId,
      version,
      validFrom: at,
    })
    .execute()
  return version
}
