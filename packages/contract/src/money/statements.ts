import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { rowNumber } from '../lists.ts'
import { PAYOUT_LINE_STATES } from './payouts.ts'

const address = plainText(500).describe('Postal address, with line breaks')
const taxId = plainText(60).nullable().default(null).describe('VAT or tax number')

export const merchantDetailsRequest = z.object({
  legalName: plainText(200).describe('Your registered name'),
  address,
  taxId,
  email: z
    .email('must be an email address')
    .max(254, 'must be at most 254 characters')
    .nullable()
    .default(null)
    .describe('For questions about statements'),
  selfBilling: z
    .boolean()
    .default(false)
    .describe('Statements are self-billing invoices that you issue on behalf of the partner'),
})
export const merchantDetails = z.strictObject({
  legalName: z.string(),
  address: z.string(),
  taxId: z.string().nullable(),
  email: z.string().nullable(),
  selfBilling: z.boolean(),
  updatedAt: timestamp,
})
export type MerchantDetails = z.infer<typeof merchantDetails>

export const partnerLegalDetailsRequest = z.object({
  name: plainText(200).describe('Your full name'),
  company: plainText(200).nullable().default(null).describe('Your company, if it is the payee'),
  address,
  taxId,
})
export const partnerLegalDetails = z.strictObject({
  name: z.string(),
  company: z.string().nullable(),
  address: z.string(),
  taxId: z.string().nullable(),
  updatedAt: timestamp,
})
export type PartnerLegalDetails = z.infer<typeof partnerLegalDetails>

export const statementQuery = z.object({
  version: rowNumber.optional().describe('Defaults to the latest version'),
})

const statementItem = z.strictObject({
  commissionId: z.int(),
  kind: z.string().describe('`sale`, `lead`, `bonus` or `manual`'),
  saleId: z.int().nullable(),
  leadId: z.int().nullable(),
  invoiceId: z.string().nullable().describe('Of the sale. Null for partners and members who may not see customers'),
  customerKey: z.string().nullable().describe('Null for partners and members who may not see customers'),
  reason: z.string().nullable().describe('Why the program added a bonus or a manual commission'),
  saleCents: z.int().nullable().describe('Amount of the sale'),
  saleCurrency: z.string().nullable(),
  rateBps: z.int().nullable().describe('Share of the sale, in basis points; null for a fixed amount'),
  commissionCents: z.int().describe('The whole commission, before reversals. A payout can contain only a part of it'),
  earnedAt: timestamp,
  amountCents: z.int().describe('Negative: reverses a commission of an earlier payout'),
})

export const statement = z.strictObject({
  number: z.int().describe('Counts up within the program, without gaps'),
  version: z.int().describe('1, or higher if the statement was reissued'),
  versions: z
    .array(z.strictObject({ version: z.int(), issuedAt: timestamp }))
    .describe('All versions, oldest first. Their amounts are equal'),
  canReissue: z.boolean().describe('Whether legal details were added or changed since the latest version'),
  payoutId: z.int(),
  lineId: z.int(),
  createdAt: timestamp,
  status: z.enum(PAYOUT_LINE_STATES),
  decidedAt: timestamp.nullable(),
  paidAt: z.string().nullable(),
  reference: z.string().nullable(),
  currency: z.string(),
  programName: z.string(),
  partnerName: z.string(),
  merchant: merchantDetails
    .omit({ selfBilling: true, updatedAt: true })
    .nullable()
    .describe('As they were when this version was issued; null if not entered'),
  partner: partnerLegalDetails
    .omit({ updatedAt: true })
    .nullable()
    .describe('As they were when this version was issued; null if not entered'),
  selfBilling: z.boolean(),
  periodFrom: timestamp.nullable().describe('When the first commission in it was earned'),
  periodTo: timestamp.nullable(),
  items: z.array(statementItem),
  broughtForwardCents: z.int().describe('Balance of payouts created before statements existed'),
  totalCents: z.int().describe('The amount when the payout was created'),
  reversedSinceCents: z.int().describe('Reversed between creation and payment'),
  amountCents: z.int().describe('The amount to pay or paid'),
})
export type Statement = z.infer<typeof statement>
