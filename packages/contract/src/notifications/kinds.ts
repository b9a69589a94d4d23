import type { Permission } from '../names.ts'

/** Notifications for the team, and the permission a member needs to get them. */
export const TEAM_NOTIFICATIONS = {
  application_received: 'partner:manage',
  review_waiting: 'payout:manage',
  draft_ready: 'payout:manage',
  connection_silent: 'key:manage',
  clicks_stopped: 'program:update',
  webhook_failing: 'key:manage',
  webhook_disabled: 'key:manage',
} as const satisfies Record<string, Permission>
export type TeamNotification = keyof typeof TEAM_NOTIFICATIONS
export const TEAM_KINDS = Object.keys(TEAM_NOTIFICATIONS) as [TeamNotification, ...TeamNotification[]]

export const PARTNER_KINDS = [
  'application_approved',
  'application_rejected',
  'terms_changed',
  'first_commission',
  'payout_sent',
  'payout_details_missing',
  'summary',
] as const
export type PartnerNotification = (typeof PARTNER_KINDS)[number]

export type NotificationKind = TeamNotification | PartnerNotification

export const isTeamKind = (kind: string): kind is TeamNotification => kind in TEAM_NOTIFICATIONS

export const SUMMARY_FREQUENCIES = ['weekly', 'monthly', 'off'] as const
export type SummaryFrequency = (typeof SUMMARY_FREQUENCIES)[number]
