import type { IncomingEvent, NamedCustomer } from '../translation.ts'
import { type Amount, withoutTax } from './amounts.ts'
import { invoiceIdIn } from './attribution.ts'
import { clickReferenceIn, valuesOfProtocols } from './click-reference.ts'
import { type Fields, idAt, idOf, timeOf, valueAt, valuesAt } from './fields.ts'
import type { Paid } from './reports.ts'

/** Where an object has what a payment's report says. Paths are as in `valuesAt`; of several, the first ID counts. */
type PaymentFields = {
  source: Paid['source']
  references: string[]
  metadata: string[]
  gross: string
  tax?: string
  /** In Unix time; otherwise the payment has the time of the event. */
  paidAt?: string
  subscription?: string[]
  customer?: string
  /** A field of a checkout without metadata for each buyer. The protocols of agents use the metadata. */
  clickReference?: string
}

type Processor = {
  amountOf: (value: unknown, currency: unknown) => Amount | null
  attributionIn: (...metadata: unknown[]) => NamedCustomer | null
  withinMs?: number
}

/** Reads the parts of a payment's report from an event, for a processor's units, metadata and times. */
export const paymentReader =
  ({ amountOf, attributionIn, withinMs }: Processor) =>
  (fields: PaymentFields) =>
  ({ object, createdAt }: IncomingEvent): Paid => {
    const gross = amountOf(valueAt(object, fields.gross), object.currency)
    const tax = fields.tax === undefined ? null : amountOf(valueAt(object, fields.tax), object.currency)
    return {
      source: fields.source,
      references: valuesAt(object, ...fields.references).map(idOf),
      at: (fields.paidAt !== undefined && timeOf(valueAt(object, fields.paidAt))) || createdAt,
      attribution: attributionIn(...valuesAt(object, ...fields.metadata)),
      ...invoiceIdIn(object.metadata),
      gross,
      netCents: gross && withoutTax(gross, tax),
      subscriptionId: idAt(object, ...(fields.subscription ?? [])),
      customerId: fields.customer === undefined ? null : idOf(valueAt(object, fields.customer)),
      ...(fields.clickReference !== undefined && clickIn(object, fields.clickReference)),
      ...(withinMs !== undefined && { withinMs }),
    }
  }

const clickIn = (object: Fields, path: string) =>
  clickReferenceIn(valueAt(object, path), ...valuesOfProtocols(object.metadata))
