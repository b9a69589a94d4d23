import { z } from 'zod'
import { application } from '../branding/applications.ts'
import { plainText, rowId, timestamp } from '../fields.ts'
import { MAX_AFF_LENGTH } from '../limits.ts'
import { pageQuery, rowNumber, searchText, sortedBy } from '../lists.ts'
import { balance } from '../money/money.ts'
import { payoutDetails } from '../money/payout-details.ts'
import { reward } from '../money/rewards.ts'
import { partnerLegalDetails } from '../money/statements.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { amounts } from '../tracking/events.ts'
import { groupMembership } from './groups.ts'
import { webAddress } from './web-address.ts'

const partnerFields = z.object({
  name: plainText(120).describe('Name of the partner'),
  email: z.email('must be an email address').max(254).nullable().describe('Used for invitations and notices'),
  code: z
    .string('must be a string')
    .regex(/^[A-Za-z0-9_-]{2,32}$/, 'must be 2 to 32 letters, digits, hyphens or underscores'),
  status: z
    .enum(PARTNER_STATUSES)
    .describe('Links of suspended and rejected partners record no clicks; only approved partners are paid'),
})

export const createPartnerRequest = partnerFields
  .extend({
    code: partnerFields.shape.code.describe('Short code, unique in the program. Defaults to one made from the name'),
    status: partnerFields.shape.status.describe('Defaults to `pending`'),
    groupId: rowId.describe('Defaults to the default group. Requires `payout:manage`'),
    createLink: z
      .boolean('must be true or false')
      .describe('False creates no link. Defaults to true: a link named after the code, unless that name is taken'),
  })
  .partial()
  .required({ name: true })

export const changePartnerRequest = partnerFields
  .extend({
    code: partnerFields.shape.code.describe(
      'New code. The old one keeps working as `aff`. If it has a link, so does the new one',
    ),
    archived: z
      .boolean('must be true or false')
      .describe(
        'Archiving hides the partner from lists, and new clicks on their links do not count. Their earnings stay payable',
      ),
  })
  .extend({ groupId: rowId.describe('Moves the partner to another group. Requires `payout:manage`') })
  .partial()
export type ChangePartner = z.infer<typeof changePartnerRequest>

export const partner = partnerFields.extend({
  id: z.int(),
  groupId: z.int(),
  archived: z.boolean(),
  createdAt: timestamp,
})
export type Partner = z.infer<typeof partner>

const figures = {
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts.describe('Revenue of credited sales'),
  commissions: amounts.describe('Commissions earned, before reversals'),
}

export const partnersQuery = pageQuery.extend({
  search: searchText.describe('Part of the name, email address or code'),
  status: z.enum(PARTNER_STATUSES).optional().describe('Only partners in this status'),
  groupId: rowNumber.optional().describe('Only partners in this group'),
  archived: z.enum(['true', 'false', 'all']).default('false').describe('Include archived partners, or only those'),
  sort: sortedBy(['createdAt', 'name', 'clicks', 'leads', 'sales', 'revenue', 'commissions'], '-createdAt'),
})
export type PartnersQuery = z.infer<typeof partnersQuery>

const codeAsAff = {
  codeAsAff: z
    .enum(['works', 'taken'])
    .describe(
      'Whether `?aff=<code>` leads to this partner. `taken` if a link or another partner already uses the value, in any letter case',
    ),
}

/** As the response of a call that creates or changes the partner. */
export const writtenPartner = partner.extend(codeAsAff)
export type WrittenPartner = z.infer<typeof writtenPartner>

export const partnerRow = partner.extend({
  groupName: z.string(),
  ...figures,
  lastClicked: timestamp.nullable(),
  application: application.nullable().describe('Null if the partner did not apply'),
})
export type PartnerRow = z.infer<typeof partnerRow>

export const partnerDetail = partnerRow.extend({
  group: groupMembership,
  balances: z.array(balance),
  reward,
  formerCodes: z.array(z.string()).describe('Earlier codes, which keep working as `aff`'),
  ...codeAsAff,
  hasAccount: z.boolean().describe('True if the partner has a sign-in'),
  invitedUntil: timestamp.nullable().describe('When the open invitation to the portal expires; null without one'),
  payoutDetails: payoutDetails.nullable().describe('Null without details, and for members without `payout:manage`'),
  legalDetails: partnerLegalDetails
    .nullable()
    .describe('Null without details, and for members without `payout:manage`'),
})
export type PartnerDetail = z.infer<typeof partnerDetail>

const aff = z
  .string('must be a string')
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{2,${MAX_AFF_LENGTH}}$`),
    `must be 2 to ${MAX_AFF_LENGTH} letters, digits, hyphens or underscores`,
  )

export const createLinkRequest = z.object({
  partnerId: rowId
    .nullable()
    .describe('Null for a link without a partner yet. Its clicks are rejected until it has one'),
  aff: aff.optional().describe('The value in the query string. Generated if left out'),
  destinationUrl: webAddress
    .nullable()
    .default(null)
    .describe("Where the link leads. Defaults to the program's first website"),
  active: z.boolean().default(true).describe('False disables the link: clicks on it answer 410'),
})
export type CreateLink = z.infer<typeof createLinkRequest>

export const changeLinkRequest = z
  .object({
    active: z.boolean().describe('False disables the link: clicks on it answer 410'),
    destinationUrl: webAddress.nullable().describe("Where the link leads; null for the program's first website"),
    partnerId: rowId.describe('Only for a link without a partner'),
  })
  .partial()
export type ChangeLink = z.infer<typeof changeLinkRequest>

export const changeLinksRequest = z.object({
  ids: z
    .array(rowId, 'must be a list of link IDs')
    .min(1, 'must name at least one link')
    .max(500, 'must name at most 500 links')
    .describe('The links, at most 500'),
  active: z.boolean('must be true or false').describe('False disables the link: clicks on it answer 410'),
})

export const changedLinks = z.strictObject({ changed: z.int().describe('Links that were not in this state before') })

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

export const LINK_ORDERS = [
  'createdAt',
  'aff',
  'clicks',
  'leads',
  'sales',
  'revenue',
  'commissions',
  'lastClicked',
] as const

export const linksQuery = pageQuery.extend({
  search: searchText.describe(
    'Part of the `aff` value, the destination, or the name, email address or code of the partner',
  ),
  partnerId: rowNumber.optional().describe('Only links of this partner'),
  active: z.enum(['true', 'false']).optional().describe('Only enabled links, or only disabled ones'),
  status: z
    .enum(['active', 'disabled', 'off'])
    .optional()
    .describe(
      '`active`: clicks count; the commissions of a pending partner are held. `off`: enabled, but clicks do not count because the partner is inactive (suspended, rejected or archived)',
    ),
  sort: sortedBy(LINK_ORDERS, '-createdAt'),
})
export type LinksQuery = z.infer<typeof linksQuery>

export const linkRow = referralLink.extend({
  ...figures,
  partnerName: z.string().nullable(),
  partnerStatus: z
    .enum(PARTNER_STATUSES)
    .nullable()
    .describe('Links of suspended and rejected partners do not record clicks'),
  partnerArchived: z.boolean(),
})
export type LinkRow = z.infer<typeof linkRow>
