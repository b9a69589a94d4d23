import {
  checkFields,
  identifier,
  optionalAmount,
  optionalCurrency,
  optionalIdentifier,
  optionalText,
} from './check-arguments.ts'
import type { RefundAnswer, RefundBody } from './wire.ts'

export type Refund = {
  /** The invoice ID of the sale. */
  invoiceId: string
  /** Amount in minor units (2900 for $29.00). Leave it out to refund the rest of the sale. */
  amount?: number | null | undefined
  /** Your ID for the refund, which makes the call safe to repeat. Always pass it together with `amount`. */
  refundId?: string | null | undefined
  reason?: string | null | undefined
  /** If passed, must be the sale's currency. */
  currency?: string | null | undefined
}

export type RefundResult = {
  saleId: number
  commissionId: number | null
  /** Total refunded of the sale so far. */
  refundedAmount: number
  /** Total reversed of the commission so far. */
  reversedAmount: number
  /** Your refund ID, or the one generated for this call. */
  refundId: string
  /** The refund was already recorded, possibly by an earlier attempt at this call. Nothing changed. */
  duplicate: boolean
}

const FIELDS = ['invoiceId', 'amount', 'refundId', 'reason', 'currency'] as const satisfies readonly (keyof Refund)[]

export const refundBody = (refund: Refund, idempotencyKey?: string | null): RefundBody => {
  checkFields('trackRefund', refund, FIELDS)
  return {
    invoice_id: identifier('invoiceId', refund.invoiceId, 'the invoice ID of the sale'),
    amount: optionalAmount('amount', refund.amount),
    currency: optionalCurrency('currency', refund.currency),
    reason: optionalText('reason', refund.reason),
    // Without an ID, a retry would look like a second refund of the same amount. A generated ID would make a repeat under an
    // idempotency key look like another call, so the key serves as the ID.
    refund_id: optionalIdentifier('refundId', refund.refundId) ?? idempotencyKey ?? generateId(),
  }
}

/** Only needs to be unique, not secret. Node 18 lacks a global `crypto` in some setups. */
const generateId = () => {
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
