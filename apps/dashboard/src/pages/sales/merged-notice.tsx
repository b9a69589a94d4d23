import { Link } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import type { SaleDetail } from '~/api/money/sales.ts'
import { useProgram } from '~/app/program-context.ts'
import { formatTime } from '~/components/format/format.ts'

/** A sale that turned out to be one payment with another counts no more; the other one does. */
export const MergedNotice = ({ sale: { voidedAt, mergedInto } }: { sale: SaleDetail }) => {
  const { program } = useProgram()
  return (
    <p className="flex gap-2 rounded-xl bg-warn-soft px-4 py-3 text-sm text-warn-ink [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      <Merge aria-hidden />
      <span>
        This sale no longer counts{voidedAt && ` since ${formatTime(voidedAt)}`}: it was the same payment as another.{' '}
        {mergedInto !== null && (
          <Link
            to="/programs/$programId/sales/$saleId"
            params={{ programId: String(program.id), saleId: String(mergedInto) }}
            className="font-medium underline"
          >
            See the sale that counts
          </Link>
        )}
      </span>
    </p>
  )
}
