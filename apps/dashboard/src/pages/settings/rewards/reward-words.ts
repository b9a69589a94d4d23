import type { RewardAnswer } from '@tributary/contract'
import { formatMoney, formatPercent } from '~/components/format/format.ts'

type Terms = Pick<RewardAnswer, 'lead' | 'sale' | 'currency'>

/** What the parts of a reward are called, in its form and in the audit log. */
export const REWARD_LABELS = {
  sale: 'For a sale',
  lead: 'For a lead',
  holdDays: 'Hold, in days',
  minimumPayoutCents: 'Minimum payout',
} as const

const DURATIONS = { first: 'of the first sale', lifetime: 'of every sale', months: '' }

const saleWords = ({ sale, currency }: Terms) => {
  if (!sale) return null
  const much =
    sale.percentBps === undefined
      ? formatMoney(sale.amountCents ?? 0, currency)
      : formatPercent(sale.percentBps / 10_000)
  if (sale.duration === 'months')
    return `${much} of sales in the first ${sale.months === 1 ? 'month' : `${sale.months} months`}`
  return sale.percentBps === undefined
    ? `${much} for ${sale.duration === 'first' ? 'the first sale' : 'every sale'}`
    : `${much} ${DURATIONS[sale.duration]}`
}

/** "20% of every sale and $2.00 a lead" */
export const rewardWords = (terms: Terms) => {
  const parts = [saleWords(terms), terms.lead && `${formatMoney(terms.lead.amountCents, terms.currency)} a lead`]
  return parts.filter(Boolean).join(' and ') || 'Nothing'
}
