import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { forOne, inPlace } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Terms } from './rewards.ts'

const COLUMNS = [
  'version',
  'currency',
  'leadAmountCents',
  'salePercentBps',
  'saleAmountCents',
  'saleDuration',
  'saleMonths',
  'holdDays',
  'minimumPayoutCents',
  'validFrom',
] as const

export type StoredTerms = Terms & { minimumPayoutCents: number; validFrom: Date }

/** And whether any terms of the program ask which sale of a customer was the first: then it matters to all of them. */
export type TermsOfEvent = StoredTerms & { asksForFirst: boolean }

/** Any number, as long as nobody else locks by it. */
const TERMS_LOCK = 1

/** Proof that the terms of these programs cannot change until the transaction ends. */
export type HeldTerms = { programIds: Set<number> }

/** Part of a statement: takes the shared lock on the terms of programs. Terms are read in a later statement, which sees all changes. */
export const sharedTermsLock = (programIds: number[]) => {
  const sorted = [...new Set(programIds)].toSorted((a, b) => a - b)
  return sql`SELECT pg_advisory_xact_lock_shared(${TERMS_LOCK}, id) FROM unnest(${sorted}::integer[]) AS id`
}

/**
 * Every transaction that pays under terms holds them to its end. A change of terms therefore commits before the transaction begins
 * to read them, or gets a later moment, so the two moments alone say which terms apply to an event.
 */
export const holdTerms = async (tx: Tx, programIds: number[]): Promise<HeldTerms> => {
  await sharedTermsLock(programIds).execute(tx)
  return { programIds: new Set(programIds) }
}

/** For whoever changes terms, before the moment is chosen from which they hold: one after the other, each with its number. */
export const lockTerms = (tx: Tx, programId: number) =>
  sql`SELECT pg_advisory_xact_lock(${TERMS_LOCK}, ${programId}::integer)`.execute(tx)

type Asked = { programId: number; partnerId: number | null; at: Date }

/** Part of a statement, for the `event` (program_id, partner_id, at): the partner's custom terms at that time, else the program's. */
export const termsOfEvent = sql`
  SELECT ${sql.join(COLUMNS.map((column) => sql.ref(`latest.${column}`)))},
    EXISTS (SELECT FROM reward_terms limited WHERE limited.program_id = event.program_id
      AND limited.sale_duration IN ('first', 'months')) AS asks_for_first
  FROM (
    SELECT DISTINCT ON (reward_terms.partner_id) reward_terms.* FROM reward_terms
    WHERE reward_terms.program_id = event.program_id AND reward_terms.valid_from <= event.at
      AND (reward_terms.partner_id IS NULL OR reward_terms.partner_id = event.partner_id)
    ORDER BY reward_terms.partner_id, reward_terms.version DESC) latest
  WHERE latest.partner_id IS NULL OR NOT latest.inherits
  ORDER BY latest.partner_id NULLS LAST LIMIT 1`

export const allTermsAt = async (db: Database | Tx, all: Asked[]): Promise<(TermsOfEvent | null)[]> => {
  const column = columnsOf(all)
  const { rows } = await sql<TermsOfEvent & { nth: number }>`
    SELECT nth, terms.* FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')},
      ${column('at', 'timestamptz')}) WITH ORDINALITY AS event(program_id, partner_id, at, nth)
    CROSS JOIN LATERAL (${termsOfEvent}) terms`.execute(db)
  return inPlace(rows, all).map((row) => row ?? null)
}

export const termsAt = forOne(allTermsAt)

/** Whether terms that hold now, the program's or those of a partner, name an amount: it is in the currency of the program. */
export const nameAmounts = async (db: Database | Tx, { programId, at }: Omit<Asked, 'partnerId'>) => {
  const { rows } = await sql`
    SELECT FROM (
      SELECT DISTINCT ON (partner_id) * FROM reward_terms
      WHERE program_id = ${programId} AND valid_from <= ${at} ORDER BY reward_terms.partner_id, reward_terms.version DESC) terms
    WHERE lead_amount_cents IS NOT NULL OR sale_amount_cents IS NOT NULL OR minimum_payout_cents > 0
    LIMIT 1`.execute(db)
  return rows.length > 0
}

const limitedTerms = (db: Database | Tx, programId: number) =>
  db
    .selectFrom('rewardTerms as limited')
    .select('limited.version')
    .where('limited.programId', '=', programId)
    .where('limited.saleDuration', 'in', ['first', 'months'])
    .limit(1)

/** Whether it has ever mattered in this program which sale of a customer was the first. */
export const paysFirstSales = async (db: Database | Tx, programId: number) =>
  Boolean(await limitedTerms(db, programId).executeTakeFirst())

/** Whether the program itself has ever had terms; those of single partners do not count. */
export const hasProgramTerms = async (db: Database | Tx, programId: number) =>
  Boolean(
    await db
      .selectFrom('rewardTerms')
      .select('version')
      .where('programId', '=', programId)
      .where('partnerId', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  )

export type NewTerms = Omit<StoredTerms, 'version' | 'validFrom'> & { partnerId: number | null; inherits?: boolean }

/** Another version, valid from `at`. The caller has locked the terms. */
export const addTerms = async (tx: Tx, { programId, terms, at }: { programId: number; terms: NewTerms; at: Date }) => {
  const last = await tx
    .selectFrom('rewardTerms')
    .select((e) => e.fn.max('version').as('version'))
    .where('programId', '=', programId)
    .executeTakeFirst()
  const version = (last?.version ?? 0) + 1
  await tx
    .insertInto('rewardTerms')
    .values({ ...terms, programId, version, validFrom: at })
    .execute()
  return version
}
