import { MAX_AMOUNT, MAX_IDENTIFIER_LENGTH, saleRequest } from '@tributary/contract'
import type { Json } from '../../database/tables.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { recordSale } from '../../tracking/sales/record-sale.ts'
import { recordTestEvent } from '../../tracking/set-up/record-test-event.ts'
import { testAnswer } from '../answers/test-answer.ts'
import type { App, Dependencies } from '../context.ts'
import { check, type JsonObject, readJson } from '../read-json.ts'
import { asMeant } from '../wire-names.ts'
import { markReplay, readIdempotencyKey } from './idempotency.ts'
import { requireCurrency } from './require-currency.ts'
import { refuseOtherProgram, requireKey } from './require-key.ts'

const whoAndWhere = saleRequest.pick({ program_id: true, additional_data: true })

/** POST /api/v1/track/sale: from the merchant's server only. */
export const trackSale = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/sale', async (c) => {
    const program = await requireKey(c, dependencies)
    const body = asMeant(await readJson(c))
    const { additional_data, ...rest } = check(whoAndWhere, body)
    refuseOtherProgram(program, { additional_data, ...rest })
    const once = readIdempotencyKey(c, dependencies, { program, body })
    if (additional_data.test_mode) {
      const details = testDetails(body)
      const test = { programId: program.id, eventType: 'sale', origin: 'server', details } as const
      const event = await recordTestEvent(dependencies, test, once)
      markReplay(c, event)
      return c.json(testAnswer('sale', event))
    }
    const sale = await recordSale(dependencies, readSale(program, body), once)
    const { saleId, reason, commissionId } = sale
    markReplay(c, sale)
    return c.json({
      success: true,
      sale_id: saleId,
      attributed: reason === null,
      reason: reason ?? undefined,
      commission_id: commissionId,
    })
  })

/** The faults that have a code of their own, then the schema. */
const readSale = (program: Program, body: JsonObject) => {
  const { amount } = body
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount <= 0 || amount > MAX_AMOUNT)
    throw new Refusal(
      'invalid_amount',
      'amount must be a positive whole number of minor units (cents), at most 10^12.',
      { field: 'amount' },
    )
  if (body.invoice_id === undefined || body.invoice_id === null || body.invoice_id === '')
    throw new Refusal(
      'missing_invoice_id',
      'Send invoice_id: it makes sure that one payment is one sale, however often it is sent.',
      {
        field: 'invoice_id',
      },
    )
  requireCurrency(body.currency)
  const sale = check(saleRequest, body)
  if (!sale.customer_key && !sale.click_id)
    throw new Refusal('missing_customer_key', 'Send customer_key: the same value as at lead time.', {
      field: 'customer_key',
    })
  return {
    program,
    invoiceId: sale.invoice_id,
    customerKey: sale.customer_key ?? null,
    clickId: sale.click_id ?? null,
    amountCents: sale.amount,
    currency: sale.currency ?? program.currency,
    eventName: sale.event_name,
    subscriptionId: sale.subscription_id ?? null,
    metadata: sale.metadata ? storable(sale.metadata) : null,
  }
}

const storableText = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** jsonb takes neither NUL nor half of a surrogate pair, wherever in the tree they hide. */
const storable = (value: unknown): Json => {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storableText(name), storable(part)]))
}

/** In test mode everything is optional and nothing is judged, so only what has the right shape is kept. */
const testDetails = (body: JsonObject): Json => {
  const text = (value: unknown) =>
    typeof value === 'string' ? storableText(value.slice(0, MAX_IDENTIFIER_LENGTH)) : null
  return {
    customer_key: text(body.customer_key),
    invoice_id: text(body.invoice_id),
    amount: typeof body.amount === 'number' ? body.amount : null,
  }
}
