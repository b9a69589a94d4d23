import type { Tx } from '../../database/transaction.ts'
import { keepDecision } from '../../explain/decisions.ts'
import type { Commission } from '../../money/commissions/commissions.ts'
import { type CorrectionFacts, decideCorrection } from '../../money/commissions/decide-correction.ts'
import { type Earning, type Rebooked, rebook } from '../../money/commissions/rebook.ts'
import { refundedCentsOf } from '../../money/commissions/refunds.ts'
import { CORRECTION_CAUSE } from '../../money/ledger/ledger.ts'

export type Correction = {
  programId: number
  saleId: number
  cause: CorrectionFacts['cause']
  because?: CorrectionFacts['because']
  saleCents: CorrectionFacts['saleCents']
  /** As it was, and what of it is to be otherwise. Null where the sale has earned none. */
  commission: Commission | null
  after?: Earning | null
  /** It was decided because no payout has it. One may be made in this very moment, and then it is to be decided again. */
  isUnpaid?: boolean
  at: Date
}

/** Brings a commission to where it would be, had the sale been told so from the beginning. */
export const correctCommission = async (tx: Tx, correction: Correction) => {
  const { programId, saleId, cause, because, saleCents, commission, after, isUnpaid, at } = correction
  const rebooked =
    commission &&
    (await rebook(tx, {
      ...{ programId, commissionId: commission.id, at },
      cause: { kind: 'correction', word: CORRECTION_CAUSE[cause] },
      ...(after && { earning: earningOf(after) }),
      onlyUnpaid: isUnpaid,
    }))
  const facts: CorrectionFacts = {
    cause,
    ...(because && { because }),
    saleCents,
    refundedCents: rebooked?.refundedCents ?? (await refundedCentsOf(tx, { programId, saleId })),
    commission: commission && rebooked ? factsOf(commission, rebooked) : null,
  }
  const result = decideCorrection(facts)
  const of = { saleId }
  await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'correction', facts, result, at })
}

const earningOf = ({ amountCents, termsVersion, earnedAt, payableAt }: Earning): Earning => ({
  amountCents,
  termsVersion,
  earnedAt,
  payableAt,
})

const factsOf = (commission: Commission, rebooked: Rebooked): CorrectionFacts['commission'] => {
  const { amountCents, currency, before, sale, lostCents, review, wasPaid } = rebooked
  const isLost = lostCents > 0 && lostCents === sale?.saleCents
  return {
    amountCents: { before: commission.amountCents, after: amountCents },
    currency,
    promisedCents: before.promised,
    lostCents,
    isOver: isLost || review === 'rejected',
    wasPaid,
  }
}
