import { MAX_AMOUNT, MAX_IDENTIFIER_LENGTH, saleRequest } from '@tributary/contract'
import type { z } from 'zod'
import type { Json } from '../../database/tables.ts'
import type { SaleItems } from '../../money/rewards/rules.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { recordSale } from '../../tracking/sales/record-sale.ts'
import { recordTestEvent } from '../../tracking/set-up/record-test-event.ts'
import { testAnswer } from '../answers/tracking-answers.ts'
import type { App, Dependencies } from '../context.ts'
import { check, type JsonObject, normalizeBody, readJson } from '../read-json.ts'
import { markReplay, readIdempotencyKey, refuseOtherProgram, requireCurrency, requireKey } from './keyed-call.ts'

const programFields = saleRequest.pick({ program_id: true, additional_data: true })

/** POST /api/v1/track/sale, server-side only. */
export const trackSale = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/sale', async (c) => {
    const program = await requireKey(c, dependencies)
    const body = normalizeBody(await readJson(c))
    const { additional_data, ...rest } = check(programFields, body)
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
    const { saleId, reason, commissionId, creditedBy = reason === null ? 'click' : null } = sale
    markReplay(c, sale)
    return c.json({
      success: true,
      sale_id: saleId,
      attributed: reason === null,
      reason: reason ?? undefined,
      credited_by: creditedBy,
      commission_id: commissionId,
    })
  })

/** Checks the fields that have their own error codes first, then the schema. */
const readSale = (program: Program, body: JsonObject) => {
  const { amount } = body
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount <= 0 || amount > MAX_AMOUNT)
    throw new Refusal(
      'invalid_amount',
      'amount must be a positive integer in minor units (for example 2900 for $29.00), at most 10^12.',
      { field: 'amount' },
    )
  if (body.invoice_id === undefined || body.invoice_id === null || body.invoice_id === '')
    throw new Refusal(
      'missing_invoice_id',
      'invoice_id is missing. Send your ID for the payment; it prevents the same payment from being recorded twice.',
      {
        field: 'invoice_id',
      },
    )
  requireCurrency(body.currency)
  const tax = readTax(body.tax, amount)
  const sale = check(saleRequest, body)
  const items = readItems(sale.items ?? [], amount)
  if (!sale.customer_key && !sale.click_id)
    throw new Refusal('missing_customer_key', 'customer_key is missing. Send the customer_key of the lead.', {
      field: 'customer_key',
    })
  return {
    program,
    invoiceId: sale.invoice_id,
    customerKey: sale.customer_key ?? null,
    clickId: sale.click_id ?? null,
    amountCents: amount - tax,
    grossCents: tax === 0 ? null : amount,
    items,
    currency: sale.currency ?? program.currency,
    eventName: sale.event_name,
    subscriptionId: sale.subscription_id ?? null,
    metadata: sale.metadata ? storable(sale.metadata) : null,
    promotionCode: sale.promotion_code ?? null,
  }
}

type Items = NonNullable<z.infer<typeof saleRequest>['items']>

/** No items and an empty list are the same. */
const readItems = (items: Items, amount: number): SaleItems | null => {
  if (items.length === 0) return null
  const sum = items.reduce((total, item) => total + item.amount, 0)
  if (sum > amount)
    throw new Refusal(
      'invalid_amount',
      `items add up to ${sum}, which is more than amount. Send what each item cost as a part of amount.`,
      { field: 'items' },
    )
  const parts = items.map(({ product_id, plan_id, interval, amount: amountCents }) => ({
    productId: product_id,
    planId: plan_id,
    interval: interval ?? null,
    amountCents,
  }))
  return { totalCents: amount, parts }
}

/** No tax and a tax of zero are the same. */
const readTax = (tax: unknown, amount: number) => {
  if (tax === undefined || tax === null) return 0
  if (typeof tax === 'number' && Number.isInteger(tax) && tax >= 0 && tax <= amount) return tax
  throw new Refusal(
    'invalid_amount',
    'tax must be an integer in minor units from 0 to amount (for example 463 for $4.63). It is the tax included in amount.',
    { field: 'tax' },
  )
}

const storableText = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** jsonb rejects NUL and unpaired surrogates, in names and values at any depth. */
const storable = (value: unknown): Json => {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storableText(name), storable(part)]))
}

/** In test mode every field is optional, and fields of the wrong type are ignored. */
const testDetails = (body: JsonObject): Json => {
  const text = (value: unknown) =>
    typeof value === 'string' ? storableText(value.slice(0, MAX_IDENTIFIER_LENGTH)) : null
  return {
    customer_key: text(body.customer_key),
    invoice_id: text(body.invoice_id),
    amount: typeof body.amount === 'number' ? body.amount : null,
  }
}
