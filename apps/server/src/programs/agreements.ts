import type { Agreement } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { publish } from '../outbox/events.ts'

type Row = { version: number; text: string | null; createdAt: Date }

const newest = (db: Database | Tx, programId: number): Promise<Row | undefined> =>
  db
    .selectFrom('programAgreements')
    .select(['version', 'text', 'createdAt'])
    .where('programId', '=', programId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

const asAgreement = (row: Row | undefined): Agreement | null =>
  row?.text ? { version: row.version, text: row.text, createdAt: row.createdAt.toISOString() } : null

/** The agreement in force, or null. */
export const findAgreement = async (db: Database | Tx, programId: number) => asAgreement(await newest(db, programId))

/** Adds a version if the text differs. The caller has locked the program. Returns the versions before and after. */
export const addAgreement = async (
  tx: Tx,
  { programId, text, at }: { programId: number; text: string | null; at: Date },
) => {
  const row = await newest(tx, programId)
  const before = asAgreement(row)
  if (text === (before?.text ?? null)) return null
  const version = (row?.version ?? 0) + 1
  await tx.insertInto('programAgreements').values({ programId, version, text, createdAt: at }).execute()
  const changed = { subject: 'agreement' as const, version, groupId: null, partnerId: null, reward: null }
  await publish(tx, [{ programId, type: 'terms.changed', at, data: { ...changed, validFrom: at.toISOString() } }])
  return { before, version }
}
