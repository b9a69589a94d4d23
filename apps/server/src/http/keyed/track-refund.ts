import { MAX_AMOUNT, refundRequest } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'
import { recordRefund } from '../../tracking/sales/record-refund.ts'
import type { App, Dependencies } from '../context.ts'
import { check, type JsonObject, readJson } from '../read-json.ts'
import { asMeant } from '../wire-names.ts'
import { markReplay, readIdempotencyKey } from './idempotency.ts'
import { requireCurrency } from './require-currency.ts'
import { refuseOtherProgram, requireKey } from './require-key.ts'

/** POST /api/v1/track/refund: from the merchant's server only. */
export const trackRefund = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/refund', async (c) => {
    const program = await requireKey(c, dependencies)
    const body = asMeant(await readJson(c))
    refuseBadMoney(body)
    const request = check(refundRequest, body)
    refuseOtherProgram(program, request)
    if (request.additional_data.test_mode)
      throw new Refusal(
        'invalid_request',
        'A refund has no test mode: a test sale is no money, so there is nothing to refund.',
      )
    const once = readIdempotencyKey(c, dependencies, { program, body })
    const call = {
      programId: program.id,
      invoiceId: request.invoice_id,
      amountCents: request.amount ?? null,
      currency: request.currency ?? null,
      reason: request.reason,
      refundId: request.refund_id ?? null,
    }
    const refund = await recordRefund(dependencies, call, once)
    markReplay(c, refund)
    return c.json({
      success: true,
      sale_id: refund.saleId,
      commission_id: refund.commissionId,
      refunded_amount: refund.refundedCents,
      reversed_amount: refund.reversedCents,
      duplicate: refund.duplicate || undefined,
    })
  })

const refuseBadMoney = ({ amount, invoice_id, currency }: JsonObject) => {
  const isAmount = typeof amount === 'number' && Number.isInteger(amount) && amount > 0 && amount <= MAX_AMOUNT
  if (amount !== undefined && amount !== null && !isAmount)
    throw new Refusal(
      'invalid_amount',
      'amount must be a positive whole number of minor units (cents), or absent for all.',
      { field: 'amount' },
    )
  if (invoice_id === undefined || invoice_id === null || invoice_id === '')
    throw new Refusal('missing_invoice_id', 'Send invoice_id: the one that the sale was sent with.', {
      field: 'invoice_id',
    })
  requireCurrency(currency)
}
