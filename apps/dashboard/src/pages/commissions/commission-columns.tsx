import type { CommissionKind, CommissionRow } from '@tributary/contract'
import { StateChip } from '~/components/badge.tsx'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { codeLabel } from '~/components/format/labels.ts'
import { displayState } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { isErased } from '../customers/erased.ts'
import { PartnerLink, partnerProps } from '../partners/partner-link.tsx'
import { reviewReasonsText } from './review-reasons.ts'

/** The group is shown once there is more than the default group. */
export const columnsFor = (hasGroups: boolean): Column<CommissionRow>[] => [
  { header: 'Earned for', cell: (row) => <Origin commission={row} /> },
  { header: 'Partner', cell: (row) => <PartnerLink {...partnerProps(row)} /> },
  ...(hasGroups ? [{ header: 'Group', cell: ({ groupName }: CommissionRow) => groupName }] : []),
  { header: 'Status', cell: (row) => <State commission={row} /> },
  { header: 'Earned', cell: ({ earnedAt }) => <Ago at={earnedAt} />, align: 'right', sort: 'earnedAt' },
  { header: 'Amount', cell: (row) => <Amount commission={row} />, align: 'right', sort: 'amountCents' },
]

export const KINDS: Record<CommissionKind, string> = {
  sale: 'Sale',
  lead: 'Lead',
  bonus: 'Bonus',
  manual: 'Bonus',
}

/** The sale or lead it was earned with, and the customer, or why a member added it. */
const Origin = ({ commission }: { commission: CommissionRow }) => {
  const { kind, invoiceId, customerKey, byHand, adjustment } = commission
  return (
    <span className="block min-w-0">
      <span className="wrap-anywhere block font-medium">{invoiceId ?? KINDS[kind]}</span>
      {(kind === 'sale' || kind === 'lead') && (
        <span className="block max-w-56 truncate font-normal text-faint text-xs" title={customerKey ?? undefined}>
          {describeCustomer(commission)}
        </span>
      )}
      {byHand && adjustment && adjustment.type !== 'void' && (
        <span className="wrap-anywhere block max-w-60 font-normal text-faint text-xs">
          {kind === 'sale' && 'Credited manually: '}
          {adjustment.reason}
        </span>
      )}
    </span>
  )
}

/** Members who may not list customers see neither the customer nor the invoice. */
const describeCustomer = ({ id, customerKey, customerId }: CommissionRow) => {
  if (isErased(customerKey)) return 'Erased customer'
  return customerKey ?? (customerId ? 'Customer without a key' : `Commission ${id}`)
}

/** The state with its date or reason. */
export const State = ({ commission }: { commission: CommissionRow }) => {
  const { paidCents, currency, payableAt, partnerStatus, voidReason } = commission
  const state = displayState(commission)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 max-sm:justify-end">
      <StateChip state={state} />
      {state === 'held' && <span className="whitespace-nowrap text-faint text-xs">until {formatDate(payableAt)}</span>}
      {state === 'on_hold' && <span className="text-faint text-xs">while the partner is {partnerStatus}</span>}
      {state === 'voided' && <span className="wrap-anywhere text-faint text-xs">{voidReason}</span>}
      <TakenAway commission={commission} />
      <Disputed commission={commission} />
      {(commission.state === 'payable' || commission.state === 'held') && paidCents > 0 && (
        <span className="whitespace-nowrap text-faint text-xs">{formatMoney(paidCents, currency)} paid</span>
      )}
      {state === 'review' && <span className="text-faint text-xs">{reviewReasonsText(commission)}</span>}
    </span>
  )
}

const REVERSALS: Record<string, string> = {
  refund_reversed_part: 'Refunded in parts',
  refund_reversed_all: 'Refunded',
  refund_before_credit: 'Refunded before it was credited',
  dispute_lost: 'Dispute lost',
  review_rejected: 'Rejected',
}

/** Why a commission is at zero, unless it was voided. */
const TakenAway = ({ commission: { state, byHand, adjustment, reversalReason } }: { commission: CommissionRow }) => {
  if (state !== 'reversed' || adjustment?.type === 'void') return null
  if (!adjustment)
    return (
      reversalReason && (
        <span className="wrap-anywhere text-faint text-xs">
          {REVERSALS[reversalReason] ?? codeLabel(reversalReason)}
        </span>
      )
    )
  if (byHand) return adjustment.reversed && <span className="text-faint text-xs">undone</span>
  return <span className="wrap-anywhere text-faint text-xs">Sale moved to another partner: {adjustment.reason}</span>
}

/** Shown when only a part is disputed, or when the state says something else, such as paid or in review. */
const Disputed = ({ commission }: { commission: CommissionRow }) => {
  const { disputedCents, amountCents, reversedCents, currency } = commission
  const isWhole = disputedCents === amountCents - reversedCents
  if (disputedCents === 0 || (isWhole && displayState(commission) === 'in_dispute')) return null
  return <span className="text-faint text-xs">{formatMoney(disputedCents, currency)} in dispute</span>
}

/** The net amount, how the original was calculated, and later reversals. */
export const Amount = ({ commission }: { commission: CommissionRow }) => {
  const { amountCents, reversedCents, currency, saleAmountCents, saleCurrency, rateBps } = commission
  return (
    <span className="block whitespace-nowrap">
      <span className="block font-medium">{formatMoney(amountCents - reversedCents, currency)}</span>
      {saleAmountCents !== null && saleCurrency !== null && (
        <span className="block text-faint text-xs">
          {rateBps === null ? 'for' : `${rateBps / 100}% of`} {formatMoney(saleAmountCents, saleCurrency)}
        </span>
      )}
      {reversedCents > 0 && (
        <span className="block text-faint text-xs">
          Earned {formatMoney(amountCents, currency)}, reversed {formatMoney(reversedCents, currency)}
        </span>
      )}
    </span>
  )
}
