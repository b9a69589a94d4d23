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

type Replacement = PartnerKey & { old: string; next: string; at: Date }

/** Reserves the old code for its partner. The new one may be one of their former codes. */
export const reserveFormerCode = async (tx: Tx, { programId, partnerId, old, next, at }: Replacement) => {
  await tx.deleteFrom('partnerFormerCodes').where('programId', '=', programId).where('code', '=', next).execute()
  await tx.insertInto('partnerFormerCodes').values({ programId, partnerId, code: old, createdAt: at }).execute()
}

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

/**
 * Resolves a code without its program: of all who have or had it, the first owner. A current code counts from its last change and
 * a former one from its replacement, so a later change never wins over an earlier owner.
 */
export const partnerOfCode = async (db: Database | Tx, code: string): Promise<PartnerKey | null> => {
  const { rows } = await sql<PartnerKey>`
    SELECT owner.program_id, owner.partner_id FROM (
      SELECT partner.program_id, partner.id AS partner_id, greatest(partner.created_at, (
        SELECT max(former.created_at) FROM partner_former_codes former
        WHERE former.program_id = partner.program_id AND former.partner_id = partner.id)) AS since
      FROM partners partner WHERE partner.code = ${code}
      UNION ALL
      SELECT former.program_id, former.partner_id, former.created_at FROM partner_former_codes former
      WHERE former.code = ${code}) owner
    ORDER BY owner.since, owner.program_id, owner.partner_id LIMIT 1`.execute(db)
  return rows[0] ?? null
}
