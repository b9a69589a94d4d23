import type { Tx } from '../database/transaction.ts'
import type { Commission } from './commissions.ts'
import { disputedOf } from './disputes.ts'
import { append } from './ledger.ts'
import { findReview } from './reviews.ts'

type Promising = { programId: number; commission: Commission; amountCents: number; cause: string; at: Date }

/** Adds to a commission, where it stands now: in dispute, in review, or in the balance. The partner's account is locked. */
export const promiseMore = async (tx: Tx, { programId, commission, amountCents, cause, at }: Promising) => {
  const { id: commissionId, saleId, partnerId, currency, payableAt: availableAt } = commission
  const told = saleId === null ? null : await disputedOf(tx, { programId, saleId })
  // In part, it is for the caller to hold what is disputed of it now.
  const isDisputed = told !== null && told.openCents === told.saleCents
  const review = await findReview(tx, { programId, commissionId })
  const pending = review && review.decision === null ? 'review' : 'earned'
  const toAccount = isDisputed ? 'disputed' : pending
  const line = { partnerId, currency, toAccount, amountCents, availableAt, cause, commissionId } as const
  await append(tx, { programId, at, lines: [{ ...line, fromAccount: 'program' }] })
}
