import { formatClock } from './time-zone.ts'

/** Reports about many events are kept for some minutes. */
export const AsOf = ({ kept, asOf }: { kept: boolean; asOf: string }) =>
  kept && (
    <p className="text-soft text-sm">
      As of <time dateTime={asOf}>{formatClock(asOf)}</time>
    </p>
  )
