import { CHECK_HEADER, type TestOrigin } from '@tributary/contract'

/** Of a test event without a key. The dashboard marks its own checks; forging the mark only makes an event prove less. */
export const originOf = (headers: Headers): TestOrigin => (headers.has(CHECK_HEADER) ? 'dashboard' : 'browser')
