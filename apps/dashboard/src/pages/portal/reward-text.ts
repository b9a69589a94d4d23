import type { RewardAnswer, TierPeriod, TierProgress } from '@tributary/contract'
import { formatCount, formatMoney, formatNumber, formatRate } from '~/components/format/format.ts'

/** One sentence for sales and one for leads, as far as they are rewarded. */
export const rewardSentences = ({ sale, lead, currency }: RewardAnswer) => {
  const sentences: string[] = []
  if (sale) sentences.push(saleSentence(sale, currency))
  if (lead) sentences.push(`${formatMoney(lead.amountCents, currency)} for every lead`)
  return sentences
}

const saleSentence = (sale: NonNullable<RewardAnswer['sale']>, currency: string) => {
  if (sale.duration === undefined) return `${formatCount(sale.rules.length, 'rule')} for sales`
  const share =
    sale.percentBps === undefined
      ? `${formatMoney(sale.amountCents ?? 0, currency)} for`
      : `${formatRate(sale.percentBps / 10_000)} of`
  if (sale.duration === 'first') return `${share} each customer’s first sale`
  if (sale.duration === 'lifetime') return `${share} every sale, for the lifetime of each customer`
  return `${share} every sale within ${formatCount(sale.months ?? 1, 'month')} of a customer’s first sale`
}

const PERIODS: Record<TierPeriod, string> = {
  month: ' this month',
  quarter: ' this quarter',
  year: ' this year',
  all: '',
}

/** "7 of 10 sales this month, then 30% of every sale, for the lifetime of each customer." */
export const tierSentence = ({ after, within, reached, reward }: TierProgress) => {
  const progress =
    'sales' in after
      ? `${formatNumber(reached)} of ${formatCount(after.sales, 'sale')}`
      : `${formatMoney(reached, after.currency)} of ${formatMoney(after.amountCents, after.currency)} in sales`
  const next = rewardSentences(reward).join(' and ') || 'no reward'
  return `${progress}${PERIODS[within]}, then ${next}.`
}

/** The hold period and the minimum payout. */
export const payoutTerms = ({ holdDays, minimumPayoutCents, currency }: RewardAnswer) => {
  const hold =
    holdDays === 0
      ? 'There is no hold period for new commissions'
      : `Commissions are held for ${formatCount(holdDays, 'day')} in case of refunds`
  const minimum = minimumPayoutCents > 0 ? `. The minimum payout is ${formatMoney(minimumPayoutCents, currency)}` : ''
  return `${hold}${minimum}.`
}
