import { z } from 'zod'
import { identifier, plainText, timestamp } from './fields.ts'
import { MAX_AFF_LENGTH, MAX_URL_LENGTH } from './limits.ts'
import { PARTNER_STATUSES } from './names.ts'

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
export const changePartnerRequest = partnerFields.omit({ code: true }).partial()

export const partner = partnerFields.extend({ id: z.int(), createdAt: timestamp })
export type Partner = z.infer<typeof partner>

const webAddress = z
  .string('must be a string')
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .refine((text) => {
    const protocol = URL.parse(text)?.protocol
    return protocol === 'https:' || protocol === 'http:'
  }, 'must be a full web address such as https://example.com/')

const aff = identifier.max(MAX_AFF_LENGTH, `must be at most ${MAX_AFF_LENGTH} characters`)

/** A link may be prepared before its partner is known (`partnerId: null`); until it is given one its clicks are refused. */
export const createLinkRequest = z.object({
  partnerId: z.int().positive().max(2_147_483_647).nullable(),
  aff: aff.optional().describe('Made up where absent'),
  destinationUrl: webAddress.nullable().default(null),
  active: z.boolean().default(true),
})
export type CreateLink = z.infer<typeof createLinkRequest>

export const changeLinkRequest = z
  .object({
    active: z.boolean(),
    destinationUrl: webAddress.nullable(),
    partnerId: z.int().positive().max(2_147_483_647).describe('Only for a link that has no partner yet'),
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
