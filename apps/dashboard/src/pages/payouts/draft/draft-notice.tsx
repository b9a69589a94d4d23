import { Link } from '@tanstack/react-router'
import type { PayoutPreview } from '@tributary/contract'
import { CalendarClock } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { isReady } from '../totals.ts'

const describe = (preview: PayoutPreview) => {
  const due = preview.filter(({ excludedReason }) => excludedReason === null)
  if (due.length === 0) return 'Nothing in the scheduled payout draft is payable anymore.'
  if (!due.some(isReady)) return 'None of the payments in the scheduled payout draft can be sent yet.'
  return 'A scheduled payout draft is ready for review. Confirming it creates the payments; you send the money yourself.'
}

/** A draft waits until a member decides, even if its balances have since been paid or reversed. */
export const DraftNotice = ({ preview }: { preview: PayoutPreview }) => {
  const { program } = useProgram()
  const { data } = useCall('get /api/programs/{programId}/payouts/schedule', { programId: program.id })
  if (!data || data.openDraftId === null) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-warn-soft px-5 py-3 text-sm text-warn-ink">
      <p className="flex min-w-0 items-start gap-2">
        <CalendarClock aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>{describe(preview)}</span>
      </p>
      <Link
        to="/programs/$programId/payouts/draft"
        params={{ programId: String(program.id) }}
        className={buttonClass({ look: 'primary', size: 'small' })}
      >
        Review draft
      </Link>
    </div>
  )
}
