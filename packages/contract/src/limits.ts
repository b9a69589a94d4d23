/** Sizes and rates of the wire. A caller who stays within them is never refused for size or pace. */

export const MAX_BODY_BYTES = 64 * 1024
export const MAX_AFF_LENGTH = 128
export const MAX_IDENTIFIER_LENGTH = 255
export const MAX_URL_LENGTH = 2048
export const MAX_AMOUNT = 10 ** 12
export const MAX_METADATA_BYTES = 8 * 1024
/** Levels of objects and arrays inside one another. */
export const MAX_JSON_DEPTH = 64
export const MAX_COOKIE_WINDOW_DAYS = 365
export const MAX_WEBSITES = 20
export const MAX_PAGE_SIZE = 200
/** The largest number that a row can have. */
export const MAX_ROW_ID = 2_147_483_647

/** The status answer looks at no more than this many test events of a step. */
export const MAX_COUNTED_TEST_EVENTS = 10

export const BROWSER_CALLS_PER_MINUTE = 1_200
export const KEYED_CALLS_PER_MINUTE = 6_000
/** Of everything that costs the hashing of a password: sign-in, sign-up, applications, resets. */
export const SIGN_IN_ATTEMPTS_PER_MINUTE = 10
/** Of webhooks of one program, from one address. */
export const WRONG_SIGNATURES_PER_MINUTE = 120
/** Of a program, with its key or from its dashboard, and as many again from everybody else. */
export const TEST_EVENTS_PER_MINUTE = 60
/** Of one signed-in user, and of one IP address without a valid session. Several open tabs stay far below it. */
export const DASHBOARD_CALLS_PER_MINUTE = 1_200
/** Of one IP address, signed in or not: an office shares one. */
export const DASHBOARD_CALLS_PER_ADDRESS = 12_000

/** Live views of events that the members of one workspace have open together, in one process. */
export const MAX_STREAMS_PER_WORKSPACE = 40
/** Of one user in all their workspaces: far fewer, so that nobody keeps the others of a workspace out. */
export const MAX_STREAMS_PER_USER = 6
