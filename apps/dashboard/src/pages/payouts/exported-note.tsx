import type { PayoutLine } from '@tributary/contract'
import { formatDate, formatMoney } from '~/components/format/format.ts'

type Props = { line: PayoutLine; className: string }

/** The highest exported amount, if it differs from the line's amount. */
export const ExportedNote = ({ line: { exportedCents, exportedAt, amountCents, currency }, className }: Props) => {
  if (exportedCents === null || exportedCents === amountCents) return null
  return (
    <p className={className}>
      Exported: {formatMoney(exportedCents, currency)}
      {exportedAt && ` on ${formatDate(exportedAt)}`}
    </p>
  )
}
