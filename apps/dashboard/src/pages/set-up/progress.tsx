import type { TrackingStatus } from '@tributary/contract'
import { clsx } from 'clsx'
import { Card } from '~/components/card.tsx'

/** How far the set-up is, at a glance. */
export const Progress = ({ statuses }: { statuses: TrackingStatus['stepStatuses'] }) => {
  const steps = [statuses.pageview, statuses.referrals, statuses.payments]
  const done = steps.filter((step) => step === 'complete').length
  return (
    <Card className="flex items-center gap-4 px-5 py-3.5">
      <p aria-live="polite" className="whitespace-nowrap font-medium text-sm tabular-nums">
        {done} of {steps.length} complete
      </p>
      <div aria-hidden className="grid flex-1 grid-cols-3 gap-1.5">
        {Object.entries(statuses).map(([name, step]) => (
          <span
            key={name}
            className={clsx('h-1.5 rounded-full transition-colors', step === 'complete' ? 'bg-accent' : 'bg-line')}
          />
        ))}
      </div>
    </Card>
  )
}
