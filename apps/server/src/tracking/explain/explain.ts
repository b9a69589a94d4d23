import { type Explanation, type Part, say } from '@tributary/contract'
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { sameDestination } from '../../database/sql/same-destination.ts'
import { answerOf, type ExplainedEvent, namedIn } from '../../explain/answer.ts'
import { type Decision, listDecisions } from '../../explain/decisions.ts'
import { visibleMatches, withVisibleMatches } from '../../explain/evidence-words.ts'
import { untilTakenAway, withoutOthers } from '../../explain/for-partners.ts'
import { adjustmentsOf, decidedReviewOf, type ExplainedAdjustment } from '../../explain/member-words.ts'
import {
  commissionIdOf,
  type ExplainedLead,
  type ExplainedSale,
  type Named,
  namesOf,
  payoutsOfCommission,
} from '../../explain/subjects.ts'
import { type EarnedIn, findEventTime, findLaterTerms, findTermsGroups } from '../../explain/terms-words.ts'
import { type Reader, type Words, wordsFor } from '../../explain/words.ts'
import { activeCredit } from '../../money/commissions/commission-rules.ts'
import { findCommissionRow } from '../../money/commissions/list-commissions.ts'
import { findHoldRelease } from '../../money/commissions/release-holds.ts'
import { findMembership } from '../../partners/group-changes.ts'

/** For partners: an omitted `partnerId` means the credited partner, null means none in particular. */
export type Viewer = {
  programId: number
  audience: Reader['audience']
  partnerId?: number | null
  /** Whether they may see payout details. */
  seesPayoutDetails?: boolean
}
export type Dependencies = { db: Database; clock: Clock }

type NamedIn = { viewer: Viewer; credited: number | null; named: Named[]; decisions?: Decision[] }

/** Partners see only their own name. */
export const loadWords = async (db: Database, { viewer, credited, named, decisions = [] }: NamedIn) => {
  const { programId, audience, partnerId = credited } = viewer
  const reader: Reader = audience === 'merchant' ? { audience } : { audience, partnerId }
  return wordsFor(reader, await namesOf(db, { programId, named, versions: versionsIn(decisions) }))
}

/** A sale that changed partners has several commissions: with `commissionId`, a partner reads the history of that one. */
export const explainSale = async (
  { db, clock }: Dependencies,
  { viewer, sale, commissionId }: { viewer: Viewer; sale: ExplainedSale; commissionId?: number },
): Promise<Explanation> => {
  const { programId } = viewer
  const { id, invoiceId, customerKey, clickId, partnerId } = sale
  const decisions = await listVisible(db, viewer, { saleId: id })
  const adjustments = await adjustmentsOf(db, { programId, of: { saleId: id } })
  const active = activeCredit(adjustments.filter(({ type }) => type !== 'void'))
  const holderId = active?.partnerId ?? partnerId
  const evidence = viewer.audience === 'merchant' ? await loadEvidence(db, { programId, sale, holderId }) : null
  const others = (evidence?.sameDestinationPartnerIds ?? []).map((other) => ({ partnerId: other, linkId: null }))
  const named = [...namedIn(decisions), ...partnersIn(adjustments), ...others]
  const words = await loadWords(db, { viewer, credited: holderId, named, decisions })
  const explained: ExplainedEvent = {
    event: {
      kind: 'sale',
      name: describeSale({ ...sale, partnerId: holderId }, words),
      hasNoCustomer: customerKey === null,
    },
    partnerId,
    holderId,
    adjustments,
    assignment: active,
    decisions,
    evidence,
    ...(await loadMoney(db, viewer, {
      programId,
      at: clock(),
      commissionId: active?.commissionId ?? (await commissionIdOf(db, { programId, of: { saleId: id } })),
    })),
    earnedIn: await loadGroups(db, { programId, partnerId, decisions }),
  }
  const isMerchant = viewer.audience === 'merchant'
  const ofOne = commissionId && viewer.partnerId ? { commissionId, partnerId: viewer.partnerId } : null
  const { reader } = words
  const visible = reader.audience === 'merchant' ? explained : withoutOthers(explained, reader.partnerId)
  const subject = { kind: 'sale' as const, id, ...(isMerchant && { invoiceId, customerKey, clickId }) }
  return {
    ...answerOf(subject, ofOne ? untilTakenAway(visible, ofOne) : visible, words),
    // A merged sale is no longer credited to anyone.
    ...(sale.voidedAt && { outcome: 'uncredited', reason: 'merged_into_another_sale' }),
  }
}

