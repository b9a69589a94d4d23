import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { describeHeld, describeNext, releasable } from './hold-text.ts'
import { type HoldScope, ReleaseHolds, useHolds } from './release-holds.tsx'

/** What a changed hold period means for commissions that are held already, and an offer to release them. */
export const HoldNotice = ({ scope, whose }: { scope: HoldScope; whose: string }) => {
  const { may } = useProgram()
  const [isReleasing, setReleasing] = useState(false)
  const rows = useHolds(scope).data?.data ?? []
  const held = releasable(rows)
  const next = describeNext(rows)
  if (held.length === 0) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-sunken px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 basis-64 text-pretty text-soft">
        Commissions {whose} that are already held keep their date: {describeHeld(held)}.{next && ` ${next}.`}
      </p>
      {may('payout:manage') && (
        <Button size="small" onClick={() => setReleasing(true)}>
          Release them now
        </Button>
      )}
      <ReleaseHolds scope={scope} whose={whose} open={isReleasing} onOpenChange={setReleasing} />
    </div>
  )
}
