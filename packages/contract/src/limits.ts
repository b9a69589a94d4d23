/** Size and rate limits of the API. */

export const MAX_BODY_BYTES = 64 * 1024
export const MAX_AFF_LENGTH = 128
export const MAX_IDENTIFIER_LENGTH = 255
export const MAX_URL_LENGTH = 2048
export const MAX_AMOUNT = 10 ** 12
export const MAX_METADATA_BYTES = 8 * 1024
/** Levels of nested objects and arrays. */
export const MAX_JSON_DEPTH = 64
export const MAX_COOKIE_WINDOW_DAYS = 365
export const MAX_WEBSITES = 20
/** Landing pages of a partner group. */
export const MAX_LANDING_PAGES = 20
/** Partners moved to another group in one call. */
export const MAX_MOVED_PARTNERS = 500
/** Rows of a list that can be selected for a bulk action, and rows per call. */
export const MAX_SELECTED = 5_000
export const MAX_BULK = 100
export const MAX_PAGE_SIZE = 200
/** The largest row ID (a Postgres integer). */
export const MAX_ROW_ID = 2_147_483_647

/** The tracking status counts at most this many test events per step. */
export const MAX_COUNTED_TEST_EVENTS = 10

export const BROWSER_CALLS_PER_MINUTE = 1_200
export const KEYED_CALLS_PER_MINUTE = 6_000
/** Covers every call that hashes a password: sign-in, sign-up, applications and resets. */
export const SIGN_IN_ATTEMPTS_PER_MINUTE = 10
/** Per program and IP address. */
export const WRONG_SIGNATURES_PER_MINUTE = 120
/** Per program with its key or from the dashboard, and the same again for calls without a key. */
export const TEST_EVENTS_PER_MINUTE = 60
/** Per signed-in user, and per IP address without a session. */
export const DASHBOARD_CALLS_PER_MINUTE = 1_200
/** Per IP address, signed in or not. Higher, because an office shares one address. */
export const DASHBOARD_CALLS_PER_ADDRESS = 12_000

/** Reports about a period with more events than this may be kept for some minutes. */
export const MAX_LIVE_EVENTS = 100_000

/** Open event streams per workspace and process. */
export const MAX_STREAMS_PER_WORKSPACE = 40
/** Per user across all workspaces, so that one user cannot use up a workspace's streams. */
export const MAX_STREAMS_PER_USER = 6

/** A day: commissions of sales this soon after the click can wait for a review. */
export const MAX_REVIEW_SECONDS = 86_400
