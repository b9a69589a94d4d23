import { isVoided } from '../../database/sql/active-void.ts'
import type { Tx } from '../../database/transaction.ts'
import { readCreditedFacts } from '../../money/adjustments/manual-credits.ts'
import { isSetAside } from '../../money/commissions/commission-rules.ts'
import { type Commission, findCommission, findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { evaluateCredited } from '../../money/commissions/evaluate.ts'
import { type Cause, type Earning, type RebookResult, rebook } from '../../money/commissions/rebook.ts'
import { ADJUSTMENT_CAUSE, lockAccountsOfSales } from '../../money/ledger/ledger.ts'
import { readTerms } from '../../money/rewards/program-terms.ts'
import { payableAt } from '../../money/rewards/rewards.ts'

type SaleKey = { programId: number; saleId: number }
type Credited = Awaited<ReturnType<typeof readCreditedFacts>>

/**
 * The decisions of members about which partner gets a sale. If there are any, locks the accounts of all partners concerned, because
 * the sale has several commissions. The caller holds the lock on the sale.
 */
export const lockCredited = async (tx: Tx, { programId, saleId }: SaleKey): Promise<Credited> => {
  const credited = await readCreditedFacts(tx, { programId, saleId })
  if (credited.length > 0) await lockAccountsOfSales(tx, [{ programId, id: saleId }])
  return credited
}

type Changed = { commission: Commission; rebooked: RebookResult }

/** Brings the commissions of a manually credited sale up to date. Returns the one that counts. */
export const rebookCredited = async (
  tx: Tx,
  { programId, credited, cause, at }: { programId: number; credited: Credited; cause: Cause; at: Date },
): Promise<Changed | null> => {
  if (credited.length === 0) return null
  const terms = await readTerms(tx, programId)
  let active: Changed | null = null
  for (const event of credited) {
    const { commissionId, manual, soldAt } = event
    const evaluated = evaluateCredited(event, (partnerId, time) => terms.at(partnerId, time.getTime()) ?? null)
    const earning: Partial<Earning> = {
      amountCents: typeof evaluated.reward === 'string' ? 0 : evaluated.reward.amountCents,
      earnedAt: soldAt,
      ...(evaluated.terms && {
        termsVersion: evaluated.terms.version,
        payableAt: payableAt(soldAt, evaluated.terms.holdDays),
      }),
    }
    const commission = await findCommission(tx, { programId, id: commissionId })
    const rebooked = await rebook(tx, { programId, commissionId, cause, earning, at })
    if (commission && rebooked && !isSetAside({ ...manual, isVoided: false })) active = { commission, rebooked }
  }
  return active
}

type Applied = SaleKey & { ledgerCause?: (typeof ADJUSTMENT_CAUSE)[keyof typeof ADJUSTMENT_CAUSE]; at: Date }

/** Brings all commissions of a sale to where its adjustments say: after one is made or undone, and after the sale changes. */
export const applyAdjustments = async (
  tx: Tx,
  { programId, saleId, ledgerCause = ADJUSTMENT_CAUSE.applied, at }: Applied,
) => {
  const credited = await lockCredited(tx, { programId, saleId })
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const isAdjusted =
    credited.length > 0 || (commission && (await hasVoid(tx, { programId, commissionId: commission.id })))
  if (!isAdjusted) return
  const cause = { kind: 'adjustment', ledgerCause } as const
  if (commission) await rebook(tx, { programId, commissionId: commission.id, cause, at })
  await rebookCredited(tx, { programId, credited, cause, at })
}

const hasVoid = async (tx: Tx, { programId, commissionId }: { programId: number; commissionId: number }) => {
  const row = await tx
    .selectFrom('commissions as commission')
    .select(isVoided('commission').as('isVoided'))
    .where('commission.programId', '=', programId)
    .where('commission.id', '=', commissionId)
    .executeTakeFirst()
  return row?.isVoided ?? false
}
