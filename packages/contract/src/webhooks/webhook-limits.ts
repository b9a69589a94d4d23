export const MAX_WEBHOOK_ENDPOINTS = 20
/** How long the previous secret also signs after a rotation. */
export const PREVIOUS_WEBHOOK_SECRET_HOURS = 24
/** How much of an endpoint's response is kept. */
export const MAX_WEBHOOK_RESPONSE_BYTES = 1024
/** Failed deliveries that one call sends again. */
export const MAX_RESENT_DELIVERIES = 10_000
/** Pending deliveries are counted up to this number. */
export const MAX_COUNTED_PENDING = 1_000
/** Deliveries are deleted after this many days. */
export const WEBHOOK_RETENTION_DAYS = 30
/** An endpoint has this long to respond. */
export const WEBHOOK_TIMEOUT_SECONDS = 15
/** The team is warned about an endpoint that has only failed for so many days, and later it is disabled. */
export const WEBHOOK_WARN_DAYS = 3
export const WEBHOOK_DISABLE_DAYS = 5
