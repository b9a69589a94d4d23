import { Link } from '@tanstack/react-router'
import type { EarlierEvents } from '@tributary/contract'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatCount, formatList } from '~/components/format/format.ts'

/** "3 sales and 2 leads"; empty if there are none. */
export const countEarlier = ({ leads, sales }: Pick<EarlierEvents, 'leads' | 'sales'>) =>
  formatList([...(sales > 0 ? [formatCount(sales, 'sale')] : []), ...(leads > 0 ? [formatCount(leads, 'lead')] : [])])

/** Shown while the program has no reward. */
export const NoRewardNotice = () => {
  const { program } = useProgram()
  const { lead, sale, version } = program.reward
  const isUnpaid = lead === null && sale === null
  const options = { enabled: isUnpaid && version === null }
  const earlier = useCall('get /api/programs/{programId}/reward/earlier', { programId: program.id }, options)
  if (!isUnpaid) return null
  const missed = earlier.data?.canApply ? countEarlier(earlier.data) : ''
  return (
    <RewardWarning action="Set a reward">
      No reward is set, so partners earn nothing for leads and sales.
      {missed && ` You can apply your first reward to ${missed} recorded so far.`}
    </RewardWarning>
  )
}

/** A warning that links to the reward form if the user may change it. */
export const RewardWarning = ({ action, children }: { action: string; children: ReactNode }) => {
  const { program, may } = useProgram()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-warn-soft px-5 py-3 text-sm text-warn-ink">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {children}
          {!may('payout:manage') && ' Ask an owner or admin to set it.'}
        </span>
      </p>
      {may('payout:manage') && (
        <Link
          to="/programs/$programId/settings/rewards"
          params={{ programId: String(program.id) }}
          className={buttonClass({ size: 'small' })}
        >
          {action}
        </Link>
      )}
    </div>
  )
}