export const explainLead = async (
  { db, clock }: Dependencies,
  { viewer, lead }: { viewer: Viewer; lead: ExplainedLead },
): Promise<Explanation> => {
  const { programId } = viewer
  const { id, customerKey, clickId, partnerId } = lead
  const decisions = await listVisible(db, viewer, { leadId: id })
  const words = await loadWords(db, { viewer, credited: partnerId, named: namedIn(decisions), decisions })
  const isMerchant = viewer.audience === 'merchant'
  const name = say`${isMerchant && customerKey !== null ? words.linkTo('lead', id, `The lead for ${customerKey}`) : 'The lead'}`
  const explained: ExplainedEvent = {
    event: { kind: 'lead', name },
    partnerId,
    holderId: partnerId,
    decisions,
    assignment: null,
    evidence: null,
    adjustments: await adjustmentsOf(db, { programId, of: { leadId: id } }),
    ...(await loadMoney(db, viewer, {
      programId,
      at: clock(),
      commissionId: await commissionIdOf(db, { programId, of: { leadId: id } }),
    })),
    earnedIn: await loadGroups(db, { programId, partnerId, decisions }),
  }
  const subject = { kind: 'lead' as const, id, ...(isMerchant && { customerKey, clickId }) }
  return answerOf(subject, explained, words)
}

const listVisible = async (
  db: Database,
  { programId, seesPayoutDetails = false }: Viewer,
  of: { saleId: number } | { leadId: number },
) => withVisibleMatches(await listDecisions(db, { programId, ...of }), seesPayoutDetails)

type Held = { programId: number; sale: ExplainedSale; holderId: number | null }

const loadEvidence = async (db: Database, { programId, sale, holderId }: Held) => {
  const { secondsSinceClick, clickEvidence } = sale
  const { rows } = await sql<{ ids: number[] }>`
    SELECT ${sameDestination(sql`${programId}::integer`, sql`${holderId}::integer`)} AS ids`.execute(db)
  return { secondsSinceClick, clickEvidence, sameDestinationPartnerIds: rows[0]?.ids ?? [] }
}

/** The reward terms that the decisions name. */
const versionsIn = (decisions: Decision[]) =>
  decisions.flatMap(({ result }) => (result as { termsVersion?: number | null }).termsVersion ?? [])

/** Only the merchant and the credited partner see the amount. */
const describeSale = (sale: ExplainedSale, words: Words): Part[] => {
  const { id, invoiceId, amountCents, grossCents, currency, partnerId } = sale
  const amount = words.money(amountCents, currency)
  const taxCents = Math.max((grossCents ?? 0) - amountCents, 0)
  const tax = taxCents > 0 ? say` (excluding ${words.money(taxCents, currency)} tax)` : ''
  if (!words.isPartner) return say`${words.linkTo('sale', id, `Sale ${invoiceId}`)} of ${amount}${tax}`
  return partnerId !== null && words.canSee(partnerId) ? say`A sale of ${amount}` : say`A sale`
}

type Decided = { programId: number; partnerId: number | null; decisions: Decision[] }

const loadGroups = async (db: Database, { programId, partnerId, decisions }: Decided): Promise<EarnedIn> => {
  const at = findEventTime(decisions)
  if (at === null || partnerId === null) return { groups: new Map(), membership: null }
  const groups = await findTermsGroups(db, { programId, decisions })
  return { groups, membership: groups.size > 0 ? await findMembership(db, { programId, partnerId, at }) : null }
}

/** No link: only their names are needed. */
const partnersIn = (adjustments: ExplainedAdjustment[]): Named[] =>
  adjustments
    .flatMap(({ partnerId, fromPartnerId }) => [partnerId, ...(fromPartnerId === null ? [] : [fromPartnerId])])
    .map((partnerId) => ({ partnerId, linkId: null }))

type CommissionKey = { programId: number; commissionId: number | null; at: Date }

const loadMoney = async (
  db: Database,
  { seesPayoutDetails = false }: Viewer,
  { programId, commissionId, at }: CommissionKey,
) => {
  const laterTerms = await findLaterTerms(db, programId)
  if (commissionId === null) return { commission: null, payouts: [], review: null, release: null, laterTerms }
  const found = (await findCommissionRow(db, { programId, id: commissionId, at })) ?? null
  const matches = visibleMatches(found?.selfReferralMatches ?? [], seesPayoutDetails)
  const commission = found && { ...found, selfReferralMatches: matches }
  const [payouts, review, release] = await Promise.all([
    payoutsOfCommission(db, { programId, commissionId }),
    decidedReviewOf(db, { programId, commissionId }),
    findHoldRelease(db, { programId, commissionId }),
  ])
  return { commission, payouts, review, release, laterTerms }
}
