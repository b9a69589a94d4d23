import type { UseQueryResult } from '@tanstack/react-query'
import type { PayoutPreview } from '@tributary/contract'
import { Banknote } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import type { List } from '~/api/client.ts'
import { useReward } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCalendarDate, formatCount, formatMoney } from '~/components/format/format.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { describeNext, releasable } from '../holds/hold-text.ts'
import { ReleaseHolds, useHolds } from '../holds/release-holds.tsx'
import { formatTotals, isReady, totalsByCurrency } from './totals.ts'

/** `onCreate` is null for members who may not create a payout, and while a draft waits. */
type Props = { preview: UseQueryResult<List<PayoutPreview[number]>>; onCreate: (() => void) | null }

export const ReadyToPay = ({ preview, onCreate }: Props) => (
  <Card weight="lead" className="px-5 py-4">
    <QueryView query={preview} loading={<ReadySkeleton />}>
      {({ data }) => <Ready due={data.filter(({ excludedReason }) => excludedReason === null)} onCreate={onCreate} />}
    </QueryView>
  </Card>
)

const NOTHING = 'Nothing is ready to pay'

const Ready = ({ due, onCreate }: { due: PayoutPreview } & Pick<Props, 'onCreate'>) => {
  const { program } = useProgram()
  const ready = due.filter(isReady)
  const holds = useHolds().data?.data ?? []
  const next = describeNext(holds)
  const isWaiting = due.length === 0 && next !== null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h2 className="text-soft text-sm">{isWaiting ? NOTHING : 'Ready to pay'}</h2>
        <p className="mt-0.5 text-figure">
          {isWaiting ? next : <Amounts of={totalsByCurrency(ready)} currency={program.currency} />}
        </p>
        {due.length > 0 && next && <p className="mt-1 text-soft text-sm">{next}.</p>}
        <p className="mt-1 text-faint text-xs">
          {!isWaiting && `${ready.length > 0 ? `To ${formatCount(countPartners(ready), 'partner')}` : NOTHING} · `}
          <Minimum />
          <NextDraft />
        </p>
        <NotReady due={due} />
      </div>
      <div className="flex flex-wrap gap-2">
        {releasable(holds).length > 0 && <ReleaseButton />}
        {onCreate && (due.length > 0 || next === null) && (
          <Button look="primary" disabled={due.length === 0} onClick={onCreate}>
            <Banknote aria-hidden /> Create payout
          </Button>
        )}
      </div>
    </div>
  )
}

const ReleaseButton = () => {
  const { may } = useProgram()
  const [isReleasing, setReleasing] = useState(false)
  if (!may('payout:manage')) return null
  return (
    <>
      <Button onClick={() => setReleasing(true)}>Release held commissions</Button>
      <ReleaseHolds whose="of all partners" open={isReleasing} onOpenChange={setReleasing} />
    </>
  )
}

type Due = Pick<
  PayoutPreview[number],
  'partnerId' | 'currency' | 'amountCents' | 'needsDetails' | 'destinationHeldUntil'
>

/** Due balances without usable payout details, by reason. The amount above leaves them out. */
export const NotReady = ({ due }: { due: Due[] }) => {
  const missing = due.filter(({ needsDetails }) => needsDetails)
  const changed = due.filter((balance) => !isReady(balance) && !balance.needsDetails)
  return (
    <>
      {missing.length > 0 && (
        <span className="mt-1 block text-warn-ink text-xs">
          Not included: {formatCount(countPartners(missing), 'partner')} ({formatTotals(missing)}){' '}
          {countPartners(missing) === 1 ? 'has' : 'have'} no payout details.
        </span>
      )}
      {changed.length > 0 && (
        <span className="mt-1 block text-warn-ink text-xs">
          Not included: {formatCount(countPartners(changed), 'partner')} ({formatTotals(changed)}) changed payout
          details in the last 48 hours, so payment is paused.
        </span>
      )}
    </>
  )
}

const countPartners = (due: Due[]) => new Set(due.map(({ partnerId }) => partnerId)).size

const Minimum = () => {
  const { program } = useProgram()
  const { data } = useReward(program.id)
  if (!data) return null
  if (data.minimumPayoutCents === 0) return 'No minimum payout'
  return `Minimum ${formatMoney(data.minimumPayoutCents, data.currency)} per partner`
}

const NextDraft = () => {
  const { program } = useProgram()
  const { data } = useCall('get /api/programs/{programId}/payouts/schedule', { programId: program.id })
  return data?.nextOn && !data.openDraftId ? ` · Next draft on ${formatCalendarDate(data.nextOn)}` : null
}

const ReadySkeleton = () => (
  <Loading className="flex flex-col gap-2">
    <Skeleton className="h-4 w-24" />
    <Skeleton className="h-8 w-40" />
    <Skeleton className="h-3 w-32" />
  </Loading>
)
