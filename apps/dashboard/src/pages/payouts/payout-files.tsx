import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PayoutFileFormat, PayoutLine } from '@tributary/contract'
import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react'
import { fileOf, type Input } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatCount } from '~/components/format/format.ts'
import { exclusionReason } from '~/components/format/money-state.ts'
import { saveFile } from '~/components/lists/download.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { totalsByCurrency } from './totals.ts'

const REASONS = ['not approved', 'needs payout details', 'payout details changed', 'other payout method'] as const

const EXPORT = 'post /api/programs/{programId}/payouts/{payoutId}/export'

/** Tells the user which open lines the file excludes. */
const excludedText = (lines: PayoutLine[], format: PayoutFileFormat, currency?: string) => {
  if (format === 'csv') return ''
  const payable = lines.filter((line) => line.currency === currency && line.amountCents > 0)
  const reasons = payable.map((line) => exclusionReason(line, [format]))
  const parts = REASONS.map((reason) => ({ reason, count: reasons.filter((one) => one === reason).length }))
  const texts = parts
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `${formatCount(count, 'payment')} (${reason})`)
  return texts.length > 0 ? ` Excluded: ${texts.join(', ')}.` : ''
}

/** PayPal and Wise files, one per currency, and a CSV of all lines. */
export const PayoutFiles = ({ payoutId, lines }: { payoutId: number; lines: PayoutLine[] }) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const exporting = useMutation({
    mutationFn: (body: Input<typeof EXPORT>['body']) => fileOf(EXPORT, { programId: program.id, payoutId, body }),
    onSuccess: () => void queries.invalidateQueries(),
  })
  const save = (format: PayoutFileFormat, currency?: string) => {
    const name = ['payout', payoutId, format, currency?.toLowerCase()].filter(Boolean).join('-')
    exporting.mutate(
      { format, currency },
      {
        onSuccess: (blob) => {
          saveFile(blob, `${name}.csv`)
          toast.done(`${name}.csv downloaded.${excludedText(lines, format, currency)}`)
        },
        onError: toast.failed,
      },
    )
  }
  return (
    <Menu
      trigger={
        <button type="button" className={buttonClass()}>
          <Download aria-hidden /> Export <ChevronDown aria-hidden />
        </button>
      }
    >
      {totalsByCurrency(lines).map(({ currency }) => (
        <div key={currency}>
          <MenuLabel>{currency}</MenuLabel>
          <MenuItem onSelect={() => save('paypal', currency)}>
            <FileSpreadsheet aria-hidden /> PayPal file ({currency})
          </MenuItem>
          <MenuItem onSelect={() => save('wise', currency)}>
            <FileSpreadsheet aria-hidden /> Wise file ({currency})
          </MenuItem>
          <MenuSeparator />
        </div>
      ))}
      <MenuItem onSelect={() => save('csv')}>
        <FileSpreadsheet aria-hidden /> All payments (CSV)
      </MenuItem>
    </Menu>
  )
}
