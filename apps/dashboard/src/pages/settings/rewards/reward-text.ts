import type { RewardAnswer, RewardRule } from '@tributary/contract'
import { formatCount, formatMoney, formatRate } from '~/components/format/format.ts'

type SaleTerms = Omit<NonNullable<RewardAnswer['sale']>, 'rules'> & { rules?: RewardRule[] | undefined }
type Terms = Pick<RewardAnswer, 'lead' | 'currency'> & { sale: SaleTerms | null }

/** Labels in the form and the audit log. */
export const REWARD_LABELS = {
  sale: 'Sale reward',
  lead: 'Lead reward',
  holdDays: 'Hold period (days)',
  minimumPayoutCents: 'Minimum payout',
} as const

const describeDuration = ({ duration, months }: SaleTerms) => {
  if (duration === 'first') return 'the first sale'
  if (duration === 'lifetime') return 'every sale'
  return `every sale within ${formatCount(months ?? 1, 'month')} of a customer’s first sale`
}

const describeSale = ({ sale, currency }: Terms) => {
  if (!sale) return null
  if (sale.duration === undefined) return `Sales by ${formatCount(sale.rules?.length ?? 0, 'rule')}`
  const share =
    sale.percentBps === undefined
      ? `${formatMoney(sale.amountCents ?? 0, currency)} for`
      : `${formatRate(sale.percentBps / 10_000)} of`
  return `${share} ${describeDuration(sale)}`
}

/** "20% of every sale, plus $2.00 per lead" */
export const describeReward = (terms: Terms) => {
  const parts = [describeSale(terms), terms.lead && `${formatMoney(terms.lead.amountCents, terms.currency)} per lead`]
  return parts.filter(Boolean).join(', plus ') || 'No reward'
}

export const minimumText = ({ minimumPayoutCents, currency }: RewardAnswer) =>
  minimumPayoutCents === 0 ? 'No minimum' : formatMoney(minimumPayoutCents, currency)
