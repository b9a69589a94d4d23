import type { CommissionTotal } from '@tributary/contract'
import { ScanEye } from 'lucide-react'
import { Button } from '~/components/controls/button.tsx'
import { formatList, formatMoney, formatNumber } from '~/components/format/format.ts'

type Props = { totals: CommissionTotal[]; onOpen: () => void }

export const ReviewNotice = ({ totals, onOpen }: Props) => {
  const waiting = totals.filter(({ state }) => state === 'review')
  const count = waiting.reduce((sum, total) => sum + total.count, 0)
  if (count === 0) return null
  const amounts = formatList(waiting.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-warn-soft px-5 py-3 text-sm text-warn-ink">
      <p className="flex min-w-0 items-start gap-2">
        <ScanEye aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {formatNumber(count)} {count === 1 ? 'commission needs' : 'commissions need'} your review ({amounts}).
        </span>
      </p>
      <Button size="small" onClick={onOpen}>
        Review commissions
      </Button>
    </div>
  )
}
