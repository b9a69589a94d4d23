import {
  amount,
  checkFields,
  identifier,
  optionalCurrency,
  optionalIdentifier,
  optionalObject,
  optionalText,
} from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { MAX_METADATA_BYTES, type SaleAnswer, type SaleBody } from './wire.ts'

type Payment = {
  /** Whole minor units of the currency by ISO 4217: 4900 is 49.00 EUR, 49.00 HUF, 4900 JPY and 4.900 KWD. */
  amount: number
  /** Your ID of this payment. One sale per invoice id, for ever: this is what makes sending it again safe. */
  invoiceId: string
  /** ISO 4217; the program's currency by default. */
  currency?: string | null | undefined
  eventName?: string | null | undefined
  subscriptionId?: string | null | undefined
  /** At most 8 KiB, for your own use. */
  metadata?: Record<string, unknown> | null | undefined
}

/** A payment, as your server reports it. There is no test mode here: a test sale is made by calling the API itself. */
export type Sale = Payment &
  (
    | {
        /** The same value as at lead time. */
        customerExternalId: string
        clickId?: string | null | undefined
      }
    | {
        customerExternalId?: null | undefined
        /** For a customer who never became a lead. */
        clickId: string
      }
  )

export type SaleResult =
  | {
      duplicate: false
      saleId: number
      /** Whether a partner is credited. If not, the sale is kept, and credited once a lead of this customer settles. */
      attributed: boolean
      reason: NonNullable<SaleAnswer['reason']> | null
      commissionId: number | null
    }
  /** This very sale was recorded before, perhaps by an earlier attempt of this call. Nothing changed. */
  | { duplicate: true; saleId: number }

const FIELDS = [
  'customerExternalId',
  'clickId',
  'amount',
  'invoiceId',
  'currency',
  'eventName',
  'subscriptionId',
  'metadata',
] as const satisfies readonly (keyof Sale)[]

export const saleBody = (sale: Sale): SaleBody => {
  refuseTestMode(sale)
  checkFields('trackSale', sale, FIELDS)
  const clickId = optionalIdentifier('clickId', sale.clickId)
  return {
    customer_key: clickId
      ? optionalIdentifier('customerExternalId', sale.customerExternalId)
      : identifier('customerExternalId', sale.customerExternalId, 'the same value as at lead time'),
    click_id: clickId,
    amount: amount('amount', sale.amount),
    invoice_id: identifier('invoiceId', sale.invoiceId, 'your ID of this payment; it keeps one payment one sale'),
    currency: optionalCurrency('currency', sale.currency),
    event_name: optionalText('eventName', sale.eventName),
    subscription_id: optionalIdentifier('subscriptionId', sale.subscriptionId),
    metadata: optionalObject('metadata', sale.metadata, MAX_METADATA_BYTES),
  }
}

const refuseTestMode = (sale: object | null | undefined) => {
  const field = ['additionalData', 'additional_data'].find((name) => name in Object(sale))
  if (field !== undefined)
    throw new TributaryArgumentError(
      'trackSale has no test mode. For a test sale, call POST /api/v1/track/sale itself with additional_data: {"test_mode": true}.',
      field,
    )
}

export const saleResult = (answer: SaleAnswer): SaleResult => ({
  duplicate: false,
  saleId: answer.sale_id,
  attributed: answer.attributed,
  reason: answer.reason ?? null,
  commissionId: answer.commission_id,
})
