import { type AdjustmentRequest, REASONS } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { isErasedKey } from '../../erased-key.ts'
import { insertDecisions } from '../../explain/decisions.ts'
import { findCreditsOfSale, insertAdjustment } from '../../money/adjustments/adjustments.ts'
import { type AdjustmentFacts, decideAdjustment, reviewsOfPartner } from '../../money/adjustments/decide-adjustment.ts'
import { activeCredit } from '../../money/commissions/commission-rules.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { createCommission } from '../../money/commissions/create-commissions.ts'
import { factsOfSale } from '../../money/commissions/evaluate.ts'
import { rebook } from '../../money/commissions/rebook.ts'
import { findRefundedCents } from '../../money/commissions/refunds.ts'
import { ADJUSTMENT_CAUSE, lockAccountsOfSales } from '../../money/ledger/ledger.ts'
import { shareLockTerms, termsAt } from '../../money/rewards/reward-terms.ts'
import { toTermsFacts } from '../../money/rewards/rewards.ts'
import { Refusal } from '../../refusal.ts'
import type { lockSaleById } from '../../sales/find-sales.ts'
import { keepCountries } from '../../sales/sales.ts'
import { applyDisputes, reverseCommission } from '../commissions/commission-changes.ts'
import { lockPartner, lockSaleToAdjust } from './adjusted.ts'

type Assignment = Extract<AdjustmentRequest, { type: 'credit' | 'move' }>
type NewAssignment = {
  programId: number
  userId: string
  reason: string
  note: string | null
  request: Assignment
  at: Date
}
type LockedSale = NonNullable<Awaited<ReturnType<typeof lockSaleById>>>

/**
 * Credits an uncredited sale to a partner, or moves one to another partner. The automatic attribution continues as before and its
 * commission stays at zero, so that undoing the adjustment restores exactly what the automatic rules say by then.
 */
export const assignSale = async (tx: Tx, { programId, userId, reason, note, request, at }: NewAssignment) => {
  const { type, saleId, partnerId } = request
  const sale = await lockSaleToAdjust(tx, { programId, saleId })
  await refuseUnadjustable(tx, sale)
  const earlier = await findCreditsOfSale(tx, { programId, saleId })
  const active = activeCredit(earlier)
  const holderId = active?.partnerId ?? sale.partnerId
  refuseHolder(request, holderId)
  await shareLockTerms(tx, [programId])
  const partnerStatus = await lockPartner(tx, { programId, partnerId })
  await lockAccountsOfSales(tx, [{ programId, id: saleId }])

  const terms = await termsAt(tx, { programId, partnerId, at: sale.soldAt })
  const { amountCents, currency, soldAt, items } = sale
  const sold: { programId: number; saleId: number; country?: string | null } = { programId, saleId }
  if (terms?.saleRules) await keepCountries(tx, [sold])
  const { country = null } = sold
  const {
    kind: _,
    firstSoldAt: __,
    ...event
  } = factsOfSale({ saleCents: amountCents, currency, soldAt, items, country }, terms, null)
  const facts: AdjustmentFacts = {
    action: type,
    partnerId,
    fromPartnerId: holderId,
    partnerStatus,
    terms: terms && toTermsFacts(terms),
    event,
  }
  const result = decideAdjustment(facts)
  if (result.outcome === 'refused' || result.outcome === 'undone') throw paysNothing(result)
  const by = { reason, note, createdBy: userId, createdAt: at }
  const fromPartner = type === 'move' && holderId !== null ? { fromPartnerId: holderId } : {}
  const id = await insertAdjustment(tx, { programId, type, partnerId, ...fromPartner, saleId, ...by })
  const decision = { programId, subject: 'adjustment', subjectId: id, of: { saleId } } as const
  await createCommission(
    tx,
    {
      programId,
      partnerId,
      terms,
      reward: result.reward,
      earnedAt: soldAt,
      at,
      of: { kind: 'credited', adjustmentId: id },
      review: reviewsOfPartner(partnerStatus),
    },
    { decided: insertDecisions([{ ...decision, rule: 'adjustment', facts, result, at }]) },
  )
  const automatic = await findCommissionOfSale(tx, { programId, saleId })
  const others = [...(automatic ? [automatic.id] : []), ...earlier.map(({ commissionId }) => commissionId)]
  await takeBackFromOthers(tx, { sale, others, at })
  await recordAudit(tx, {
    programId,
    userId,
    at,
    subject: `sale ${saleId}`,
    action: type === 'credit' ? 'sale credited manually' : 'sale moved to another partner',
    ...(type === 'move' && { before: { partnerId: holderId } }),
    after: { adjustmentId: id, partnerId, reason, ...(note && { note }) },
  })
  return id
}

type Others = { sale: LockedSale; others: number[]; at: Date }

/** Takes back what the others have for the sale, then reduces the new commission by the refunds and disputes so far. */
const takeBackFromOthers = async (tx: Tx, { sale, others, at }: Others) => {
  const { programId, id: saleId } = sale
  const cause = { kind: 'adjustment', ledgerCause: ADJUSTMENT_CAUSE.assigned } as const
  for (const commissionId of others) await rebook(tx, { programId, commissionId, cause, at })
  await reverseCommission(tx, { programId, sale, cause: 'late_credit', at })
  await applyDisputes(tx, { programId, saleId, at })
}

const refuseUnadjustable = async (tx: Tx, { programId, id: saleId, customerKey, amountCents }: LockedSale) => {
  if (isErasedKey(customerKey))
    throw new Refusal(
      'conflict',
      "This customer's personal data was erased, so the sale can no longer change partners. Add a bonus instead.",
    )
  if ((await findRefundedCents(tx, { programId, saleId })) >= amountCents)
    throw new Refusal(
      'conflict',
      'This sale was refunded in full, so there is no commission to give. Add a bonus instead.',
    )
}

const refuseHolder = (request: Assignment, holderId: number | null) => {
  const { type, partnerId } = request
  if (type === 'credit') {
    if (holderId === null) return
    throw new Refusal('conflict', 'This sale is already credited to a partner. Move it to another partner instead.')
  }
  if (holderId === null)
    throw new Refusal('conflict', 'This sale is not credited to a partner. Credit it to a partner instead.')
  if (holderId === partnerId)
    throw new Refusal('conflict', 'This sale is already credited to this partner. Choose another partner.', {
      field: 'partnerId',
    })
  if (request.fromPartnerId !== undefined && request.fromPartnerId !== holderId)
    throw new Refusal('conflict', 'Someone has moved this sale since. Reload it to see who it is credited to now.', {
      field: 'fromPartnerId',
    })
}

const paysNothing = ({ reason }: { reason: keyof typeof REASONS }) =>
  new Refusal(
    'conflict',
    `This sale would earn the partner nothing: ${REASONS[reason].charAt(0).toLowerCase()}${REASONS[reason].slice(1)} Add a manual commission instead.`,
  )
