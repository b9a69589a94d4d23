import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
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

/** The partner's own terms at that time, else the program's, else none. */
export const termsAt = async (
  db: Database | Tx,
  { programId, partnerId, at }: { programId: number; partnerId: number | null; at: Date },
): Promise<StoredTerms | null> => {
  const rows = await db
    .selectFrom('rewardTerms')
    .select([...COLUMNS, 'partnerId', 'inherits'])
    .distinctOn('partnerId')
    .where('programId', '=', programId)
    .where('validFrom', '<=', at)
    .where((e) => e.or([e('partnerId', 'is', null), e('partnerId', '=', partnerId)]))
    .orderBy('partnerId')
    .orderBy('version', 'desc')
    .execute()
  const own = rows.find((row) => row.partnerId !== null && !row.inherits)
  const chosen = own ?? rows.find((row) => row.partnerId === null)
  return (chosen as StoredTerms | undefined) ?? null
}

/** Whether it has ever mattered in this program which sale of a customer was the first. */
export const paysFirstSales = async (db: Database | Tx, programId: number) =>
  Boolean(
    await db
      .selectFrom('rewardTerms')
      .select('version')
      .where('programId', '=', programId)
      .where('saleDuration', 'in', ['first', 'months'])
      .limit(1)
      .executeTakeFirst(),
  )

export type NewTerms = Omit<StoredTerms, 'version' | 'validFrom'> & { partnerId: number | null; inherits?: boolean }

/** Another version from now on. The caller holds the program's lock, so that two changes get two numbers. */
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
