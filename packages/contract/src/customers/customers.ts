import { z } from 'zod'
import { partnerAndLink, timestamp } from '../fields.ts'
import { pageQuery, rowNumber, searchText, sortedBy } from '../lists.ts'
import { COMMISSION_STATES } from '../money/money.ts'
import { CREDIT_SOURCES } from '../names.ts'
import { amounts, isInOrder, moment, REVERSED, timeline } from '../tracking/events.ts'
import { EVIDENCE_FILTERS, saleEvidence, secondsAfterClick } from '../tracking/evidence.ts'

/** `manual`: a member credited or moved the sale. */
export const creditedBy = z.enum(CREDIT_SOURCES).describe('What the partner is credited for')
export const leadCreditedBy = creditedBy.exclude(['manual'])

/** Visitors who only clicked are listed as events, not as customers. */
export const customersQuery = pageQuery.extend({
  status: z.enum(['lead', 'customer']).optional().describe('Only leads, or only customers with a sale'),
  partnerId: rowNumber.optional().describe('Only rows of this partner'),
  search: searchText.describe(
    'The beginning of a customer key or invoice ID, part of a partner name, or a whole email address or click ID',
  ),
  sort: sortedBy(['firstClickedAt', 'leadAt', 'sales', 'revenue'], '-firstClickedAt'),
})
export type CustomersQuery = z.infer<typeof customersQuery>

export const customer = z.strictObject({
  id: z.string().describe("The customer's click ID"),
  customerKey: z.string().nullable(),
  email: z.string().nullable().describe('Masked, such as a***@example.com. The full address is never stored'),
  status: z.enum(['click', 'lead', 'customer']),
  creditedBy: leadCreditedBy,
  linkId: z.int().nullable().describe('The link; null if a code is credited'),
  codeId: z.int().nullable().describe('The promotion code; null if a link is credited'),
  code: z.string().nullable().describe('The text of that code'),
  partnerId: z.int(),
  ...partnerAndLink,
  firstClickedAt: timestamp,
  lastClickedAt: timestamp,
  leadId: z.int().nullable(),
  leadAt: timestamp.nullable(),
  sales: z.int(),
  revenue: amounts,
})
export type CustomerRow = z.infer<typeof customer>

export const customerDetail = customer.extend({ timeline })
export type CustomerDetail = z.infer<typeof customerDetail>

const saleFilters = pageQuery.extend({
  state: z.enum(['credited', 'uncredited']).optional().describe('Only sales credited to a partner, or only others'),
  partnerId: rowNumber.optional().describe('Only rows of this partner'),
  creditedBy: z.enum(CREDIT_SOURCES).optional().describe('Only sales credited for this'),
  codeId: rowNumber.optional().describe('Only sales credited by this promotion code'),
  evidence: z
    .enum(EVIDENCE_FILTERS)
    .optional()
    .describe(
      '`ad_click`: the credited click has advertising parameters. `data_center`: it came from a data center. `same_destination`: another partner has the same payout destination as the credited one',
    ),
  withinSeconds: secondsAfterClick.optional().describe('Only sales at most this many seconds after the credited click'),
  dateFrom: moment.optional().describe("First day in the program's time zone, or an ISO 8601 time"),
  dateTo: moment.optional().describe("Last day in the program's time zone, or an ISO 8601 time"),
  search: searchText.describe(
    'The beginning of an invoice ID or customer key, part of a partner name, or a whole email address or other ID of the payment',
  ),
  sort: sortedBy(['soldAt', 'amountCents', 'commissionCents'], '-soldAt'),
})
export const salesQuery = saleFilters.refine(isInOrder, REVERSED)
export type SalesQuery = z.infer<typeof salesQuery>

export const portalSalesQuery = saleFilters
  .pick({ page: true, pageSize: true, dateFrom: true, dateTo: true })
  .extend({ sort: sortedBy(['soldAt', 'amountCents'], '-soldAt') })
  .refine(isInOrder, REVERSED)

export const sale = z.strictObject({
  id: z.int(),
  invoiceId: z.string(),
  customerKey: z.string().nullable(),
  customerId: z.string().nullable().describe("The customer's click ID; null while the sale is not credited"),
  amountCents: z.int(),
  refundedCents: z.int().describe('Total refunded, as reported by the merchant and the payment processor'),
  currency: z.string(),
  state: z.enum(['credited', 'uncredited']),
  reason: z.string().nullable().describe('Reason code if the sale is not credited'),
  creditedBy: creditedBy.nullable().describe('What the partner is credited for; null if the sale is not credited'),
  linkId: z.int().nullable(),
  codeId: z.int().nullable().describe('The promotion code that the sale is credited by'),
  promotionCode: z
    .string()
    .nullable()
    .describe('The promotion code that the payment was made with, credited or not. Null for renewals without one'),
  partnerId: z.int().nullable(),
  ...partnerAndLink,
  soldAt: timestamp,
  creditedAt: timestamp.nullable(),
  eventName: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  disputed: z.boolean().describe('True while a dispute is open'),
  commissionId: z.int().nullable(),
  commissionCents: z.int().nullable().describe('The commission as earned, before reversals'),
  commissionReversedCents: z.int().nullable().describe('How much of the commission has been reversed'),
  commissionCurrency: z.string().nullable(),
  noCommissionReason: z.string().nullable().describe('Reason code if a credited sale earned no commission'),
  adjustmentId: z.int().nullable().describe('The adjustment that credited or moved it manually; null if none stands'),
  adjustmentType: z.enum(['credit', 'move']).nullable().describe('Whether that adjustment credited or moved it'),
  evidence: saleEvidence.describe('What you can judge the sale by'),
})
export type SaleRow = z.infer<typeof sale>

export const saleDetail = sale.extend({
  grossCents: z.int().nullable().describe('The amount with tax, if your server sent `tax`. `amountCents` is without'),
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
    .describe('Refunds reported by the merchant, without tax'),
  processorRefunds: z
    .strictObject({ amountCents: z.int(), refundIds: z.array(z.string()) })
    .nullable()
    .describe('Refunds reported by the payment processor. A refund that both reported counts once'),
  voidedAt: timestamp.nullable().describe('When the sale was merged into another sale of the same payment'),
  mergedInto: z.int().nullable().describe('The sale it was merged into, if that is in the same program'),
})

export type SaleDetail = z.infer<typeof saleDetail>

export const EXPORT_FILES = [
  'events',
  'customers',
  'sales',
  'commissions',
  'ledger',
  'partners',
  'links',
  'codes',
  'payouts',
] as const
export type ExportFile = (typeof EXPORT_FILES)[number]

export const exportQuery = z
  .object({
    partnerId: rowNumber.optional().describe('Only rows of this partner'),
    groupId: rowNumber
      .optional()
      .describe('Only partners in this group now, or commissions and sales of partners who were in it at the time'),
    evidence: z.enum(EVIDENCE_FILTERS).optional().describe('Like in the list of sales, for sales only'),
    withinSeconds: secondsAfterClick.optional().describe('Like in the list of sales, for sales only'),
    dateFrom: moment.optional().describe('First day or ISO 8601 time, for events and sales only'),
    dateTo: moment.optional().describe('Last day or ISO 8601 time, for events and sales only'),
  })
  .refine(isInOrder, REVERSED)
export type ExportQuery = z.infer<typeof exportQuery>
