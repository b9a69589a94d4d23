import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { PartnerKey } from './payout-details.ts'

type Code = { programId: number; code: string }

/** The program's partner who has or had this code, ignoring case because people retype codes. */
export const ownerOfCode = async (tx: Tx, { programId, code }: Code) => {
  const { rows } = await sql<{ partnerId: number }>`
    SELECT id AS partner_id FROM partners WHERE program_id = ${programId} AND lower(code) = lower(${code})
    UNION SELECT partner_id FROM partner_former_codes WHERE program_id = ${programId} AND lower(code) = lower(${code})`.execute(
    tx,
  )
  return rows[0]?.partnerId ?? null
}

/** Namespace of the advisory lock; 1 is for reward terms, 2 for saved views. */
const CODES_LOCK = 3

/**
 * Before a partner gets a code or a link its name, we check whether another partner has the value in any letter case. Take this
 * lock before the check, and before any lock except those of the program and its terms.
 */
export const lockCode = async (tx: Tx, code: string) =>
  sql`SELECT pg_advisory_xact_lock(${CODES_LOCK}, hashtext(${code.toLowerCase()}))`.execute(tx)

type Replacement = PartnerKey & { old: string; next: string; at: Date }

/** Reserves the old code for its partner. The new one may be one of their former codes. */
export const reserveFormerCode = async (tx: Tx, { programId, partnerId, old, next, at }: Replacement) => {
  await tx.deleteFrom('partnerFormerCodes').where('programId', '=', programId).where('code', '=', next).execute()
  await tx.insertInto('partnerFormerCodes').values({ programId, partnerId, code: old, createdAt: at }).execute()
  await registerCode(tx, { programId, partnerId, code: next, since: at })
}

/** Lets the code be found without its program. It counts from when its partner first had it. */
export const registerCode = async (tx: Tx, row: PartnerKey & { code: string; since: Date }) =>
  tx
    .insertInto('partnerCodes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['code', 'programId']).doNothing())
    .execute()

export const formerCodesOf = async (db: Database, { programId, partnerId }: PartnerKey) => {
  const rows = await db
    .selectFrom('partnerFormerCodes')
    .select('code')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .orderBy('createdAt')
    .orderBy('code')
    .execute()
  return rows.map(({ code }) => code)
}

/** Resolves a code without its program: of all who have or had it, the first owner. A later change never wins over an earlier one. */
export const partnerOfCode = async (db: Database | Tx, code: string): Promise<PartnerKey | null> => {
  const row = await db
    .selectFrom('partnerCodes')
    .select(['programId', 'partnerId'])
    .where('code', '=', code)
    .orderBy('since')
    .orderBy('programId')
    .orderBy('partnerId')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** The first owner of a code in any letter case, because people retype codes. */
export const partnerOfSimilarCode = async (db: Database | Tx, code: string): Promise<PartnerKey | null> => {
  const row = await db
    .selectFrom('partnerCodes')
    .select(['programId', 'partnerId'])
    .where(sql`lower(code)`, '=', code.toLowerCase())
    .orderBy('since')
    .orderBy('programId')
    .orderBy('partnerId')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
