import type { RewardAnswer } from '@tributary/contract'
import { formatMoney, formatPercent } from '~/components/format/format.ts'

type Terms = Pick<RewardAnswer, 'lead' | 'sale' | 'currency'>

/** Labels in the form and the audit log. */
export const REWARD_LABELS = {
  sale: 'Sale reward',
  lead: 'Lead reward',
  holdDays: 'Hold period (days)',
  minimumPayoutCents: 'Minimum payout',
} as const

const DURATIONS = { first: 'of the first sale', lifetime: 'of every sale', months: '' }

const describeSale = ({ sale, currency }: Terms) => {
  if (!sale) return null
  const value =
    sale.percentBps === undefined
      ? formatMoney(sale.amountCents ?? 0, currency)
      : formatPercent(sale.percentBps / 10_000)
  if (sale.duration === 'months')
    return `${value} of sales in each customer’s first ${sale.months === 1 ? 'month' : `${sale.months} months`}`
  return sale.percentBps === undefined
    ? `${value} for ${sale.duration === 'first' ? 'the first sale' : 'every sale'}`
    : `${value} ${DURATIONS[sale.duration]}`
}

/** "20% of every sale and $2.00 per lead" */
export const describeReward = (terms: Terms) => {
  const parts = [describeSale(terms), terms.lead && `${formatMoney(terms.lead.amountCents, terms.currency)} per lead`]
  return parts.filter(Boolean).join(' and ') || 'No reward'
}

export const minimumText = ({ minimumPayoutCents, currency }: RewardAnswer) =>
  minimumPayoutCents === 0 ? 'No minimum' : formatMoney(minimumPayoutCents, currency)
