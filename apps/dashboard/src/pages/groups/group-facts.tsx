import type { Group } from '@tributary/contract'
import { Facts } from '~/components/facts/facts.tsx'
import { formatCount, formatMoney, formatNumber } from '~/components/format/format.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'
import { describeTier } from './tier-text.ts'

type Props = { group: Group | null; groups: Group[]; onClose: () => void }

/** For roles that cannot edit groups. A phone's list has no room for the tier rule, and no list has the landing pages. */
export const GroupFacts = ({ group, groups, onClose }: Props) => (
  <Drawer
    open={group !== null}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title={group?.name ?? ''}
    description="Your role can view this group but not change it."
  >
    {group && <Facts facts={factsOf(group, groups)} />}
  </Drawer>
)

const factsOf = ({ reward, tierRule, landingPages, partners }: Group, groups: Group[]) => [
  { label: 'Reward', value: describeReward(reward) },
  { label: 'Hold period', value: formatCount(reward.holdDays, 'day') },
  { label: 'Minimum payout', value: formatMoney(reward.minimumPayoutCents, reward.currency) },
  { label: 'Tier rule', value: tierRule ? describeTier(tierRule, groups) : 'None' },
  { label: 'Landing pages', value: landingPages.join(', ') || 'None' },
  { label: 'Partners', value: formatNumber(partners) },
]
