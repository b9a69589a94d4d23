import type { AppliedToEarlier } from '@tributary/contract'
import type { Selectable } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { RewardBackfills } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'

/** A run that applies a program's first terms to earlier events. */
export type Backfill = Selectable<RewardBackfills>

type NewBackfill = Pick<Backfill, 'programId' | 'termsVersion' | 'requestedBy' | 'requestedAt'>

export const beginBackfill = async (tx: Tx, backfill: NewBackfill) => {
  await tx.insertInto('rewardBackfills').values(backfill).execute()
}

export const findBackfill = async (db: Database | Tx, programId: number) =>
  (await db.selectFrom('rewardBackfills').selectAll().where('programId', '=', programId).executeTakeFirst()) ?? null

/** Each step takes this lock first, so two runs take turns. Null once the backfill has finished. */
export const lockOpenBackfill = async (tx: Tx, programId: number) =>
  (await tx
    .selectFrom('rewardBackfills')
    .selectAll()
    .where('programId', '=', programId)
    .where('finishedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()) ?? null

export const findOpenBackfills = async (db: Database) => {
  const rows = await db.selectFrom('rewardBackfills').select('programId').where('finishedAt', 'is', null).execute()
  return rows.map(({ programId }) => programId)
}

type Step = { clickId: string; leads: number; sales: number; earned: { currency: string; amountCents: number }[] }

/** Records one processed customer and what their events earned. */
export const advanceBackfill = async (tx: Tx, backfill: Backfill, { clickId, leads, sales, earned }: Step) => {
  const sums = { ...(backfill.earned as Record<string, number>) }
  for (const { currency, amountCents } of earned) sums[currency] = (sums[currency] ?? 0) + amountCents
  await tx
    .updateTable('rewardBackfills')
    .set({
      lastClickId: clickId,
      leads: backfill.leads + leads,
      sales: backfill.sales + sales,
      earned: JSON.stringify(sums),
    })
    .where('programId', '=', backfill.programId)
    .execute()
}

export const finishBackfill = async (tx: Tx, { programId, at }: { programId: number; at: Date }) => {
  await tx.updateTable('rewardBackfills').set({ finishedAt: at }).where('programId', '=', programId).execute()
}

export const backfillAnswer = ({ leads, sales, earned, finishedAt }: Backfill): AppliedToEarlier => ({
  leads,
  sales,
  amounts: Object.entries(earned as Record<string, number>).map(([currency, amountCents]) => ({
    currency,
    amountCents,
  })),
  finished: finishedAt !== null,
})
