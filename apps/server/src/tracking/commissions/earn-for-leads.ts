import { countLeadsOfVisitors, paidBefore } from '../../customers/leads.ts'
import type { Tx } from '../../database/transaction.ts'
import { shareLockTerms } from '../../money/rewards/reward-terms.ts'
import { type EarningEvent, earnAll, earns, loadRewardFacts, type RewardFacts } from './earn-commissions.ts'

type EarningLead = {
  programId: number
  leadId: number
  partnerId: number
  clickId: string
  visitorHash: Uint8Array | null
  day: string
  /** An erased customer with the same key already had a lead. */
  isReportedAgain: boolean
  /** Only a browser has reported it. */
  isUnverified: boolean
  settledAt: Date
  at: Date
  reward?: RewardFacts
}

/** Creates commissions for leads that are already settled, under the reward terms at the time of settlement. */
export const earnForLeads = async (tx: Tx, hashKey: string, leads: EarningLead[]) => {
  const lockedTerms = await shareLockTerms(
    tx,
    leads.map(({ programId }) => programId),
  )
  await loadRewardFacts(tx, hashKey, { lockedTerms, events: leads })
  const earning: (EarningEvent & EarningLead)[] = []
  for (const lead of leads as (EarningLead & { reward: RewardFacts })[]) {
    const { leadId, settledAt } = lead
    const rewardedBefore = lead.isReportedAgain && (await paidBefore(tx, lead)).isLeadPaid
    const event = { kind: 'lead', settledAt, ...(rewardedBefore && { rewardedBefore }) } as const
    const of = { kind: 'lead', leadId } as const
    earning.push({ ...lead, of, event, leadsOfVisitor: 0, earnedAt: settledAt })
  }
  await countLeadsOfVisitors(
    tx,
    earning.filter(({ visitorHash, reward, event }) => visitorHash !== null && earns(reward, event)),
  )
  await earnAll(tx, earning)
}
