import {
  amount,
  checkFields,
  identifier,
  optionalCode,
  optionalCurrency,
  optionalIdentifier,
  optionalItems,
  optionalObject,
  optionalTax,
  optionalText,
} from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { MAX_METADATA_BYTES, type SaleAnswer, type SaleBody } from './wire.ts'

export type SaleItem = {
  productId: string
  /** Your ID of the plan or price. */
  planId?: string | null | undefined
  interval?: 'one_time' | 'month' | 'year' | null | undefined
  /** A part of the sale's amount, in minor units. */
  amount: number
}

type Payment = {
  /** Amount in minor units by ISO 4217: 4900 is $49.00, ¥4,900 or KWD 4.900. */
  amount: number
  /** The tax included in `amount`, in minor units. Commission is calculated on `amount` − `tax`. */
  tax?: number | null | undefined
  /** What was sold, for reward rules about products, plans and intervals. At most 100, and no more than `amount` in all. */
  items?: SaleItem[] | null | undefined
  /** Your ID for the payment, which makes the call safe to repeat: each one is one sale, forever. */
  invoiceId: string
  /** ISO 4217 code. Defaults to the program's currency. */
  currency?: string | null | undefined
  eventName?: string | null | undefined
  subscriptionId?: string | null | undefined
  /** Your own data, at most 8 KiB of JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The promotion code that the customer entered. Credits the partner who owns it, even without a click. */
  promotionCode?: string | null | undefined
}

/** A payment. There is no test mode here; send test sales to the API directly. */
export type Sale = Payment &
  (
    | {
        /** The ID you sent with the lead. */
        customerExternalId: string
        clickId?: string | null | undefined
      }
    | {
        customerExternalId?: null | undefined
        /** For a customer without a lead: the value of the `service_click_id` cookie. */
        clickId: string
      }
  )

export type SaleResult =
  | {
      duplicate: false
      saleId: number
      /** Whether a partner is credited. If not, the sale is stored and credited once a lead of this customer settles. */
      attributed: boolean
      reason: NonNullable<SaleAnswer['reason']> | null
      /** What the partner is credited for; null if none is. */
      creditedBy: SaleAnswer['credited_by']
      commissionId: number | null
    }
  /** The sale was already recorded, possibly by an earlier attempt at this call. Nothing changed. */
  | { duplicate: true; saleId: number }

const FIELDS = [
  'customerExternalId',
  'clickId',
  'amount',
  'tax',
  'items',
  'invoiceId',
  'currency',
  'eventName',
  'subscriptionId',
  'metadata',
  'promotionCode',
] as const satisfies readonly (keyof Sale)[]

export const saleBody = (sale: Sale): SaleBody => {
  rejectTestMode(sale)
  checkFields('trackSale', sale, FIELDS)
  const clickId = optionalIdentifier('clickId', sale.clickId)
  return {
    customer_key: clickId
      ? optionalIdentifier('customerExternalId', sale.customerExternalId)
      : identifier('customerExternalId', sale.customerExternalId, 'the ID you sent with the lead'),
    click_id: clickId,
    amount: amount('amount', sale.amount),
    tax: optionalTax('tax', sale.tax, sale.amount),
    items: optionalItems('items', sale.items, sale.amount),
    invoice_id: identifier('invoiceId', sale.invoiceId, 'your ID for the payment; it prevents duplicate sales'),
    currency: optionalCurrency('currency', sale.currency),
    event_name: optionalText('eventName', sale.eventName),
    subscription_id: optionalIdentifier('subscriptionId', sale.subscriptionId),
    metadata: optionalObject('metadata', sale.metadata, MAX_METADATA_BYTES),
    promotion_code: optionalCode('promotionCode', sale.promotionCode),
  }
}

const rejectTestMode = (sale: object | null | undefined) => {
  const field = ['additionalData', 'additional_data'].find((name) => name in Object(sale))
  if (field !== undefined)
    throw new TributaryArgumentError(
      'trackSale has no test mode. For a test sale, call POST /api/v1/track/sale directly with additional_data: {"test_mode": true}.',
      field,
    )
}

export const saleResult = (answer: SaleAnswer): SaleResult => ({
  duplicate: false,
  saleId: answer.sale_id,
  attributed: answer.attributed,
  reason: answer.reason ?? null,
  // Absent in answers of services from before there were codes.
  creditedBy: answer.credited_by ?? (answer.attributed ? 'click' : null),
  commissionId: answer.commission_id,
})
