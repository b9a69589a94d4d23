import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { MAX_AGREEMENT_LENGTH, MAX_RESOURCE_TEXT_LENGTH, MAX_TITLE_LENGTH, RESOURCE_TYPES } from './branding-limits.ts'

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)

/** What is left out is reset. */
export const brandingRequest = z.object({
  displayName: optional(plainText(120)).describe("Name that partners see. Null for the program's name"),
  description: optional(plainText(280)).describe('Short description on the application and invitation pages'),
  accentColor: optional(
    z
      .string('must be a string')
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #0e7490')
      .toLowerCase(),
  ).describe('Color of buttons. Text on it is black or white, whichever is easier to read'),
  supportEmail: optional(z.email('must be an email address').max(254, 'must be at most 254 characters')).describe(
    'Where partners can ask for help',
  ),
})
export type BrandingRequest = z.infer<typeof brandingRequest>

export const branding = z.strictObject({
  displayName: z.string().nullable(),
  description: z.string().nullable(),
  accentColor: z.string().nullable(),
  supportEmail: z.string().nullable(),
  logoUrl: z.string().nullable().describe('Path of the logo. It changes with the image, so it can be cached forever'),
})
export type Branding = z.infer<typeof branding>

/** What applicants and partners see of the brand. */
export const brand = branding.omit({ displayName: true })
export type Brand = z.infer<typeof brand>

export const agreementRequest = z.object({
  text: plainText(MAX_AGREEMENT_LENGTH)
    .nullable()
    .describe('The agreement, in limited Markdown: headings, lists, bold, italic and links. Null removes it'),
})

export const agreement = z.strictObject({
  version: z.int(),
  text: z.string(),
  createdAt: timestamp,
})
export type Agreement = z.infer<typeof agreement>

export const agreementStatus = z.strictObject({
  current: agreement.nullable().describe('Null if the program has no agreement'),
  accepted: z.int().describe('Approved partners who accepted the current version'),
  partners: z.int().describe('All approved partners'),
})
export type AgreementStatus = z.infer<typeof agreementStatus>

/** Sent with an application, with an accepted invitation and from the portal. */
export const agreementVersion = z
  .int('must be a whole number')
  .positive('must be at least 1')
  .describe('Version of the program agreement that the partner accepts. Required if the program has one')
export const acceptAgreementRequest = z.object({ version: agreementVersion })

export const portalAgreement = z.strictObject({
  version: z.int(),
  acceptedVersion: z.int().nullable().describe('The newest version you accepted'),
  acceptedAt: timestamp.nullable(),
})

export const resourceTextRequest = z.object({
  title: plainText(MAX_TITLE_LENGTH).describe('Title that partners see'),
  body: plainText(MAX_RESOURCE_TEXT_LENGTH).describe(
    "`{link}` and `{code}` are replaced with the partner's own link and code",
  ),
})
export const changeResourceRequest = resourceTextRequest.partial()

export const resourceFileQuery = z.object({
  fileName: plainText(120)
    .regex(/^[^/\\"\p{Cc}]+$/u, 'must not contain slashes, quotes or control characters')
    .refine(
      (name) => Object.hasOwn(RESOURCE_TYPES, name.split('.').at(-1)?.toLowerCase() ?? ''),
      `must end in .${Object.keys(RESOURCE_TYPES).join(', .')}`,
    )
    .describe('Name of the file, with its extension'),
  title: plainText(MAX_TITLE_LENGTH).optional().describe('Defaults to the file name'),
})

export const resource = z.strictObject({
  id: z.int(),
  kind: z.enum(['file', 'text']),
  title: z.string(),
  body: z.string().nullable().describe('Null for a file'),
  fileName: z.string().nullable().describe('Null for a text'),
  contentType: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  createdAt: timestamp,
})
export type Resource = z.infer<typeof resource>

export const removedResource = z.strictObject({ id: z.int() })
