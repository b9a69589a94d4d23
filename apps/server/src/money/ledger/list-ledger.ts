import type { Database } from '../../database/connect.ts'
import { type Page, pageOf } from '../../database/sql/pages.ts'
import { wayOf } from '../../database/sql/sorting.ts'
import { AT_ANY_TIME } from './ledger.ts'

const COLUMNS = [
  'id',
  'partnerId',
  'currency',
  'fromAccount',
  'toAccount',
  'amountCents',
  'availableAt',
  'cause',
  'commissionId',
  'payoutLineId',
  'createdAt',
] as const

type Asked = { programId: number; partnerId: number; sort: 'createdAt' | '-createdAt' } & Page

/** What a payout moves has no day of its own; the one that it is kept with is for sums alone. */
const withDays = <Line extends { availableAt: Date }>(lines: Line[]) =>
  lines.map((line) => ({
    ...line,
    availableAt: line.availableAt.getTime() === AT_ANY_TIME.getTime() ? null : line.availableAt,
  }))

/**
 * A partner's lines, by their numbers. What adds waits for nobody, so two that were written at once may stand in either order;
 * what takes away has locked the account, and stands behind all that it could take.
 */
export const listLedger = async (db: Database, { programId, partnerId, sort, ...page }: Asked) => {
  const { rows, total } = await pageOf(
    db
      .selectFrom('ledgerLines')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .orderBy('id', wayOf(sort)),
    page,
  )
  return { rows: withDays(rows), total }
}

type Onward = {
  programId: number
  partnerId?: number
  sort?: Asked['sort']
  lastId?: number | undefined
  limit: number
}

/** The next so many lines of a program behind the last one, oldest first unless asked otherwise, for a file of all. */
export const nextLedgerLines = async (
  db: Database,
  { programId, partnerId, sort = 'createdAt', lastId, limit }: Onward,
) =>
  withDays(
    await db
      .selectFrom('ledgerLines')
      .select(COLUMNS)
      .where('programId', '=', programId)
      .$if(partnerId !== undefined, (query) => query.where('partnerId', '=', partnerId ?? 0))
      .$if(lastId !== undefined, (query) => query.where('id', wayOf(sort) === 'asc' ? '>' : '<', lastId ?? 0))
      .orderBy('id', wayOf(sort))
      .limit(limit)
      .execute(),
  )
