/** Names that appear on other people's pages, servers and processor accounts. Each is spelled here and nowhere else. */

/** The query parameter of a referral link. */
export const AFF_PARAMETER = 'aff'

/** The first-party cookie in which the client keeps its `click_id`. */
export const CLICK_COOKIE = 'service_click_id'

/** The client script, as it is served and as it stands in the merchant's page. */
export const TRACKER_FILE = 'service-tracker.js'

/** The three keys a merchant sets on a checkout session and, for renewals, on its subscription. */
export const PROCESSOR_METADATA = {
  clickId: 'service_click_id',
  customerKey: 'service_customer_key',
  programId: 'program_id',
} as const

/** Sent with a keyed call: a repeat with the same value has no effect and is given the stored answer. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/
/** `true` on an answer that was stored before. */
export const IDEMPOTENT_REPLAYED_HEADER = 'Idempotent-Replayed'

/** Sent with a test event by the dashboard's own checks: such an event does not complete a set-up step. */
export const CHECK_HEADER = 'x-service-check'

export const API_KEY_PREFIX = 'trk'

export const ROLES = ['owner', 'admin', 'member', 'viewer', 'billing'] as const
export type Role = (typeof ROLES)[number]

/** What somebody may do, as `noun:verb`. Which role may do what is decided by the accounts room of the server. */
export const PERMISSIONS = [
  'tracking:read',
  'tracking:list',
  'program:read',
  'program:create',
  'program:update',
  'key:manage',
  'partner:manage',
  'commission:read',
  'payout:manage',
  'member:manage',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** What can change about who signs in as a partner. */
export const ACCESS_CHANGES = ['email_changed', 'sign_in_added', 'sign_in_removed'] as const

export const LEAD_AUTH = ['server_required', 'browser_allowed'] as const
export const PAYMENT_TRACKING_MODES = ['processor_connect', 's2s'] as const
export const ATTRIBUTION_MODELS = ['last_click', 'first_click'] as const
export const PARTNER_STATUSES = ['pending', 'approved', 'rejected', 'suspended'] as const
export type PartnerStatus = (typeof PARTNER_STATUSES)[number]
export const PROCESSOR_STATUSES = ['not_connected', 'pending', 'connected', 'restricted', 'disconnected'] as const
export const EVENT_TYPES = ['click', 'lead', 'sale'] as const
export const PERIODS = ['7d', '30d', '90d', 'all'] as const

export type LeadAuth = (typeof LEAD_AUTH)[number]
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number]
export type EventType = (typeof EVENT_TYPES)[number]
export type Period = (typeof PERIODS)[number]
