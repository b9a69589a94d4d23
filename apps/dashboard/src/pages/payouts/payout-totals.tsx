import type { PayoutLine } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount } from '~/components/format/format.ts'
import { displayLineState } from '~/components/format/money-state.ts'
import { totalsByCurrency } from './totals.ts'

const PARTS: { status: PayoutLine['status']; label: string }[] = [
  { status: 'open', label: 'Open' },
  { status: 'paid', label: 'Paid' },
  { status: 'failed', label: 'Failed' },
]

export const PayoutTotals = ({ lines }: { lines: PayoutLine[] }) => {
  const { program } = useProgram()
  const emptied = lines.filter((line) => line.emptied).length
  return (
    <Card weight="lead" className="overflow-hidden">
      <dl className="grid grid-cols-3 gap-px bg-line">
        {PARTS.map(({ status, label }) => {
          const some = lines.filter((line) => displayLineState(line) === status)
          return (
            <div key={status} className="min-w-0 bg-surface px-3 py-3.5 sm:px-5">
              <dt className="text-soft text-sm">{label}</dt>
              <dd className="mt-0.5 text-section sm:text-total">
                <Amounts of={totalsByCurrency(some)} currency={program.currency} />
              </dd>
              <dd className="mt-1 text-faint text-xs">
                {formatCount(some.length, 'payment')}
                {status === 'failed' && emptied > 0 && `, plus ${emptied} with nothing to pay`}
              </dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}
