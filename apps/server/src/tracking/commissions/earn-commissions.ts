import type { PartnerStatus, SelfReferralMatch } from '@tributary/contract'
import { sql } from 'kysely'
import type { EvidenceSuspicions } from '../../attribution/evidence.ts'
import { lockCustomersByClick } from '../../customers/customers.ts'
import { lockIfUnverified } from '../../customers/leads.ts'
import { matchesOf } from '../../customers/match-partner.ts'
import { payersOf } from '../../customers/payer-mailboxes.ts'
import { columnsOf, type Parts, withParts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertDecisions, type NewDecision } from '../../explain/decisions.ts'
import {
  CREATED,
  type CreatedCommission,
  createCommissions,
  type NewEarning,
  openReviews,
} from '../../money/commissions/create-commissions.ts'
import { factsOfSale, findFirstSaleTimes } from '../../money/commissions/evaluate.ts'
import { withoutReleased } from '../../money/reviews/released-matches.ts'
import { looksAt } from '../../money/rewards/requested-terms.ts'
import {
  type EventTerms,
  type LockedTerms,
  requireLocked,
  shareLockTerms,
  termsOfEvent,
} from '../../money/rewards/reward-terms.ts'
import {
  type CommissionFacts,
  computeReward,
  decideCommission,
  reviewReasons,
  toTermsFacts,
} from '../../money/rewards/rewards.ts'
import type { SaleItems, UsedRule } from '../../money/rewards/rules.ts'
import { isSeenAsPartner } from '../../partners/partner-visits.ts'
import { type FirstSale, findFirstSales } from '../../sales/customer-sales.ts'
import { keepCountries } from '../../sales/sales.ts'
import { evaluateCustomers } from './evaluate-customers.ts'

export type EarningSale = {
  programId: number
  saleId: number
  partnerId: number
  clickId: string
  amountCents: number
  items?: SaleItems | null | undefined
  /** Filled in if a rule looks at it. */
  country?: string | null
  currency: string
  soldAt: Date
  /** Whether only a browser has reported the customer; looked up if omitted. */
  isUnverified?: boolean | undefined
  /** What the program reviews about the sale. */
  evidence?: EvidenceSuspicions
  /** Loaded if omitted. */
  reward?: RewardFacts | undefined
  at: Date
  /** The attribution, if it is decided now. */
  decision?: NewDecision
  /** Other sales of the customer that have earned. Filled in if it can matter. */
  first?: FirstSale | undefined
  /** Filled in. Null if the sale earns nothing. */
  commissionId?: number | null
}

type LoadedSale = EarningSale & { reward: RewardFacts }

/**
 * Creates commissions for credited sales and fills them in, under the reward terms at the time of the sale even if they are credited
 * later.
 */
export const earnForSales = async (
  tx: Tx,
  hashKey: string,
  { sales, lockedTerms }: { sales: EarningSale[]; lockedTerms?: LockedTerms },
) => {
  const unknown = sales.filter(({ reward }) => reward === undefined)
  if (unknown.length > 0) {
    const locked =
      lockedTerms ??
      (await shareLockTerms(
        tx,
        unknown.map(({ programId }) => programId),
      ))
    await loadRewardFacts(tx, hashKey, { lockedTerms: locked, events: unknown })
  }
  const loaded = sales as LoadedSale[]
  await withoutReleased(
    tx,
    loaded.filter(({ reward }) => reward.selfReferral.length > 0),
  )
  // Only if the program's terms depend on it, because the lock makes sales of one customer wait for each other.
  const limited = loaded.filter(({ reward }) => reward.dependsOnFirstSale)
  await lockCustomersByClick(tx, limited)
  await findFirstSales(
    tx,
    limited.map((sale) => Object.assign(sale, { isByRules: Boolean(sale.reward.terms?.saleRules) })),
  )
  await keepCountries(tx, loaded.filter(looksAtCountries))
  const firstSoldAt = findFirstSaleTimes(limited)
  const used = await findUsed(tx, limited)
  const earning: EarningEvent[] = []
  for (const sale of loaded) {
    const { programId, saleId, partnerId, amountCents, currency, soldAt, reward, at, decision, evidence } = sale
    const sold = { saleCents: amountCents, currency, soldAt, items: sale.items ?? null, country: sale.country ?? null }
    const event = factsOfSale(sold, reward.terms, firstSoldAt.get(saleId) ?? null, used.get(saleId))
    const isUnverified =
      earns(reward, event) && (sale.isUnverified ?? (await lockIfUnverified(tx, { programId, saleId })))
    const of = { kind: 'sale', saleId } as const
    earning.push({
      ...(evidence && { evidence }),
      programId,
      partnerId,
      of,
      reward,
      event,
      leadsOfVisitor: 0,
      isUnverified,
      earnedAt: soldAt,
      at,
      decision,
    })
  }
  await earnAll(tx, earning)
  for (const [index, { commissionId = null }] of earning.entries())
    (sales[index] as EarningSale).commissionId = commissionId
}

