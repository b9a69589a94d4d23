/** Sizes and rates of the wire. A caller who stays within them is never refused for size or pace. */

export const MAX_BODY_BYTES = 64 * 1024
export const MAX_AFF_LENGTH = 128
export const MAX_IDENTIFIER_LENGTH = 255
export const MAX_URL_LENGTH = 2048
export const MAX_AMOUNT = 10 ** 12
export const MAX_METADATA_BYTES = 8 * 1024
export const MAX_COOKIE_WINDOW_DAYS = 365
export const MAX_PAGE_SIZE = 200
/** The largest number that a row can have. */
export const MAX_ROW_ID = 2_147_483_647

/** The status answer looks at no more than this many test events of a step. */
export const MAX_COUNTED_TEST_EVENTS = 10

export const BROWSER_CALLS_PER_MINUTE = 1_200
export const KEYED_CALLS_PER_MINUTE = 6_000
/** Of everything that costs the hashing of a password: sign-in, sign-up, applications, resets. */
export const SIGN_IN_ATTEMPTS_PER_MINUTE = 10
export const TEST_EVENTS_PER_MINUTE = 60
