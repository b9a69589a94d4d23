import type { RewardRequest } from '@tributary/contract'
import { proposedTerms } from './requested-terms.ts'
import { leadReward, type Reward, saleReward } from './rewards.ts'

const MONTHS = 24

type PreviewInput = { request: RewardRequest; termsCurrency: string; amountCents: number; currency: string; at: Date }

/** Uses the same rules that pay real events. Stores nothing. */
export const previewReward = ({ request, termsCurrency, amountCents, currency, at }: PreviewInput) => {
  const terms = proposedTerms(request, termsCurrency)
  const rewardInMonth = (month: number): Reward | null => {
    const soldAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + month, 1))
    const firstSoldAt = month === 0 ? null : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
    return rewardOrNull(saleReward(terms, { amountCents, currency, soldAt, firstSoldAt }))
  }
  return {
    lead: rewardOrNull(leadReward(terms)),
    firstSale: rewardInMonth(0),
    monthly: Array.from({ length: MONTHS }, (_, month) => rewardInMonth(month)),
    holdDays: request.holdDays,
  }
}

const rewardOrNull = (reward: Reward | string) => (typeof reward === 'string' ? null : reward)