const looksAtCountries = ({ reward: { terms } }: LoadedSale) =>
  terms?.saleRules?.some(({ when }) => when?.countries !== undefined) ?? false

const hasMaximum = ({ reward: { terms } }: LoadedSale) => terms !== null && looksAt(terms) === 'all_sales'

/** What is used of maximums per customer before each sale, by sale ID. Reads the customers' whole history, with the new sales. */
const findUsed = async (tx: Tx, sales: LoadedSale[]) => {
  const used = new Map<number, UsedRule[] | undefined>()
  for (const [programId, ofProgram] of Map.groupBy(sales.filter(hasMaximum), (sale) => sale.programId)) {
    const clickIds = [...new Set(ofProgram.map(({ clickId }) => clickId))]
    for (const one of await evaluateCustomers(tx, { programId, clickIds })) used.set(one.event.id, one.used)
  }
  return used
}

export type EarningEvent = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  reward: RewardFacts
  event: CommissionFacts['event']
  leadsOfVisitor: number
  isUnverified: boolean
  evidence?: EvidenceSuspicions
  earnedAt: Date
  at: Date
  /** The attribution, if it is decided now. */
  decision?: NewDecision | undefined
  /** Filled in if the event earns a commission. */
  commissionId?: number
}

/**
 * Decides what each event earns, and stores commissions, ledger lines, decisions and the rows of `moreParts` in one
 * statement. A part `assigned` assigns customer keys and must assign one per event. The events of a part `published` come first.
 */
export const earnAll = async (tx: Tx, events: EarningEvent[], moreParts: Parts = {}) => {
  const decisions: NewDecision[] = []
  const paying: NewEarning[] = []
  for (const event of events) {
    const facts = buildCommissionFacts(event)
    const result = decideCommission(facts)
    const {
      programId,
      of,
      reward: { terms },
      decision,
      at,
    } = event
    decisions.push(
      decision
        ? { ...decision, commission: { facts, result } }
        : { programId, subject: of.kind, ...subjectOf(of), rule: 'commission', facts, result, at },
    )
    if (!terms || result.outcome === 'nothing') continue
    const { partnerId, earnedAt } = event
    const { reward } = result
    const review = { review: reviewReasons(facts), matches: facts.suspicions.matches ?? [] }
    paying.push({ event, programId, partnerId, of, terms, reward, earnedAt, ...review, at })
  }
  const published = moreParts.published ? 'published' : null
  const parts = { ...moreParts, ...createCommissions(paying, published), decided: insertDecisions(decisions) }
  const assigned = moreParts.assigned ? sql`(SELECT count(*) FROM assigned)` : sql`${events.length}::bigint`
  const { rows } = await sql<{ assigned: number } & CreatedCommission>`
    ${withParts(parts)}
    SELECT assigned, ${CREATED} FROM (SELECT ${assigned} AS assigned) done LEFT JOIN commission ON true`.execute(tx)
  if (rows[0]?.assigned !== events.length) throw new Error('a customer key is already assigned or was not locked')
  await openReviews(tx, paying, rows)
}

const buildCommissionFacts = ({
  reward,
  event,
  leadsOfVisitor,
  isUnverified,
  evidence,
}: EarningEvent): CommissionFacts => {
  const { terms, selfReferral, partnerStatus } = reward
  const isOwn = selfReferral.length > 0
  const mayEarn = earns(reward, event)
  return {
    terms: terms && toTermsFacts(terms),
    event,
    suspicions: {
      customerIsPartner: mayEarn && isOwn,
      ...(mayEarn && isOwn && { matches: selfReferral }),
      leadsOfVisitor: mayEarn ? leadsOfVisitor : 0,
      ...(mayEarn && evidence),
      ...(mayEarn && isUnverified && { customerIsUnverified: true }),
    },
    partnerStatus: mayEarn ? partnerStatus : null,
  }
}

const subjectOf = (of: EarningEvent['of']) =>
  of.kind === 'lead'
    ? { subjectId: of.leadId, of: { leadId: of.leadId } }
    : { subjectId: of.saleId, of: { saleId: of.saleId } }

/** Whether the event earns anything, before any review. */
export const earns = ({ terms }: RewardFacts, event: CommissionFacts['event']) =>
  typeof computeReward({ terms, event }) !== 'string'

export type RewardFacts = {
  /** Null if neither the partner nor the program had terms at the time. */
  terms: EventTerms | null
  /** Some terms of the program look at the customer's other sales. */
  dependsOnFirstSale: boolean
  partnerStatus: PartnerStatus
  /** How the customer matches the partner. */
  selfReferral: SelfReferralMatch[]
}

