import { usePartnerNames } from '~/api/partners.ts'
import type { SaleDetail } from '~/api/sales.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Figures } from '~/components/fact-list.tsx'
import { formatMoney, formatTime } from '~/components/format.ts'

export const SaleFigures = ({ sale }: { sale: SaleDetail }) => {
  const { program } = useProgram()
  const partnerName = usePartnerNames(program.id)
  const { amountCents, refundedCents, currency, commissionCents, commissionCurrency, commissionState, linkId } = sale
  return (
    <Figures
      figures={[
        { label: 'Amount', value: formatMoney(amountCents, currency), note: formatTime(sale.soldAt) },
        {
          label: 'Refunded',
          value: refundedCents > 0 ? formatMoney(refundedCents, currency) : '–',
          note: refundedCents > 0 && `${formatMoney(amountCents - refundedCents, currency)} left`,
        },
        { label: 'Credited to', value: partnerName(sale.partnerId) ?? 'Nobody', note: linkId && `Link ${linkId}` },
        {
          label: 'Commission',
          value: commissionCents === null ? '–' : formatMoney(commissionCents, commissionCurrency ?? currency),
          note: commissionState && <StateChip state={commissionState} />,
        },
      ]}
    />
  )
}
