import {
  checkFields,
  identifier,
  optionalAmount,
  optionalCurrency,
  optionalIdentifier,
  optionalText,
} from './check-arguments.ts'
import type { RefundAnswer, RefundBody } from './wire.ts'

/** Money that went back to the customer. */
export type Refund = {
  /** The one that the sale was sent with. */
  invoiceId: string
  /** Whole cents; absent for all that is left of the sale. */
  amount?: number | null | undefined
  /** Your ID of the refund. With it, sending the refund again changes nothing; give it whenever `amount` is given. */
  refundId?: string | null | undefined
  reason?: string | null | undefined
  /** If given, must be that of the sale. */
  currency?: string | null | undefined
}

export type RefundResult = {
  saleId: number
  commissionId: number | null
  /** Of the sale, in all. */
  refundedAmount: number
  /** Of the commission, in all. */
  reversedAmount: number
  /** Under which the service knows it: yours, or the one that was made for this call. */
  refundId: string
  /** It was known before, perhaps from an earlier attempt of this very call; nothing changed. */
  duplicate: boolean
}

const FIELDS = ['invoiceId', 'amount', 'refundId', 'reason', 'currency'] as const satisfies readonly (keyof Refund)[]

export const refundBody = (refund: Refund, idempotencyKey?: string | null): RefundBody => {
  checkFields('trackRefund', refund, FIELDS)
  return {
    invoice_id: identifier('invoiceId', refund.invoiceId, 'the one that the sale was sent with'),
    amount: optionalAmount('amount', refund.amount),
    currency: optionalCurrency('currency', refund.currency),
    reason: optionalText('reason', refund.reason),
    // A repeat under an idempotency key has to be the same call, so no ID is made up then. Two parts of 10.00 look the same on the wire, so a repeated attempt must carry a name of its own or it refunds twice.
    refund_id: optionalIdentifier('refundId', refund.refundId) ?? idempotencyKey ?? madeUpId(),
  }
}

/** Unique is enough, for nobody gains by guessing it; Node 18 has no `crypto` everywhere. */
const madeUpId = () => {
  const random = () => Math.random().toString(36).slice(2, 12)
  return `sdk_${globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}_${random()}${random()}`}`
}

export const refundResult = (answer: RefundAnswer, refund: RefundBody): RefundResult => ({
  saleId: answer.sale_id,
  commissionId: answer.commission_id,
  refundedAmount: answer.refunded_amount,
  reversedAmount: answer.reversed_amount,
  refundId: refund.refund_id,
  duplicate: answer.duplicate ?? false,
})