type CreditedEvent = { programId: number; partnerId: number; clickId: string; reward?: RewardFacts | undefined } & (
  | { saleId: number; soldAt: Date }
  | { settledAt: Date }
)

export type RewardRow = Omit<EventTerms, 'version'> & {
  position: number
  version: number | null
  dependsOnFirstSale: boolean | null
  status: PartnerStatus
  /** Of the partner and of who signs in as them. */
  emails: string[]
  destination: string | null
  customerKey: string | null
  /** Of the sale. A sale credited by click can name a key without a lead. */
  soldToKey?: string | null
  emailHash: Buffer | null
  mailboxHash: Buffer | null
  payers: Buffer[]
  isSeenAsPartner: boolean | null
}

/** SQL fragment: the partner's own addresses, those of the contact and of everyone who signs in as them. */
export const partnerAddresses = sql`array_remove(partners.email || ARRAY(
  SELECT users.email FROM partner_users account JOIN users ON users.id = account.user_id
  WHERE account.program_id = partners.program_id AND account.partner_id = partners.id), NULL)`

/** SQL fragment: the account that the partner is paid to, if that is an email address. */
export const partnerDestination = sql`(
  SELECT paid_to.account FROM partner_payout_details paid_to
  WHERE paid_to.program_id = partners.program_id AND paid_to.partner_id = partners.id AND paid_to.account LIKE '%@%')`

/** SQL fragment: share-locks the partners of the CTE `event` (program_id, partner_id) in a fixed order. */
export const lockedPartners = sql`
  SELECT locked.* FROM (SELECT DISTINCT program_id, partner_id FROM event ORDER BY program_id, partner_id) named
  CROSS JOIN LATERAL (
    SELECT program_id, id, status, ${partnerAddresses} AS emails, ${partnerDestination} AS destination
    FROM partners
    WHERE program_id = named.program_id AND id = named.partner_id FOR SHARE) locked`

/**
 * Fills in the facts that decide a commission, except the event itself. Partners are share-locked in a fixed order, so no event
 * earns under the old status after the call that suspends a partner is answered.
 */
export const loadRewardFacts = async (
  tx: Tx,
  hashKey: string,
  { lockedTerms, events }: { lockedTerms: LockedTerms; events: CreditedEvent[] },
) => {
  requireLocked(lockedTerms, events)
  const column = columnsOf(
    events.map(({ programId, partnerId, clickId, ...event }) => ({
      programId,
      partnerId,
      clickId,
      saleId: 'saleId' in event ? event.saleId : null,
      at: 'saleId' in event ? event.soldAt : event.settledAt,
    })),
  )
  const { rows } = await sql<RewardRow>`
    WITH event AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('clickId', 'text')},
        ${column('saleId', 'bigint')}, ${column('at', 'timestamptz')})
        WITH ORDINALITY AS event(program_id, partner_id, click_id, sale_id, at, position)),
    partner AS MATERIALIZED (${lockedPartners})
    SELECT position, terms.*, partner.status, partner.emails, partner.destination, customer.customer_key, customer.email_hash,
      customer.mailbox_hash, ${payersOf('event')} AS payers, ${isSeenAsPartner} AS is_seen_as_partner,
      (SELECT sales.customer_key FROM sales WHERE sales.program_id = event.program_id AND sales.id = event.sale_id) AS sold_to_key
    FROM event JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    LEFT JOIN customers customer ON customer.program_id = event.program_id AND customer.click_id = event.click_id
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true`.execute(tx)
  if (rows.length < events.length) throw new Error('The credited partner does not exist in the program')
  for (const row of rows) {
    const event = events[row.position - 1]
    if (event) event.reward = toRewardFacts(hashKey, row)
  }
}

export const toRewardFacts = (hashKey: string, row: Omit<RewardRow, 'position'>): RewardFacts => {
  const { status, dependsOnFirstSale, version, customerKey, soldToKey = null } = row
  return {
    terms: version === null ? null : toTerms({ ...row, version }),
    dependsOnFirstSale: dependsOnFirstSale ?? false,
    partnerStatus: status,
    selfReferral: matchesOf(hashKey, { ...row, keys: [customerKey, soldToKey] }, row),
  }
}

/** Without the other columns of the row. */
const toTerms = (row: EventTerms): EventTerms => {
  const { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, saleRules } =
    row
  const { holdDays, minimumPayoutCents, validFrom } = row
  return {
    version,
    currency,
    leadAmountCents,
    salePercentBps,
    saleAmountCents,
    saleDuration,
    saleMonths,
    saleRules,
    holdDays,
    minimumPayoutCents,
    validFrom,
  }
}
