import type { RewardAnswer } from '@tributary/contract'
import { formatCount, formatMoney, formatPercent } from '~/components/format/format.ts'

/** One sentence for sales and one for leads, as far as they are rewarded. */
export const rewardSentences = ({ sale, lead, currency }: RewardAnswer) => {
  const sentences: string[] = []
  if (sale) sentences.push(saleSentence(sale, currency))
  if (lead) sentences.push(`${formatMoney(lead.amountCents, currency)} for every lead`)
  return sentences
}

const saleSentence = (sale: NonNullable<RewardAnswer['sale']>, currency: string) => {
  const share =
    sale.percentBps === undefined
      ? `${formatMoney(sale.amountCents ?? 0, currency)} for`
      : `${formatPercent(sale.percentBps / 10_000)} of`
  if (sale.duration === 'first') return `${share} each customer’s first sale`
  if (sale.duration === 'lifetime') return `${share} every sale, for the lifetime of each customer`
  const months = sale.months ?? 1
  return `${share} every sale in a customer’s first ${months === 1 ? 'month' : `${months} months`}`
}

/** The hold period and the minimum payout. */
export const payoutTerms = ({ holdDays, minimumPayoutCents, currency }: RewardAnswer) => {
  const hold =
    holdDays === 0
      ? 'Commissions are payable immediately'
      : `Commissions are held for ${formatCount(holdDays, 'day')} in case of refunds`
  const minimum = minimumPayoutCents > 0 ? `. The minimum payout is ${formatMoney(minimumPayoutCents, currency)}` : ''
  return `${hold}${minimum}.`
}
