import type { PAYOUT_METHODS, payoutDetailsRequest } from '@tributary/contract'
import type { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import { holdPayoutDestination } from './destination-holds.ts'

const COLUMNS = ['method', 'account', 'holder', 'note', 'updatedAt'] as const

type PayoutMethod = (typeof PAYOUT_METHODS)[number]
export type PartnerKey = { programId: number; partnerId: number }

/** Includes the end of an active hold. */
const detailsWithHold = (db: Database | Tx, { programId, at }: { programId: number; at: Date }) =>
  db
    .selectFrom('partnerPayoutDetails as details')
    .leftJoin('partnerDestinationHolds as hold', (join) =>
      join
        .onRef('hold.programId', '=', 'details.programId')
        .onRef('hold.partnerId', '=', 'details.partnerId')
        .on('hold.heldUntil', '>', at),
    )
    .select([...COLUMNS, 'hold.heldUntil'])
    .$narrowType<{ method: PayoutMethod }>()
    .where('details.programId', '=', programId)
    .$narrowType<Pick<NewDetails, 'method'>>()

type At = { at: Date }

const detailsOf = (db: Database | Tx, { partnerId, ...program }: PartnerKey & At) =>
  detailsWithHold(db, program).where('details.partnerId', '=', partnerId)

export const findPayoutDetails = async (db: Database | Tx, key: PartnerKey & At) =>
  (await detailsOf(db, key).executeTakeFirst()) ?? null

/** By partner ID; partners without payout details are absent. */
export const payoutDetailsOf = async (
  db: Database | Tx,
  { programId, ids, at }: { programId: number; ids: number[] } & At,
) => {
  const rows = ids.length
    ? await detailsWithHold(db, { programId, at })
        .select('details.partnerId')
        .where('details.partnerId', '=', anyOf(ids))
        .execute()
    : []
  return new Map(rows.map(({ partnerId, ...details }) => [partnerId, details]))
}

type NewDetails = z.infer<typeof payoutDetailsRequest>

/**
 * Stores payout details. A change is held, and so are the first details of a partner with earnings, because the first person to
 * sign in may not be the payee. Unchanged details are not a change.
 */
export const changePayoutDetails = async (
  tx: Tx,
  { programId, partnerId, at, hasEarned, ...details }: PartnerKey & At & NewDetails & { hasEarned: boolean },
) => {
  const key = { programId, partnerId, at }
  const before = await findPayoutDetails(tx, key)
  await tx
    .insertInto('partnerPayoutDetails')
    .values({ programId, partnerId, ...details, updatedAt: at })
    .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet({ ...details, updatedAt: at }))
    .execute()
  const isChanged = !before || isChange(before, details)
  if (isChanged && (before || hasEarned)) await holdPayoutDestination(tx, key)
  return { isChanged, before, after: await detailsOf(tx, key).executeTakeFirstOrThrow() }
}

/** The note counts too: people who pay manually read it, and it may name another account. */
const isChange = (before: Record<keyof NewDetails, string | null>, after: NewDetails) =>
  before.method !== after.method ||
  before.account !== after.account ||
  before.holder !== after.holder ||
  before.note !== after.note
