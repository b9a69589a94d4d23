import type { TierAfter, TierPeriod } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { CommissionDecision, CommissionFacts } from '../money/commissions/decide-commission.ts'
import type { Decision } from './decisions.ts'
import type { Words } from './words.ts'

/** Which group the terms belong to, by version. Null for a partner's custom terms. */
type TermsGroups = Map<number, { groupId: number; name: string } | null>

export const findTermsGroups = async (
  db: Database,
  { programId, decisions }: { programId: number; decisions: Decision[] },
): Promise<TermsGroups> => {
  const versions = decisions.filter(isAboutTerms).map(termsVersionOf)
  const { rows } = await sql<{ version: number; groupId: number | null; name: string | null }>`
    SELECT terms.version, named.id AS group_id, named.name FROM reward_terms terms
    LEFT JOIN partner_groups named ON named.program_id = terms.program_id AND terms.partner_id IS NULL
      AND CASE WHEN terms.group_id IS NULL THEN named.is_default ELSE named.id = terms.group_id END
    WHERE terms.program_id = ${programId} AND terms.version = ANY (${versions.filter((version) => version !== null)}::integer[])
      AND EXISTS (SELECT FROM partner_groups other WHERE other.program_id = terms.program_id AND NOT other.is_default)`.execute(
    db,
  )
  return new Map(
    rows.map(({ version, groupId, name }) => [version, groupId === null ? null : { groupId, name: name ?? '' }]),
  )
}

const isAboutTerms = ({ rule }: Decision) => rule === 'commission'
const termsVersionOf = ({ result }: Decision) => (result as CommissionDecision).termsVersion

/** When the lead or sale of a commission decision happened; null without one. */
export const findEventTime = (decisions: Decision[]): Date | null => {
  const decision = decisions.findLast(isAboutTerms)
  if (!decision) return null
  const { event } = decision.facts as CommissionFacts
  return event.kind === 'lead' ? event.settledAt : event.soldAt
}

type MembershipThen = {
  groupId: number
  since: Date
  groupName: string | null
  period: string | null
  tier: { after: TierAfter; within: TierPeriod; reached: number } | null
}

/** The groups of the terms, and the partner's membership at the time of the event. */
export type EarnedIn = { groups: TermsGroups; membership: MembershipThen | null }

/** For merchants: the tier rule that put the partner in the group whose terms decided the commission, if one did. */
export const groupSentences = (decision: Decision, { groups, membership }: EarnedIn, words: Words): string[] => {
  const version = isAboutTerms(decision) && words.reader.audience === 'merchant' ? termsVersionOf(decision) : null
  const group = version === null ? undefined : groups.get(version)
  if (!group || !membership?.tier || membership.groupId !== group.groupId) return []
  const { since, tier, groupName, period } = membership
  const reached =
    'sales' in tier.after
      ? `${tier.reached} ${tier.reached === 1 ? 'sale' : 'sales'}`
      : `${words.money(tier.reached, tier.after.currency)} in sales`
  const rule = `${reached}${periodName(tier.within, period ?? '')} (tier rule of ${groupName})`
  return [`The partner was moved to ${group.name} on ${words.when(since)} after ${rule}.`]
}

/** " in November 2026", " in Q4 2026" or " in 2026". */
const periodName = (within: TierPeriod, firstDay: string) => {
  const date = new Date(`${firstDay}T00:00:00Z`)
  if (within === 'all') return ''
  if (within === 'year') return ` in ${date.getUTCFullYear()}`
  if (within === 'quarter') return ` in Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`
  return ` in ${date.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })}`
}
