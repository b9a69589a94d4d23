import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import type { SaleAmounts } from '../rewards/rewards.ts'
import { isSetAside, type ManualDecisions, type StandingFacts } from './commission-rules.ts'
import type { Loss } from './evaluate.ts'

/**
 * What commissions of sales have lost, from when. A maximum per customer counts what a sale had left at the time of each later sale, so a
 * refund makes room for later sales and changes no earlier one.
 */
export type StoredLoss = Omit<Loss, 'lostAt'> & { number: number }

/** SQL fragment over the alias `commission`. */
export const selectLastLoss = sql<StoredLoss | null>`(
  SELECT jsonb_build_object('number', loss.number, 'saleCents', loss.sale_cents, 'lostCents', loss.lost_cents, 'isOver', loss.is_over)
  FROM commission_losses loss
  WHERE loss.program_id = commission.program_id AND loss.commission_id = commission.id ORDER BY loss.number DESC LIMIT 1)`

type Commission = Pick<StandingFacts, 'sale' | 'review' | 'isMerged'> & {
  commissionId: number
  manual: ManualDecisions
  lastLoss: StoredLoss | null
}

/** Appends a row if the loss has changed. The caller holds the lock on the account. */
export const recordLoss = async (
  tx: Tx,
  { programId, loaded, at }: { programId: number; loaded: Commission; at: Date },
) => {
  const { commissionId, sale, lastLoss } = loaded
  if (!sale) return
  const loss = lossOf(sale, loaded)
  const { number, ...last } = lastLoss ?? { number: 0, saleCents: sale.saleCents, lostCents: 0, isOver: false }
  if (
    last.lostCents === loss.lostCents &&
    last.isOver === loss.isOver &&
    (last.saleCents === loss.saleCents || number === 0)
  )
    return
  await tx
    .insertInto('commissionLosses')
    .values({ programId, commissionId, number: number + 1, lostAt: at, ...loss })
    .execute()
}

const lossOf = (
  { saleCents, refundedCents, lostCents }: SaleAmounts,
  { review, isMerged, manual }: Pick<Commission, 'review' | 'isMerged' | 'manual'>,
) => ({
  saleCents,
  lostCents: Math.min(saleCents, refundedCents + lostCents),
  isOver: isMerged || review === 'rejected' || isSetAside(manual),
})
