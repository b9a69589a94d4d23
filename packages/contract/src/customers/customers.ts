import { z } from 'zod'
import { identifier, timestamp, whose } from '../fields.ts'
import { pageQuery, rowNumber, sortedBy } from '../lists.ts'
import { COMMISSION_STATES } from '../money/money.ts'
import { amounts, isInOrder, moment, REVERSED, timeline } from '../tracking/events.ts'

/** Customers are those who signed up; a visitor who only clicked is an event. */
export const customersQuery = pageQuery.extend({
  status: z.enum(['lead', 'customer']).optional(),
  partnerId: rowNumber.optional(),
  search: identifier.optional().describe('Exactly a customer key or a click ID'),
  sort: sortedBy(['firstClickedAt'], '-firstClickedAt'),
})
export type CustomersQuery = z.infer<typeof customersQuery>

export const customer = z.strictObject({
  id: z.string().describe('The click ID, which is the name of the record'),
  customerKey: z.string().nullable(),
  email: z.string().nullable().describe('Masked; nobody keeps the address'),
  status: z.enum(['click', 'lead', 'customer']),
  linkId: z.int(),
  partnerId: z.int(),
  ...whose,
  firstClickedAt: timestamp,
  lastClickedAt: timestamp,
  leadId: z.int().nullable(),
  leadAt: timestamp.nullable(),
  sales: z.int(),
  revenue: amounts,
})
export type CustomerRow = z.infer<typeof customer>

export const customerDetail = customer.extend({ timeline })

const saleFilters = pageQuery.extend({
  state: z.enum(['credited', 'uncredited']).optional(),
  partnerId: rowNumber.optional(),
  dateFrom: moment.optional(),
  dateTo: moment.optional(),
  search: identifier.optional().describe('Exactly an invoice ID, any other name of its payment, or a customer key'),
  sort: sortedBy(['soldAt', 'amountCents'], '-soldAt'),
})
export const salesQuery = saleFilters.refine(isInOrder, REVERSED)
export type SalesQuery = z.infer<typeof salesQuery>

/** What a partner may filter their own sales by. */
export const portalSalesQuery = saleFilters
  .pick({ page: true, pageSize: true, sort: true, dateFrom: true, dateTo: true })
  .refine(isInOrder, REVERSED)

export const sale = z.strictObject({
  id: z.int(),
  invoiceId: z.string(),
  customerKey: z.string().nullable(),
  customerId: z.string().nullable().describe('The click ID of the customer; null while nobody has the credit'),
  amountCents: z.int(),
  refundedCents: z.int().describe('By the merchant and by the payment processor together'),
  currency: z.string(),
  state: z.enum(['credited', 'uncredited']),
  reason: z.string().nullable().describe('Why nobody has the credit'),
  linkId: z.int().nullable(),
  partnerId: z.int().nullable(),
  ...whose,
  soldAt: timestamp,
  creditedAt: timestamp.nullable(),
  eventName: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  disputed: z.boolean().describe('A dispute is open'),
  commissionId: z.int().nullable(),
  commissionCents: z.int().nullable().describe('As it was earned'),
  commissionReversedCents: z.int().nullable().describe('What of it was taken back since'),
  commissionCurrency: z.string().nullable(),
  noCommissionReason: z.string().nullable().describe('Why a credited sale earned nothing; null where it earned'),
})
export type SaleRow = z.infer<typeof sale>

export const saleDetail = sale.extend({
  metadata: z.record(z.string(), z.unknown()).nullable(),
  commissionState: z.enum(COMMISSION_STATES).nullable(),
  refunds: z
    .array(
      z.strictObject({
        id: z.int(),
        refundId: z.string().nullable(),
        amountCents: z.int(),
        reason: z.string().nullable(),
        refundedAt: timestamp,
      }),
    )
    .describe('As the merchant reported them'),
  processorRefunds: z
    .strictObject({ amountCents: z.int(), refundIds: z.array(z.string()) })
    .nullable()
    .describe('What the payment processor told; a refund that both told of counts once'),
  voidedAt: timestamp.nullable().describe('It turned out to be the same payment as another sale, and counts no more'),
  mergedInto: z.int().nullable().describe('The sale that it is part of, if that is in the same program'),
})

/** Everything, as files. */
export const EXPORT_FILES = [
  'events',
  'customers',
  'sales',
  'commissions',
  'ledger',
  'partners',
  'links',
  'payouts',
] as const
export type ExportFile = (typeof EXPORT_FILES)[number]

export const exportQuery = z
  .object({
    partnerId: rowNumber.optional(),
    dateFrom: moment.optional().describe('Of events and sales'),
    dateTo: moment.optional().describe('Of events and sales'),
  })
  .refine(isInOrder, REVERSED)
export type ExportQuery = z.infer<typeof exportQuery>
