/** Names that merchants use in their pages, servers and processor accounts. Each is defined only here. */

/** The query parameter of a referral link. */
export const AFF_PARAMETER = 'aff'

/** The first-party cookie that holds the `click_id`. */
export const CLICK_COOKIE = 'service_click_id'

/** File name of the client script. */
export const TRACKER_FILE = 'service-tracker.js'

/** Metadata keys that a merchant sets on a checkout session and, for renewals, on its subscription. */
export const PROCESSOR_METADATA = {
  clickId: 'service_click_id',
  customerKey: 'service_customer_key',
  programId: 'program_id',
} as const

/** Metadata key of the `invoice_id` under which the merchant's server reports the same payment, so that both are one sale. */
export const INVOICE_METADATA = 'service_invoice_id'

/** Makes a call with an API key safe to repeat: the same value returns the stored response. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
export const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/
/** `true` on a stored response. */
export const IDEMPOTENT_REPLAYED_HEADER = 'Idempotent-Replayed'

/** Marks test events sent by the dashboard, which do not complete a setup step. */
export const CHECK_HEADER = 'x-service-check'

export const API_KEY_PREFIX = 'trk'

export const ROLES = ['owner', 'admin', 'member', 'viewer', 'billing'] as const
export type Role = (typeof ROLES)[number]

/** Named `noun:verb`. The server's accounts module maps roles to permissions. */
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

/** Changes to a partner's sign-in. */
export const ACCESS_CHANGES = ['email_changed', 'sign_in_added', 'sign_in_removed'] as const

export const LEAD_AUTH = ['server_required', 'browser_allowed'] as const
export const PAYMENT_TRACKING_MODES = ['processor_connect', 's2s'] as const
/** What a partner is credited for. `manual`: a member's decision. */
export const CREDIT_SOURCES = ['click', 'code', 'manual', 'imported'] as const
export type CreditSource = (typeof CREDIT_SOURCES)[number]

/** Which one is credited if a sale has a valid click of one partner and the code of another. */
export const CODE_PRECEDENCES = ['link', 'code'] as const
export type CodePrecedence = (typeof CODE_PRECEDENCES)[number]

export const ATTRIBUTION_MODELS = ['last_click', 'first_click'] as const
export const PARTNER_STATUSES = ['pending', 'approved', 'rejected', 'suspended'] as const
export type PartnerStatus = (typeof PARTNER_STATUSES)[number]
export const PROCESSOR_STATUSES = ['not_connected', 'pending', 'connected', 'restricted', 'disconnected'] as const
export const EVENT_TYPES = ['click', 'lead', 'sale'] as const
export const PERIODS = ['today', '7d', '30d', '90d', 'all'] as const

export type LeadAuth = (typeof LEAD_AUTH)[number]
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number]
export type EventType = (typeof EVENT_TYPES)[number]
export type Period = (typeof PERIODS)[number]
