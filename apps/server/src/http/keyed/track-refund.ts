import { MAX_AMOUNT, refundRequest } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'
import { recordRefund } from '../../tracking/sales/record-refund.ts'
import type { App, Dependencies } from '../context.ts'
import { check, type JsonObject, normalizeBody, readJson } from '../read-json.ts'
import { markReplay, readIdempotencyKey, refuseOtherProgram, requireCurrency, requireKey } from './keyed-call.ts'

/** POST /api/v1/track/refund, server-side only. */
export const trackRefund = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/refund', async (c) => {
    const program = await requireKey(c, dependencies)
    const body = normalizeBody(await readJson(c))
    refuseBadMoney(body)
    const request = check(refundRequest, body)
    refuseOtherProgram(program, request)
    if (request.additional_data.test_mode)
      throw new Refusal(
        'invalid_request',
        'Refunds have no test mode, because a test sale records no money. Leave out additional_data.test_mode.',
        { field: 'additional_data.test_mode' },
      )
    const once = readIdempotencyKey(c, dependencies, { program, body })
    const call = {
      programId: program.id,
      workspaceId: program.workspaceId,
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
      'amount must be a positive integer in minor units (for example 2900 for $29.00). Leave it out to refund the rest of the sale.',
      { field: 'amount' },
    )
  if (invoice_id === undefined || invoice_id === null || invoice_id === '')
    throw new Refusal(
      'missing_invoice_id',
      'invoice_id is missing. Send the invoice_id of the sale you are refunding.',
      {
        field: 'invoice_id',
      },
    )
  requireCurrency(currency)
}
