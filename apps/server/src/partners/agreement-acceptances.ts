import type { Agreement } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import type { PartnerKey } from './payout-details.ts'

type Acceptance = PartnerKey & { version: number; userId: string; at: Date }

/** Returns whether this call recorded it; repeating it has no effect. */
export const recordAcceptance = async (tx: Tx, { at, ...acceptance }: Acceptance) => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('agreementAcceptances')
    .values({ ...acceptance, acceptedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The newest version that the partner accepted. */
export const lastAcceptance = async (db: Database | Tx, { programId, partnerId }: PartnerKey) =>
  db
    .selectFrom('agreementAcceptances')
    .select(['version', 'acceptedAt'])
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many approved partners there are, and how many of them accepted the version. */
export const countAcceptances = async (db: Database | Tx, programId: number, version: number) => {
  const { rows } = await sql<{ partners: number; accepted: number }>`
    SELECT count(*)::integer AS partners, count(acceptance.version)::integer AS accepted
    FROM partners
    LEFT JOIN agreement_acceptances acceptance ON acceptance.version = ${version}
      AND (acceptance.program_id, acceptance.partner_id) = (partners.program_id, partners.id)
    WHERE partners.program_id = ${programId} AND partners.status = 'approved' AND NOT partners.archived`.execute(db)
  return rows[0] ?? { partners: 0, accepted: 0 }
}

/** No partner joins without accepting the version that is in force. */
export const requireAcceptance = (current: Agreement | null, version: number | undefined) => {
  if (!current || version === current.version) return
  throw new Refusal(
    'invalid_request',
    version === undefined
      ? `agreementVersion is missing. Read the program agreement and send ${current.version} to accept it.`
      : `agreementVersion must be ${current.version}, because the program agreement has changed. Reload the page and read it again.`,
    { field: 'agreementVersion' },
  )
}
