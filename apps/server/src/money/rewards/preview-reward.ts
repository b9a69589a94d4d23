import type { RewardRequest } from '@tributary/contract'
import { proposedTerms } from './proposed-terms.ts'
import { leadReward, type Reward, saleReward } from './rewards.ts'

const MONTHS = 24

type Asked = { request: RewardRequest; termsCurrency: string; amountCents: number; currency: string; at: Date }

/** What terms would pay, by the rules that will pay it. Nothing is kept. */
export const previewReward = ({ request, termsCurrency, amountCents, currency, at }: Asked) => {
  const terms = proposedTerms(request, termsCurrency)
  const paid = (month: number): Reward | null => {
    const soldAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + month, 1))
    const firstSoldAt = month === 0 ? null : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
    return earned(saleReward(terms, { amountCents, currency, soldAt, firstSoldAt }))
  }
  return {
    lead: earned(leadReward(terms)),
    firstSale: paid(0),
    monthly: Array.from({ length: MONTHS }, (_, month) => paid(month)),
    holdDays: request.holdDays,
  }
}

const earned = (reward: Reward | string) => (typeof reward === 'string' ? null : reward)
