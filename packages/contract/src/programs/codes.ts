import { z } from 'zod'
import { partnerAndLink, rowId, timestamp } from '../fields.ts'
import { MAX_IDENTIFIER_LENGTH } from '../limits.ts'
import { pageQuery, rowNumber, searchText, sortedBy } from '../lists.ts'
import { amounts } from '../tracking/events.ts'

export const MAX_CODE_LENGTH = 64

/** Spaces and letters outside of ASCII look alike or differ by letter case in ways that people cannot see. */
export const codeText = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(MAX_CODE_LENGTH, `must be at most ${MAX_CODE_LENGTH} characters`)
  .regex(/^[!-~]*$/, 'must consist of letters without accents, digits and punctuation, without spaces')

/** As stated by an event. Many servers send an empty string if the customer entered no code. */
export const optionalCode = z.preprocess((value) => (value === '' ? null : value), codeText.nullish())

const external = {
  processor: z
    .string('must be a string')
    .regex(/^[a-z]{1,32}$/, 'must be the name of a payment processor')
    .optional()
    .describe('The payment processor that the code exists at. Needs `externalId`'),
  externalId: z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)
    .regex(/^[!-~]*$/, 'must be an ID without spaces')
    .optional()
    .describe('Its ID there. Needed only if no event of the processor states its text'),
}

const applyToEarlier = z
  .boolean('must be true or false')
  .optional()
  .describe(
    'Also credits earlier payments with the code that were credited to no one. Requires `payout:manage`. More than 1,000 continue in the background; `earlier` shows the progress',
  )

export const createCodeRequest = z
  .object({
    code: codeText.describe('What customers enter. Compared without regard to letter case'),
    partnerId: rowId.describe('The partner whom sales with the code are credited to'),
    ...external,
    applyToEarlier,
  })
  .refine(
    ({ processor, externalId }) => (processor === undefined) === (externalId === undefined),
    'must have both processor and externalId, or neither',
  )
export type CreateCode = z.infer<typeof createCodeRequest>

export const changeCodeRequest = z.object({
  partnerId: rowId.optional().describe('Assigns the code to another partner. Earlier sales stay with the former one'),
  active: z
    .boolean('must be true or false')
    .optional()
    .describe('False disables the code: customers who used it stay with the partner. For a request, false declines it'),
  applyToEarlier,
})
export type ChangeCode = z.infer<typeof changeCodeRequest>

const codeFields = z.strictObject({
  id: z.int(),
  code: z.string(),
  active: z.boolean(),
  requested: z.boolean().describe('A partner requested it, and no member has decided yet'),
  uses: z.int().describe('Sales that were made with the code and credited by it'),
  revenue: amounts.describe('Revenue of all sales credited by the code, renewals included, by currency'),
  commissions: amounts.describe('Commissions on these sales and on leads by the code, by currency'),
  createdAt: timestamp,
})

export const promotionCode = codeFields.extend({
  partnerId: z.int().describe('The owner, or the last one if the code is disabled'),
  partnerName: partnerAndLink.partnerName,
  partnerArchived: partnerAndLink.partnerArchived,
  processor: z.string().nullable(),
  externalId: z.string().nullable(),
  earlier: z
    .strictObject({ total: z.int(), done: z.int(), finishedAt: timestamp.nullable() })
    .nullable()
    .describe('Progress of crediting earlier payments; null if that was never requested'),
})
export type PromotionCode = z.infer<typeof promotionCode>

export const codesQuery = pageQuery.extend({
  search: searchText.describe('Part of a code or of a partner name'),
  partnerId: rowNumber.optional().describe('Only codes of this partner'),
  state: z.enum(['active', 'disabled', 'requested']).optional().describe('Only codes in this state'),
  sort: sortedBy(['createdAt', 'code', 'uses'], '-createdAt'),
})
export type CodesQuery = z.infer<typeof codesQuery>

/** What a partner sees: their own uses and earnings only. */
export const portalCode = codeFields.extend({
  active: z.boolean().describe('False if the code is disabled or belongs to another partner now'),
})
export type PortalCode = z.infer<typeof portalCode>

export const portalCodesQuery = pageQuery.extend({ sort: sortedBy(['createdAt', 'code', 'uses'], '-createdAt') })
export const portalCodeRequest = z.object({
  code: codeText.describe('What customers enter. Compared without regard to letter case'),
})
