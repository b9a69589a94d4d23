import type { RewardAnswer } from '@tributary/contract'
import { formatMoney, formatPercent } from '~/components/format/format.ts'

/** What is paid, as one would say it to a friend: one sentence a thing that earns. */
export const rewardWords = ({ sale, lead, currency }: RewardAnswer) => {
  const words: string[] = []
  if (sale) words.push(saleWords(sale, currency))
  if (lead) words.push(`${formatMoney(lead.amountCents, currency)} for each person who signs up`)
  return words
}

const saleWords = (sale: NonNullable<RewardAnswer['sale']>, currency: string) => {
  const share =
    sale.percentBps === undefined
      ? `${formatMoney(sale.amountCents ?? 0, currency)} for`
      : `${formatPercent(sale.percentBps / 10_000)} of`
  if (sale.duration === 'first') return `${share} a customer’s first payment`
  if (sale.duration === 'lifetime') return `${share} every payment of a customer, for life`
  const months = sale.months ?? 1
  return `${share} every payment of a customer for ${months === 1 ? 'a month' : `${months} months`}`
}

/** When it is paid: the rules that hold a commission back for a while. */
export const payoutWords = ({ holdDays, minimumPayoutCents, currency }: RewardAnswer) => {
  const hold =
    holdDays === 0
      ? 'Earnings are payable immediately'
      : `Earnings are held for ${holdDays === 1 ? 'a day' : `${holdDays} days`} in case of refunds`
  const minimum = minimumPayoutCents > 0 ? `. The minimum payout is ${formatMoney(minimumPayoutCents, currency)}` : ''
  return `${hold}${minimum}.`
}
