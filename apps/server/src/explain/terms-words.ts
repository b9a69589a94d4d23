import { type Part, say, type TierAfter, type TierPeriod } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'
import type { CommissionDecision, CommissionFacts } from '../money/rewards/rewards.ts'
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

const eventTimeOf = ({ facts }: Decision) => {
  const { event } = facts as CommissionFacts
  return event.kind === 'lead' ? event.settledAt : event.soldAt
}

/** When the lead or sale of a commission decision happened; null without one. */
export const findEventTime = (decisions: Decision[]): Date | null => {
  const decision = decisions.findLast(isAboutTerms)
  return decision ? eventTimeOf(decision) : null
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

/** A program's first reward terms, applied to earlier events, and the name of the member who requested it. */
export type LaterTerms = { termsVersion: number; requestedAt: Date; byName: string | null }

export const findLaterTerms = async (db: Database, programId: number): Promise<LaterTerms | null> => {
  const row = await db
    .selectFrom('rewardBackfills')
    .select(['termsVersion', 'requestedAt', 'requestedBy'])
    .where('programId', '=', programId)
    .executeTakeFirst()
  if (!row) return null
  const { requestedBy, ...terms } = row
  return { ...terms, byName: nameOf(await usersById(db, [requestedBy]), requestedBy) }
}

type Terms = { earnedIn: EarnedIn; laterTerms: LaterTerms | null }

/** How the terms of a commission decision came to apply. Starts with a space; empty for other decisions. */
export const describeTerms = (decision: Decision, { earnedIn, laterTerms }: Terms, words: Words): Part[] =>
  isAboutTerms(decision)
    ? say`${describeTier(decision, earnedIn, words)}${describeLaterTerms(decision, laterTerms, words)}`
    : []

/** For merchants: the tier rule that put the partner in the group whose terms decided the commission, if one did. */
const describeTier = (decision: Decision, { groups, membership }: EarnedIn, words: Words): Part[] => {
  const version = words.isPartner ? null : termsVersionOf(decision)
  const group = version === null ? undefined : groups.get(version)
  if (!group || !membership?.tier || membership.groupId !== group.groupId) return []
  const { since, tier, groupName, period } = membership
  const { after, within, reached } = tier
  const sales =
    'sales' in after
      ? `${reached} ${reached === 1 ? 'sale' : 'sales'}`
      : say`${words.money(reached, after.currency)} in sales`
  return say` The partner was moved to ${group.name} on ${words.when(since)} after ${sales}${nameOfPeriod(within, period ?? '')} (tier rule of ${groupName ?? ''}).`
}

/** " in November 2026", " in Q4 2026" or " in 2026". */
const nameOfPeriod = (within: TierPeriod, firstDay: string) => {
  const date = new Date(`${firstDay}T00:00:00Z`)
  if (within === 'all') return ''
  if (within === 'year') return ` in ${date.getUTCFullYear()}`
  if (within === 'quarter') return ` in Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`
  return ` in ${date.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })}`
}

/** For a commission whose terms are newer than its event. */
const describeLaterTerms = (decision: Decision, later: LaterTerms | null, words: Words): Part[] => {
  if (!later || termsVersionOf(decision) !== later.termsVersion || eventTimeOf(decision) > later.requestedAt) return []
  const by = !words.isPartner && later.byName ? ` by ${later.byName}` : ''
  return say` These terms were set on ${words.when(later.requestedAt)}${by} and applied to earlier events.`
}
