import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/pages.ts'
import { findPayoutLines } from './payout-lines.ts'

export const listPayouts = (db: Database, { programId, ...page }: { programId: number } & Page) =>
  pageOf(
    db
      .selectFrom('payouts')
      .select(['id', 'cutoffAt as createdAt'])
      .select(
        sql<number>`(SELECT count(*) FROM payout_lines line WHERE line.program_id = payouts.program_id AND line.payout_id = payouts.id)`.as(
          'lineCount',
        ),
      )
      .select(
        sql<number>`(SELECT count(*) FROM payout_lines line
          WHERE line.program_id = payouts.program_id AND line.payout_id = payouts.id AND line.status = 'open')`.as(
          'openCount',
        ),
      )
      .where('programId', '=', programId)
      .orderBy('id', 'desc'),
    page,
  )

/** A batch with its lines as they stand now. */
export const findPayout = async (db: Database, { programId, id }: { programId: number; id: number }) => {
  const payout = await db
    .selectFrom('payouts')
    .select(['id', 'cutoffAt as createdAt'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()
  return payout && { ...payout, lines: (await findPayoutLines(db, { programId, payoutId: id })).map(payoutLineAnswer) }
}

type Line = Awaited<ReturnType<typeof findPayoutLines>>[number]

/** What is to be paid, or was. */
export const payoutLineAnswer = ({ batchedCents, paidCents, exportedCents: _, ...line }: Line) => ({
  ...line,
  amountCents: line.status === 'paid' ? paidCents : batchedCents,
})
