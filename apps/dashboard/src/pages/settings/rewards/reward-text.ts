import type { RewardAnswer } from '@tributary/contract'
import { formatMoney } from '~/components/format/format.ts'

export { describeReward } from '~/components/format/reward-sentences.ts'

/** Labels in the form and the audit log. */
export const REWARD_LABELS = {
  sale: 'Sale reward',
  lead: 'Lead reward',
  holdDays: 'Hold period (days)',
  minimumPayoutCents: 'Minimum payout',
} as const

export const minimumText = ({ minimumPayoutCents, currency }: RewardAnswer) =>
  minimumPayoutCents === 0 ? 'No minimum' : formatMoney(minimumPayoutCents, currency)
