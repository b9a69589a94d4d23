import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react'
import { fetchFile } from '~/api/client.ts'
import type { PayoutLine } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/button.tsx'
import { saveFile } from '~/components/download.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '~/components/menu.tsx'
import { toast } from '~/components/toast.tsx'
import { sumsOf } from './sums.ts'

type File = 'tributary' | 'paypal' | 'wise'

/** Whoever wants to be paid another way is not in the file, and whoever sends it should know. */
const leftOut = (open: PayoutLine[], file: File, currency?: string) => {
  const others = open.filter(
    (line) => file !== 'tributary' && line.currency === currency && (line.payoutDetails?.method ?? file) !== file,
  )
  if (others.length === 0) return ''
  return others.length === 1
    ? ' One line is not in it: that partner wants to be paid another way.'
    : ` ${others.length} lines are not in it: those partners want to be paid another way.`
}

/** The files that PayPal and Wise read, which take one currency each, and one of all lines for anything else. */
export const PayoutFiles = ({ payoutId, open }: { payoutId: number; open: PayoutLine[] }) => {
  const { program } = useProgram()
  const save = (file: File, currency?: string) => {
    const name = ['payout', payoutId, file, currency?.toLowerCase()].filter(Boolean).join('-')
    fetchFile(`/api/programs/${program.id}/payouts/${payoutId}/export`, { file, currency }).then((blob) => {
      saveFile(blob, `${name}.csv`)
      toast.done(`${name}.csv was saved.${leftOut(open, file, currency)}`)
    }, toast.failed)
  }
  return (
    <Menu
      trigger={
        <button type="button" className={buttonClass()}>
          <Download aria-hidden /> Export <ChevronDown aria-hidden />
        </button>
      }
    >
      {sumsOf(open).map(({ currency }) => (
        <div key={currency}>
          <MenuLabel>{currency}</MenuLabel>
          <MenuItem onSelect={() => save('paypal', currency)}>
            <FileSpreadsheet aria-hidden /> PayPal file, {currency}
          </MenuItem>
          <MenuItem onSelect={() => save('wise', currency)}>
            <FileSpreadsheet aria-hidden /> Wise file, {currency}
          </MenuItem>
          <MenuSeparator />
        </div>
      ))}
      <MenuItem onSelect={() => save('tributary')}>
        <FileSpreadsheet aria-hidden /> All open lines, CSV
      </MenuItem>
    </Menu>
  )
}
