import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { MAX_COOKIE_WINDOW_DAYS } from '../limits.ts'
import { pageQuery, sortedBy } from '../lists.ts'
import { currency } from '../money/currency.ts'
import { reward, rewardRequest } from '../money/rewards.ts'
import { ATTRIBUTION_MODELS, LEAD_AUTH, PAYMENT_TRACKING_MODES } from '../names.ts'
import { isTimezone } from './timezones.ts'
import { websites, websitesRequest } from './websites.ts'

const settings = z.object({
  name: plainText(120),
  cookieWindowDays: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_COOKIE_WINDOW_DAYS, `must be at most ${MAX_COOKIE_WINDOW_DAYS}`),
  leadAuth: z.enum(LEAD_AUTH),
  paymentTrackingMode: z.enum(PAYMENT_TRACKING_MODES),
  attributionModel: z.enum(ATTRIBUTION_MODELS),
  currency,
  partnersCreateLinks: z.boolean('must be true or false').describe('Whether partners may make links themselves'),
  applicationsOpen: z.boolean('must be true or false').describe('Whether anybody may apply to become a partner'),
  applicationText: plainText(2_000).nullable().describe('What the application page says'),
  timezone: z
    .string('must be a string')
    .max(64)
    .refine(isTimezone, 'must be UTC or an IANA time zone with a slash, such as Europe/Berlin'),
  websites: websitesRequest,
})

export const createProgramRequest = settings
  .partial()
  .required({ name: true })
  .extend({
    workspaceId: z.string().optional().describe('May be left out by a member of exactly one workspace'),
    reward: rewardRequest
      .omit({ replaces: true, applyToEarlier: true })
      .optional()
      .describe('What the program pays from the start; needs `payout:manage`. Without it, sales earn nothing'),
  })
export type CreateProgram = z.infer<typeof createProgramRequest>

export const changeProgramRequest = settings.partial()
export type ChangeProgram = z.infer<typeof changeProgramRequest>

export const program = settings.extend({
  id: z.int(),
  websites,
  workspaceId: z.string(),
  createdAt: timestamp,
  reward: reward.describe('As `GET …/reward` answers it; changed by `PUT …/reward`'),
})
export type Program = z.infer<typeof program>

export const createApiKeyRequest = z.object({ name: plainText(120).default('API key') })

export const apiKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  masked: z.string().describe('Enough to recognise the key, not enough to use it'),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

export const apiKeysQuery = pageQuery.extend({
  state: z.enum(['active', 'revoked']).optional(),
  sort: sortedBy(['createdAt', 'name', 'lastUsedAt'], 'createdAt'),
})
export type ApiKeysQuery = z.infer<typeof apiKeysQuery>

export const rotateApiKeyRequest = z.object({
  graceMinutes: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(10_080, 'must be at most 10080 (a week)')
    .default(60)
    .describe('How long the old key still works'),
})

export const createdApiKey = apiKey.extend({ key: z.string().describe('Shown this once; only its hash is kept') })

export const rotatedApiKey = createdApiKey.extend({ previous: apiKey.describe('`revokedAt` is when it stops working') })
