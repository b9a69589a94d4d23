import { z } from 'zod'
import { plainText, rowId, timestamp } from '../fields.ts'
import { MAX_AFF_LENGTH, MAX_URL_LENGTH } from '../limits.ts'
import { pageQuery, rowNumber, searchWord, sortedBy } from '../lists.ts'
import { balance } from '../money/money.ts'
import { payoutDetails } from '../money/payout-details.ts'
import { reward } from '../money/rewards.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { originOf } from '../origins.ts'
import { amounts } from '../tracking/events.ts'

const partnerFields = z.object({
  name: plainText(120),
  email: z.email('must be an e-mail address').max(254).nullable(),
  code: z
    .string('must be a string')
    .regex(/^[A-Za-z0-9_-]{2,32}$/, 'must be 2 to 32 letters, digits, hyphens or underscores'),
  status: z.enum(PARTNER_STATUSES),
})

/** `code` is made from the name where it is absent; `status` is `pending`. */
export const createPartnerRequest = partnerFields.partial().required({ name: true })

export const changePartnerRequest = partnerFields
  .extend({
    code: partnerFields.shape.code.describe('The old code stays with the partner and keeps working as `aff`'),
    archived: z
      .boolean('must be true or false')
      .describe('Hides the partner from lists and turns their links off. What they earned stays payable'),
  })
  .partial()
export type ChangePartner = z.infer<typeof changePartnerRequest>

export const partner = partnerFields.extend({ id: z.int(), archived: z.boolean(), createdAt: timestamp })
export type Partner = z.infer<typeof partner>

const figures = {
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts.describe('Of credited sales'),
  commissions: amounts.describe('As they were earned, before refunds'),
}

export const partnersQuery = pageQuery.extend({
  search: searchWord.describe('A part of the name, the e-mail address or the code'),
  status: z.enum(PARTNER_STATUSES).optional(),
  archived: z.enum(['true', 'false', 'all']).default('false').describe('Archived partners are left out by default'),
  sort: sortedBy(['createdAt', 'name', 'clicks', 'leads', 'sales'], '-createdAt'),
})
export type PartnersQuery = z.infer<typeof partnersQuery>

export const partnerRow = partner.extend({ ...figures, lastClicked: timestamp.nullable() })
export type PartnerRow = z.infer<typeof partnerRow>

export const partnerDetail = partnerRow.extend({
  balances: z.array(balance),
  reward,
  formerCodes: z.array(z.string()).describe('Codes the partner had before; they keep working as `aff`'),
  codeAsAff: z
    .enum(['works', 'taken'])
    .describe(
      'Whether `?aff=<code>` reaches this partner: `taken` where a link or an earlier partner has the same value',
    ),
  hasAccount: z.boolean().describe('Somebody can sign in as this partner'),
  payoutDetails: payoutDetails.nullable().describe('Null also for who may not pay'),
})

/** Programs disagree about the host of an address with any of these. */
const isReadAlike = (text: string) => {
  const url = URL.parse(text)
  return !/[\\\s]/.test(text) && !url?.username && !url?.password
}

/** Says what to enter in place of a path alone, or of an address without its scheme. */
const insteadOf = (text: unknown) => {
  const usual = 'must be a full web address such as https://example.com/'
  if (typeof text !== 'string' || text.length > 200 || !/^[\w.~%/?#=&:+-]+$/.test(text)) return usual
  if (/^[/?#]/.test(text))
    return `must be a full web address, not only a path (enter ${URL.parse(text, 'https://example.com/')?.href})`
  const isLocal = /^localhost\b/.test(text)
  const scheme = isLocal ? 'http://' : 'https://'
  const isHost = isLocal || /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(text)
  return isHost ? `must begin with ${scheme} (enter ${scheme}${text})` : usual
}

const webAddress = z
  .string('must be a string')
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .refine((text) => originOf(text) !== null, { error: ({ input }) => insteadOf(input) })
  .refine(isReadAlike, 'must have no backslash, no white space and no user name or password')

const aff = z
  .string('must be a string')
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{2,${MAX_AFF_LENGTH}}$`),
    `must be 2 to ${MAX_AFF_LENGTH} letters, digits, hyphens or underscores`,
  )

/** A link may be prepared before its partner is known (`partnerId: null`); until it is given one its clicks are refused. */
export const createLinkRequest = z.object({
  partnerId: rowId.nullable(),
  aff: aff.optional().describe('Made up where absent'),
  destinationUrl: webAddress.nullable().default(null),
  active: z.boolean().default(true),
})
export type CreateLink = z.infer<typeof createLinkRequest>

export const changeLinkRequest = z
  .object({
    active: z.boolean(),
    destinationUrl: webAddress.nullable(),
    partnerId: rowId.describe('Only for a link that has no partner yet'),
  })
  .partial()
export type ChangeLink = z.infer<typeof changeLinkRequest>

export const referralLink = z.strictObject({
  id: z.int(),
  aff: z.string(),
  partnerId: z.int().nullable(),
  destinationUrl: z.string().nullable(),
  active: z.boolean(),
  clicks: z.int(),
  lastClicked: timestamp.nullable(),
  createdAt: timestamp,
})
export type ReferralLink = z.infer<typeof referralLink>

export const LINK_ORDERS = ['createdAt', 'aff', 'clicks', 'leads', 'sales', 'lastClicked'] as const

export const linksQuery = pageQuery.extend({
  search: searchWord.describe('A part of the aff value or of the destination'),
  partnerId: rowNumber.optional(),
  active: z.enum(['true', 'false']).optional(),
  sort: sortedBy(LINK_ORDERS, '-createdAt'),
})
export type LinksQuery = z.infer<typeof linksQuery>

export const linkRow = referralLink.extend({
  ...figures,
  partnerName: z.string().nullable(),
  /** Of a partner who is suspended or rejected no link takes clicks. */
  partnerStatus: z.enum(PARTNER_STATUSES).nullable(),
  partnerArchived: z.boolean(),
})
export type LinkRow = z.infer<typeof linkRow>
