import {
  adParametersOf,
  DATA_CENTER,
  type Part,
  SELF_REFERRAL_TEXTS,
  type SelfReferralMatch,
  type Step,
  say,
} from '@tributary/contract'
import type { Decision } from './decisions.ts'
import { capitalize, toStep } from './parts.ts'
import type { Words } from './words.ts'

/** What a member can judge a sale by. */
export type ExplainedEvidence = {
  secondsSinceClick: number | null
  clickEvidence: number | null
  /** Other partners with the payout destination of the partner who has the sale. */
  sameDestinationPartnerIds: number[]
}

/** Only for merchants. */
export const describeEvidence = (evidence: ExplainedEvidence, words: Words): Step[] => {
  const { secondsSinceClick, clickEvidence, sameDestinationPartnerIds: others } = evidence
  const parameters = adParametersOf(clickEvidence ?? 0).map((text): Part => ({ type: 'code', text }))
  const step = (code: Step['code'], parts: Part[]) => [toStep('evidence', code, parts)]
  return [
    ...(secondsSinceClick === null
      ? []
      : step('seconds_since_click', say`The sale came ${durationOf(secondsSinceClick)} after the click.`)),
    ...(parameters.length === 0
      ? []
      : step(
          'ad_parameters',
          say`The address that the click led to has advertising parameters: ${listed(parameters)}.`,
        )),
    ...(((clickEvidence ?? 0) & DATA_CENTER) === 0
      ? []
      : step('click_from_data_center', say`The click came from an address in a data center.`)),
    ...(others.length === 0
      ? []
      : step(
          'same_payout_destination',
          say`${listed(others.map((id) => words.partner(id)))} ${others.length === 1 ? 'has' : 'have'} the same payout destination as the partner.`,
        )),
  ]
}

const listed = (parts: (Part | string)[]): Part[] =>
  parts.reduce<Part[]>((list, part, index) => {
    const joint = index === 0 ? '' : index === parts.length - 1 ? ' and ' : ', '
    return say`${list}${joint}${part}`
  }, [])

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** "2 days 3 hours": the two largest units. */
const durationOf = (seconds: number) => {
  const first = UNITS.findIndex(([size]) => seconds >= size)
  if (first === -1) return '0 seconds'
  let left = seconds
  const parts = UNITS.slice(first, first + 2).map(([size, name]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? '' : `${count} ${name}${count === 1 ? '' : 's'}`
  })
  return parts.filter(Boolean).join(' ')
}

/** How the customer matches the partner, for merchants. */
export const describeMatches = (matches: SelfReferralMatch[]): Step[] =>
  matches.map((match) => toStep('evidence', 'customer_matches_partner', `${capitalize(SELF_REFERRAL_TEXTS[match])}.`))

/** The matches that a member may see: together with a customer key, an equal payout destination would be revealed. */
export const visibleMatches = (matches: SelfReferralMatch[], seesPayoutDetails: boolean) =>
  seesPayoutDetails
    ? matches
    : matches.map((match) => (match === 'payout_destination' ? ('partner_details' as const) : match))

type WithMatches = { matches?: SelfReferralMatch[]; suspicions?: { matches?: SelfReferralMatch[] } }

/** The facts of decisions, with the matches that a member may see. */
export const withVisibleMatches = (decisions: Decision[], seesPayoutDetails: boolean): Decision[] =>
  decisions.map((decision) => {
    const facts = decision.facts as WithMatches
    const visible = <Some extends { matches?: SelfReferralMatch[] }>(some: Some): Some =>
      some.matches ? { ...some, matches: visibleMatches(some.matches, seesPayoutDetails) } : some
    const { suspicions } = facts
    return { ...decision, facts: { ...visible(facts), ...(suspicions && { suspicions: visible(suspicions) }) } }
  })
