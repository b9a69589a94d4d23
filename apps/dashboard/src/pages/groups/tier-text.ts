import type { Group, GroupMembership, TierPeriod, TierRule } from '@tributary/contract'
import { formatCount, formatMoney } from '~/components/format/format.ts'

/** What must be reached: "10 sales" or "$5,000.00 in sales". */
export const targetText = (after: TierRule['after'], reached?: number) =>
  'sales' in after
    ? formatCount(reached ?? after.sales, 'sale')
    : `${formatMoney(reached ?? after.amountCents, after.currency)} in sales`

const PERIODS: Record<TierPeriod, string> = {
  month: ' in a calendar month',
  quarter: ' in a calendar quarter',
  year: ' in a calendar year',
  all: '',
}

/** "After 10 sales in a calendar month, partners move to Gold" */
export const describeTier = ({ after, within, moveTo }: TierRule, groups: Group[]) => {
  const name = groups.find(({ id }) => id === moveTo)?.name ?? 'another group'
  return `After ${targetText(after)}${PERIODS[within]}, partners move to ${name}`
}

const periodName = (within: TierPeriod, firstDay: string) => {
  const date = new Date(`${firstDay}T00:00:00Z`)
  if (within === 'all') return ''
  if (within === 'year') return ` in ${date.getUTCFullYear()}`
  if (within === 'quarter') return ` in Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`
  return ` in ${date.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })}`
}

/** "After 10 sales in November 2026 (tier rule of Silver)" */
export const describeMove = (tier: NonNullable<GroupMembership['tier']>) =>
  `After ${targetText(tier.after, tier.reached)}${periodName(tier.within, tier.period)} (tier rule of ${tier.groupName})`
