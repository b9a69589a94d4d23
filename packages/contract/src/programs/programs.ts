import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { MAX_COOKIE_WINDOW_DAYS, MAX_REVIEW_SECONDS } from '../limits.ts'
import { pageQuery, sortedBy } from '../lists.ts'
import { currency } from '../money/currency.ts'
import { reward, rewardRequest } from '../money/rewards.ts'
import { ATTRIBUTION_MODELS, CODE_PRECEDENCES, LEAD_AUTH, PAYMENT_TRACKING_MODES } from '../names.ts'
import { isTimezone } from './timezones.ts'
import { websites, websitesRequest } from './websites.ts'

const settings = z.object({
  name: plainText(120).describe('Name of the program'),
  cookieWindowDays: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_COOKIE_WINDOW_DAYS, `must be at most ${MAX_COOKIE_WINDOW_DAYS}`)
    .describe('Attribution window: how many days a click counts. Default 60'),
  leadAuth: z
    .enum(LEAD_AUTH)
    .describe('`server_required`: only leads sent with an API key count. `browser_allowed`: browser leads count too'),
  paymentTrackingMode: z
    .enum(PAYMENT_TRACKING_MODES)
    .describe('`processor_connect`: sales come from the payment processor. `s2s`: your server sends them'),
  attributionModel: z.enum(ATTRIBUTION_MODELS).describe('Which click is credited if a visitor followed several links'),
  currency,
  respectGlobalPrivacyControl: z
    .boolean('must be true or false')
    .describe(
      'Whether a browser that sends Global Privacy Control refuses consent: its clicks are not recorded. Add `data-gpc="respect"` to the script tag too',
    ),
  codePrecedence: z
    .enum(CODE_PRECEDENCES)
    .describe(
      'Which one is credited if a sale has a valid click of one partner and the code of another. Default `link`',
    ),
  reviewAdClicks: z
    .boolean('must be true or false')
    .describe('Whether commissions of sales that follow a click from an ad wait for a review. Default false'),
  reviewWithinSeconds: z
    .int('must be a whole number of seconds')
    .min(1, 'must be at least 1 second')
    .max(MAX_REVIEW_SECONDS, `must be at most ${MAX_REVIEW_SECONDS} seconds (a day)`)
    .nullable()
    .describe(
      'Commissions of sales at most this many seconds after the credited click wait for a review. Null, the default: none',
    ),
  partnersCreateLinks: z.boolean('must be true or false').describe('Whether partners can create their own links'),
  partnersRequestCodes: z.boolean('must be true or false').describe('Whether partners can request promotion codes'),
  applicationsOpen: z.boolean('must be true or false').describe('Whether anyone can apply to become a partner'),
  applicationText: plainText(2_000).nullable().describe('Introduction on the application page'),
  timezone: z
    .string('must be a string')
    .max(64)
    .refine(isTimezone, 'must be UTC or an IANA time zone such as Europe/Berlin')
    .describe('Time zone that determines where a day starts in reports and explanations'),
  websites: websitesRequest,
})

export const createProgramRequest = settings
  .partial()
  .required({ name: true })
  .extend({
    workspaceId: z.string().optional().describe('Required if you belong to more than one workspace'),
    reward: rewardRequest
      .omit({ replaces: true, applyToEarlier: true })
      .optional()
      .describe('Initial reward terms; requires `payout:manage`. Without them, leads and sales earn nothing'),
  })
export type CreateProgram = z.infer<typeof createProgramRequest>

export const changeProgramRequest = settings.partial()
export type ChangeProgram = z.infer<typeof changeProgramRequest>

export const program = settings.extend({
  id: z.int(),
  websites,
  workspaceId: z.string(),
  createdAt: timestamp,
  reward: reward.describe('Current reward terms. Change them with `PUT …/reward`'),
})
export type Program = z.infer<typeof program>

export const createApiKeyRequest = z.object({
  name: plainText(120).default('API key').describe('A label to recognize the key by'),
})

export const apiKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  masked: z.string().describe('The start of the key, enough to recognize it'),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

export const apiKeysQuery = pageQuery.extend({
  state: z.enum(['active', 'revoked']).optional().describe('Only active keys, or only revoked ones'),
  sort: sortedBy(['createdAt', 'name', 'lastUsedAt'], 'createdAt'),
})
export type ApiKeysQuery = z.infer<typeof apiKeysQuery>

export const rotateApiKeyRequest = z.object({
  graceMinutes: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(10_080, 'must be at most 10080 (a week)')
    .default(60)
    .describe('How long the old key keeps working'),
})

export const createdApiKey = apiKey.extend({
  key: z.string().describe('The whole key. Shown only once; the service stores a hash'),
})

export const rotatedApiKey = createdApiKey.extend({
  previous: apiKey.describe('The old key. `revokedAt` is when it stops working'),
})
