import { z } from 'zod'
import { rowId, timestamp } from '../fields.ts'
import { reviewCount } from '../money/money.ts'
import { PARTNER_KINDS, SUMMARY_FREQUENCIES, TEAM_KINDS } from './kinds.ts'

export const MAX_NOTIFICATIONS = 50

const anyKind = z.enum([...TEAM_KINDS, ...PARTNER_KINDS])

const notification = z.strictObject({
  id: z.int(),
  kind: anyKind,
  title: z.string(),
  text: z.string(),
  path: z.string().describe('The page to open, on this instance'),
  read: z.boolean(),
  createdAt: timestamp,
})

export const notificationList = z.strictObject({
  unread: z.int().describe('All unread ones, including those not listed'),
  notifications: z.array(notification).describe(`The latest ${MAX_NOTIFICATIONS}, newest first`),
})
export type NotificationList = z.infer<typeof notificationList>

export const markReadRequest = z.object({
  ids: z
    .array(rowId, 'must be a list of notification IDs')
    .max(100, 'must have at most 100 entries')
    .optional()
    .describe('Without it, all are marked as read'),
})

const choices = {
  mail: z.boolean('must be true or false').describe('By email, if the instance has a mail server'),
  app: z.boolean('must be true or false').describe('In the list of notifications'),
}
const teamChoice = z.strictObject({ kind: z.enum(TEAM_KINDS).describe('The kind of notification'), ...choices })
const partnerChoice = z.strictObject({ kind: z.enum(PARTNER_KINDS).describe('The kind of notification'), ...choices })
export type NotificationChoice = { kind: (typeof anyKind.options)[number]; mail: boolean; app: boolean }

const hasDistinctKinds = (list: { kind: string }[]) => new Set(list.map(({ kind }) => kind)).size === list.length

const hasMail = z.boolean().describe('Whether the instance has a mail server (`SMTP_URL`)')

export const teamPreferences = z.strictObject({
  hasMail,
  kinds: z.array(teamChoice).describe('The notifications that the role of the caller gets'),
})
export const teamPreferencesRequest = z.object({
  kinds: z
    .array(teamChoice)
    .refine(hasDistinctKinds, 'must not name a kind twice')
    .describe('Kinds that are left out do not change'),
})

const frequency = z.enum(SUMMARY_FREQUENCIES).describe('How often the summary is sent')
export const partnerPreferences = z.strictObject({ hasMail, kinds: z.array(partnerChoice), summary: frequency })
export const partnerPreferencesRequest = z.object({
  kinds: z
    .array(partnerChoice)
    .refine(hasDistinctKinds, 'must not name a kind twice')
    .default([])
    .describe('Kinds that are left out do not change'),
  summary: frequency.optional(),
})
export type TeamPreferences = z.infer<typeof teamPreferences>
export type PartnerPreferences = z.infer<typeof partnerPreferences>

export const notificationPreview = z.strictObject({
  kind: anyKind,
  audience: z.enum(['team', 'partner']),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export type NotificationPreview = z.infer<typeof notificationPreview>

export const notificationPreviews = z.strictObject({
  hasMail,
  previews: z.array(notificationPreview).describe('Every kind, with sample data'),
  problems: z
    .array(
      z.strictObject({
        kind: anyKind,
        email: z.string(),
        status: z
          .enum(['failed', 'unknown'])
          .describe('`unknown`: the mail server stopped responding, so the email may have arrived'),
        error: z.string().nullable().describe("The mail server's code"),
        at: timestamp,
      }),
    )
    .describe('The latest 20 emails of the last 30 days that were abandoned'),
})
export type NotificationPreviews = z.infer<typeof notificationPreviews>

export const testNotificationRequest = z.object({ kind: anyKind.describe('The kind of notification') })
export const testedNotification = z.strictObject({ email: z.string(), mailed: z.boolean() })

const counted = (what: string) => z.int().nullable().describe(`${what}. Null if the caller's role may not act on it`)

export const waiting = z.strictObject({
  applications: counted('Applications to decide'),
  reviews: reviewCount.nullable().describe("Commissions to review. Null if the caller's role may not act on it"),
  payouts: z
    .strictObject({
      draft: z.boolean().describe('A payout draft waits to be confirmed'),
      open: z.int().describe('Payouts with lines that are neither paid nor failed'),
    })
    .nullable()
    .describe("Null if the caller's role may not act on it"),
  webhooks: counted('Webhook endpoints that have been failing for days, or were disabled because they failed'),
  processors: counted('Payment processor connections that no longer report every payment'),
})
export type Waiting = z.infer<typeof waiting>
