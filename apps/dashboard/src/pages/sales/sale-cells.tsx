import type { SaleRow } from '@tributary/contract'
import { Badge, StateChip } from '~/components/badge.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { reasonText } from '../explain/reason-text.ts'
import { PartnerCell } from '../partners/partner-link.tsx'
import { creditSource } from './credit-source.ts'

/** How a member gave the sale to its partner. */
export const ADJUSTED = { credit: 'Credited manually', move: 'Moved' }

/** The credited partner, or the reason there is none. */
export const Credit = ({ sale }: { sale: SaleRow }) => (
  <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
    {sale.state === 'credited' ? <PartnerCell row={sale} /> : <StateChip state={sale.state} />}
    {sale.adjustmentType && <Badge>{ADJUSTED[sale.adjustmentType]}</Badge>}
    {sale.disputed && <Badge tone="warn">In dispute</Badge>}
    {sale.state === 'credited' && (
      <span className="wrap-anywhere block w-full text-faint text-xs max-sm:hidden">{creditSource(sale)}</span>
    )}
    {sale.state === 'uncredited' && sale.reason && (
      <span className="block w-full max-w-sm text-pretty text-soft text-xs max-sm:sr-only">
        {reasonText(sale.reason)}
      </span>
    )}
  </span>
)

/** The net commission, and how much was reversed. */
export const Commission = ({ sale }: { sale: SaleRow }) => {
  const { commissionCents, commissionReversedCents, commissionCurrency } = sale
  if (sale.noCommissionReason === 'no_terms') return <Badge tone="warn">No reward set</Badge>
  if (commissionCents === null || commissionCurrency === null) return <span className="text-faint">–</span>
  const reversedCents = commissionReversedCents ?? 0
  return (
    <span className="whitespace-nowrap">
      {formatMoney(commissionCents - reversedCents, commissionCurrency)}
      {reversedCents > 0 && (
        <span className="block text-faint text-xs">
          Earned {formatMoney(commissionCents, commissionCurrency)}, reversed{' '}
          {formatMoney(reversedCents, commissionCurrency)}
        </span>
      )}
    </span>
  )
}

/** The amount before refunds, which the list sorts by, and how much was refunded. */
export const Amount = ({ sale: { amountCents, refundedCents, currency } }: { sale: SaleRow }) => (
  <span className="whitespace-nowrap">
    {formatMoney(amountCents, currency)}
    {refundedCents > 0 && (
      <span className="block text-faint text-xs">
        {refundedCents === amountCents ? 'refunded in full' : `${formatMoney(refundedCents, currency)} refunded`}
      </span>
    )}
  </span>
)
