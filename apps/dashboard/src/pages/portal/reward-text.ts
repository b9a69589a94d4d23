import type { RewardAnswer, TierPeriod, TierProgress } from '@tributary/contract'
import { formatCount, formatMoney, formatNumber } from '~/components/format/format.ts'
import { rewardSentences } from '~/components/format/reward-sentences.ts'

const PERIODS: Record<TierPeriod, string> = {
  month: ' this month',
  quarter: ' this quarter',
  year: ' this year',
  all: '',
}

/** "7 of 10 sales this month, then 30% of every sale." */
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
