import { Link } from '@tanstack/react-router'
import type { SaleDetail } from '@tributary/contract'
import { Merge } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { formatTime } from '~/components/format/format.ts'

/** The sale turned out to be the same payment as another sale, which counts instead. */
export const MergedNotice = ({ sale: { voidedAt, mergedInto } }: { sale: SaleDetail }) => {
  const { program } = useProgram()
  return (
    <p className="flex gap-2 rounded-xl bg-warn-soft px-4 py-3 text-sm text-warn-ink [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      <Merge aria-hidden />
      <span>
        This sale no longer counts{voidedAt && ` since ${formatTime(voidedAt)}`}: it is the same payment as another
        sale.{' '}
        {mergedInto !== null && (
          <Link
            to="/programs/$programId/sales/$saleId"
            params={{ programId: String(program.id), saleId: String(mergedInto) }}
            className="font-medium underline"
          >
            View the other sale
          </Link>
        )}
      </span>
    </p>
  )
}
