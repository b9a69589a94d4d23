import { formatClock } from './time-zone.ts'

/** Expensive totals are cached for some minutes. */
export const AsOf = ({ asOf }: { asOf: string }) => (
  <p className="text-soft text-sm">
    As of <time dateTime={asOf}>{formatClock(asOf)}</time>
  </p>
)
