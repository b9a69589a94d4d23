import { sized } from '../support/size.ts'

/** A second or two in `npm test`, `small` in the long run, 100,000 cases with NIGHTLY=1. */
export const NIGHTLY = process.env.NIGHTLY === '1'

/** Far above the duration of a run, also on a busy machine. */
export const NIGHTLY_TIMEOUT_MS = NIGHTLY ? 12 * 3_600_000 : sized({ short: 90_000, long: 1_200_000 })

export const cases = ({ short, small, nightly }: { short?: number; small: number; nightly: number }) =>
  NIGHTLY ? nightly : sized({ short: short ?? small, long: small })
