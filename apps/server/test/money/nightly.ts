/** A few seconds in `npm test`; 100,000 cases with NIGHTLY=1. */
export const NIGHTLY = process.env.NIGHTLY === '1'

/** Far above what a run takes; bun would end a nightly one after the usual seconds. */
export const NIGHTLY_TIMEOUT_MS = NIGHTLY ? 12 * 3_600_000 : 90_000

export const cases = ({ small, nightly }: { small: number; nightly: number }) => (NIGHTLY ? nightly : small)
