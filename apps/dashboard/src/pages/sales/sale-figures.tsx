import type { SaleDetail } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Figures } from '~/components/facts/fact-list.tsx'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import { displayState } from '~/components/format/money-state.ts'
import { PartnerCell } from '../partners/partner-link.tsx'
import { creditSource } from './credit-source.ts'
import { ADJUSTED } from './sale-cells.tsx'

export const SaleFigures = ({ sale }: { sale: SaleDetail }) => {
  const { program } = useProgram()
  const { amountCents, grossCents, refundedCents, currency } = sale
  const { commissionCents, commissionReversedCents: reversed, commissionCurrency } = sale
  // The commission card below shows the same state.
  const input = { programId: program.id, saleId: sale.id }
  const earned = useCall('get /api/programs/{programId}/sales/{saleId}/explain', input).data?.commission
  const commission = (cents: number) => formatMoney(cents, commissionCurrency ?? currency)
  return (
    <Figures
      figures={[
        {
          label: grossCents === null ? 'Amount' : 'Amount without tax',
          value: formatMoney(amountCents, currency),
          note:
            grossCents === null
              ? formatTime(sale.soldAt)
              : `${formatMoney(grossCents, currency)} with tax, ${formatTime(sale.soldAt)}`,
        },
        {
          label: 'Refunded',
          value: formatMoney(refundedCents, currency),
          note: refundedCents > 0 && `${formatMoney(amountCents - refundedCents, currency)} left`,
        },
        {
          label: 'Credited to',
          value: sale.partnerId === null ? 'No partner' : <PartnerCell row={sale} whole />,
          note: sale.adjustmentType
            ? ADJUSTED[sale.adjustmentType]
            : sale.aff
              ? `Link code: ${sale.aff}`
              : creditSource(sale),
        },
        {
          label: 'Commission',
          value: commissionCents === null ? '–' : commission(commissionCents - (reversed ?? 0)),
          note: earned && (
            <span className="flex flex-wrap items-center gap-x-2">
              <StateChip state={displayState(earned)} />
              {reversed && commissionCents !== null
                ? `Earned ${commission(commissionCents)}, reversed ${commission(reversed)}`
                : null}
            </span>
          ),
        },
      ]}
    />
  )
}
