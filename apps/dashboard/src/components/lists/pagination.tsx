import type { Pagination as Facts } from '@tributary/contract'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from '../controls/button.tsx'
import { formatNumber } from '../format/format.ts'

type Props = {
  facts: Facts
  atLeast?: boolean
  onPage: (page: number) => void
  noun: string
  /** Needed if a page has several lists of the same noun. */
  label?: string
}

/** `atLeast`: the service stopped counting, so the total shows as "1,000+". */
export const Pagination = ({ facts, atLeast, onPage, noun, label = `Pages of ${noun}` }: Props) => {
  const { page, pageSize, pageCount, total } = facts
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  const things = total === 1 ? noun.replace(/ies$/, 'y').replace(/s$/, '') : noun
  const all = atLeast ? `${formatNumber(total)}+` : formatNumber(total)
  return (
    <nav
      aria-label={label}
      className="flex items-center justify-between gap-3 border-line border-t px-4 py-2.5 text-faint text-xs sm:px-5"
    >
      <p aria-live="polite" className="tabular-nums">
        {pageCount > 1 ? `${formatNumber(first)}–${formatNumber(last)} of ${all}` : all} {things}
      </p>
      {pageCount > 1 && (
        <div className="flex gap-1.5">
          <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft aria-hidden /> Previous
          </Button>
          <Button size="small" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
            Next <ChevronRight aria-hidden />
          </Button>
        </div>
      )}
    </nav>
  )
}
