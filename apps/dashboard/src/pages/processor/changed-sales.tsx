import type { ReplayAnswer } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { formatMoney, formatNumber } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'

type Change = ReplayAnswer['sales'][number]
type State = Change['after']

const SHOWN = 50

/** Partner, amounts and commission of each changed sale, before and after. */
export const ChangedSales = ({ sales }: { sales: Change[] }) => (
  <Scrollable
    label="Changed sales"
    className="max-h-64 overflow-auto rounded-lg border border-line focus-visible:-outline-offset-2"
  >
    <table className="w-full text-left">
      <caption className="sr-only">Changed sales</caption>
      <thead className="text-faint text-xs">
        <tr className="border-line border-b">
          <th scope="col" className="px-3.5 py-2 font-medium">
            Sale
          </th>
          <th scope="col" className="px-3.5 py-2 font-medium">
            Before
          </th>
          <th scope="col" className="px-3.5 py-2 font-medium">
            After
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {sales.slice(0, SHOWN).map(({ before, after }) => (
          <tr key={`${after.programId} ${after.saleId}`} className="align-top">
            <th scope="row" className="wrap-anywhere px-3.5 py-2 font-medium">
              {after.invoiceId}
            </th>
            <td className="px-3.5 py-2 text-soft">{before ? <SaleState sale={before} /> : 'No sale'}</td>
            <td className="px-3.5 py-2">
              <SaleState sale={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {sales.length > SHOWN && (
      <p className="border-line border-t px-3.5 py-2 text-faint text-xs">
        And {formatNumber(sales.length - SHOWN)} more.
      </p>
    )}
  </Scrollable>
)

/** A replay spans the workspace and returns no currencies, so amounts use the program's currency. */
const SaleState = ({ sale }: { sale: State }) => {
  const { program } = useProgram()
  const money = (cents: number) => formatMoney(cents, program.currency)
  const lines = [
    sale.isVoided ? 'Merged into another sale' : (sale.partnerName ?? 'No partner'),
    `Paid ${money(sale.amountCents)}${sale.refundedCents > 0 ? `, ${money(sale.refundedCents)} refunded` : ''}`,
    `Commission ${money(sale.commissionCents)}${sale.disputedCents > 0 ? `, ${money(sale.disputedCents)} in dispute` : ''}`,
  ]
  return lines.map((line) => (
    <span key={line} className="block whitespace-nowrap tabular-nums">
      {line}
    </span>
  ))
}
