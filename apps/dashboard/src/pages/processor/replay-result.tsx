import { ArrowRight } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { formatCount, formatMoney, formatNumber } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'
import { reasonText } from '../explain/reason-text.ts'
import { ChangedSales } from './changed-sales.tsx'
import type { Replayed } from './use-replay.ts'

const SHOWN = 50

/** Totals first, then each changed event. */
export const ReplayResult = ({ result }: { result: Replayed }) => {
  const { dryRun, events, changes, changedSales } = result
  const count = formatCount(events, 'event')
  if (changes.length === 0 && changedSales.length === 0)
    return (
      <p role="status" className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
        {events === 0
          ? 'No events since this date.'
          : `${dryRun ? 'No changes' : 'Nothing changed'}. ${count} ${events === 1 ? 'has' : 'have'} the same outcome as before.`}
      </p>
    )
  return (
    <div role="status" className="flex flex-col gap-3 text-sm">
      <p className="font-medium">
        {formatNumber(changes.length)} of {count} {dryRun ? 'would change' : 'changed'}.
      </p>
      <Money result={result} />
      {changedSales.length > 0 && <ChangedSales sales={changedSales} />}
      <Scrollable
        label="Changes"
        className="max-h-64 overflow-y-auto rounded-lg border border-line focus-visible:-outline-offset-2"
      >
        <ul className="divide-y divide-line">
          {changes.slice(0, SHOWN).map(({ id, type, before, after }) => (
            <li key={id} className="flex flex-col gap-1 px-3.5 py-2.5">
              <span className="wrap-anywhere font-medium">{type}</span>
              <span className="flex items-center gap-1.5">
                <StateChip state={before.fate} /> <ArrowRight aria-label="to" className="size-3.5 text-faint" />{' '}
                <StateChip state={after.fate} />
              </span>
              <span className="text-pretty text-faint text-xs">{reasonText(after.reason)}</span>
            </li>
          ))}
        </ul>
      </Scrollable>
      {changes.length > SHOWN && <p className="text-faint text-xs">And {formatNumber(changes.length - SHOWN)} more.</p>}
    </div>
  )
}

const signed = (count: number) => `${count > 0 ? '+' : ''}${formatNumber(count)}`

const Money = ({ result: { sales, salesCents, refunds, refundedCents } }: { result: Replayed }) => {
  const { program } = useProgram()
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <dl className="grid grid-cols-2 gap-px bg-line">
        {[
          { label: 'Sales', count: sales, cents: salesCents },
          { label: 'Refunds', count: refunds, cents: refundedCents },
        ].map(({ label, count, cents }) => (
          <div key={label} className="bg-surface px-3.5 py-2.5">
            <dt className="text-faint text-xs">{label}</dt>
            <dd className="font-semibold tabular-nums">
              {signed(count)} <span className="font-normal text-soft">{formatMoney(cents, program.currency)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="border-line border-t px-3.5 py-1.5 text-faint text-xs">
        Across the whole workspace, all currencies combined.
      </p>
    </div>
  )
}
