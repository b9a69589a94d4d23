import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { readCreditedFacts } from '../adjustments/manual-credits.ts'
import type { Standing } from '../commissions/commission-rules.ts'
import { findCustomersInPeriod, readCustomerFacts } from '../commissions/customer-facts.ts'
import {
  type CreditedEvent,
  type Evaluation,
  evaluateCredited,
  evaluateCustomer,
  type LeadEvent,
  type SaleEvent,
} from '../commissions/evaluate.ts'
import { CORRECTIONS, centsIn, promisedCents } from '../ledger/ledger.ts'
import type { ProgramTerms } from '../rewards/program-terms.ts'
import { payableAt } from '../rewards/rewards.ts'

const CUSTOMERS_PER_PAGE = 1_000
const ALL_TIME = { from: new Date(0), before: new Date('9999-01-01') }

type Check = { programId: number; terms: ProgramTerms; found: (difference: string) => void }

/** Recalculates what every customer's events earn, with the same rule that decides them, and compares commissions and ledger. */
export const verifyCommissions = async (tx: Tx, { programId, terms, found }: Check) => {
  const termsAt = (partnerId: number, at: Date) => terms.at(partnerId, at.getTime()) ?? null
  for (const { clickIds } of await findCustomersInPeriod(tx, {
    programId,
    ...ALL_TIME,
    pageSize: CUSTOMERS_PER_PAGE,
  })) {
    const booked = new Map((await readBooked(tx, { programId, clickIds })).map((row) => [keyOf(row), row]))
    for (const facts of await readCustomerFacts(tx, { programId, clickIds })) {
      const { lead, sales } = evaluateCustomer(facts, termsAt)
      for (const wanted of lead ? [lead, ...sales] : sales) {
        const key = keyOf({ kind: wanted.event.kind, eventId: wanted.event.id })
        for (const difference of differencesOf(wanted, booked.get(key), terms)) found(difference)
      }
    }
  }
  await verifyCredited(tx, { programId, terms, found })
  for (const row of await readOthers(tx, programId)) for (const difference of differencesOfOther(row)) found(difference)
}

/** Sales that members credited or moved to a partner. */
const verifyCredited = async (tx: Tx, { programId, terms, found }: Check) => {
  const termsAt = (partnerId: number, at: Date) => terms.at(partnerId, at.getTime()) ?? null
  const booked = new Map((await readAdjusted(tx, { programId, kinds: ['credited'] })).map((row) => [row.eventId, row]))
  for (const event of await readCreditedFacts(tx, { programId }))
    for (const difference of differencesOf(evaluateCredited(event, termsAt), booked.get(event.id), terms))
      found(difference)
}

export type Booked = Standing & {
  id: number
  kind: 'lead' | 'sale' | 'bonus' | 'manual' | 'credited'
  eventId: number
  partnerId: number
  amountCents: number
  currency: string
  termsVersion: number | null
  earnedAt: Date
  payableAt: Date
  releasedAt: Date | null
  promises: number
  foreignLines: number
}

const keyOf = ({ kind, eventId }: Pick<Booked, 'kind' | 'eventId'>) => `${kind} ${eventId}`
export const describeCommission = (row: Booked) =>
  `commission ${row.id} of ${row.kind === 'lead' || row.kind === 'sale' ? keyOf(row) : `adjustment ${row.eventId}`}`

const differencesOf = (
  wanted: Evaluation<LeadEvent | SaleEvent | CreditedEvent>,
  booked: Booked | undefined,
  terms: ProgramTerms,
): string[] => {
  if (!booked) {
    const { kind, id } = wanted.event
    const isMissing = typeof wanted.reward !== 'string' || kind === 'credited'
    return isMissing ? [`${kind === 'credited' ? 'adjustment' : kind} ${id} should have a commission but has none`] : []
  }
  const differences = terms.ofVersion(booked.termsVersion ?? 0)
    ? differencesOfEarning(wanted, booked)
    : [`uses terms version ${booked.termsVersion}, which does not exist`]
  return [...differences, ...differencesInLedger(wanted.standing, booked)].map(
    (difference) => `${describeCommission(booked)} ${difference}`,
  )
}

const differencesOfEarning = (
  { event, terms, reward }: Evaluation<LeadEvent | SaleEvent | CreditedEvent>,
  booked: Booked,
): string[] => {
  const happenedAt = event.kind === 'lead' ? event.settledAt : event.soldAt
  const differences: string[] = []
  if (booked.partnerId !== event.partnerId)
    differences.push(`belongs to partner ${booked.partnerId}, but its event belongs to partner ${event.partnerId}`)
  if (typeof reward === 'string') {
    // A correction can lower a commission to zero: the sale was too small, older than the terms, or not the first.
    return booked.amountCents === 0 ? differences : [...differences, `should not exist: ${reward}`]
  }
  if (terms?.version !== booked.termsVersion)
    differences.push(`uses terms version ${booked.termsVersion}, which did not apply to it`)
  if (reward.amountCents !== booked.amountCents || reward.currency !== booked.currency)
    differences.push(
      `is ${booked.amountCents} ${booked.currency} but should be ${reward.amountCents} ${reward.currency}`,
    )
  if (booked.earnedAt.getTime() !== happenedAt.getTime()) differences.push('has a different date than its event')
  if (terms && booked.payableAt.getTime() !== payableFrom(happenedAt, terms.holdDays, booked).getTime())
    differences.push(
      `is payable at ${booked.payableAt.toISOString()}, which is not ${terms.holdDays} days after its event`,
    )
  return differences
}

/** The end of the hold period, or the earlier moment at which a member ended it. */
const payableFrom = (happenedAt: Date, holdDays: number, { releasedAt }: Booked) => {
  const heldUntil = payableAt(happenedAt, holdDays)
  return releasedAt && releasedAt < heldUntil ? releasedAt : heldUntil
}

export const differencesInLedger = (wanted: Standing, booked: Booked): string[] => {
  const { amountCents } = booked
  const amounts = [
    ['reversed', amountCents - booked.promised, amountCents - wanted.promised],
    ['disputed', booked.disputed, wanted.disputed],
    ['in review', booked.review, wanted.review],
  ] as const
  const differences = amounts
    .filter(([, actual, expected]) => actual !== expected)
    .map(([name, actual, expected]) => `has ${actual} ${name} in the ledger but should have ${expected}`)
  if (booked.promises > 1) differences.push(`is promised ${booked.promises} times`)
  if (booked.foreignLines > 0)
    differences.push(`has ${booked.foreignLines} ledger lines of another partner, currency or date`)
  return differences
}

const NOTHING: Standing = { promised: 0, disputed: 0, review: 0 }

/** A merged sale must have nothing promised. */
const differencesOfOther = (row: Booked & { isMerged: boolean }): string[] =>
  (row.isMerged ? differencesInLedger(NOTHING, row) : ['belongs to an event that earns nothing']).map(
    (difference) => `${describeCommission(row)} ${difference}`,
  )

/** Lines dated before a date correction must sum to zero. Payments have no date. */
const uncorrectedDates = sql`(
  SELECT count(*) FROM (
    SELECT FROM (
      SELECT to_account AS account, available_at, amount_cents AS cents FROM ledger_lines
      WHERE program_id = commission.program_id AND commission_id = commission.id AND to_account <> 'paid'
      UNION ALL
      SELECT from_account, available_at, -amount_cents FROM ledger_lines
      WHERE program_id = commission.program_id AND commission_id = commission.id AND to_account <> 'paid') moved
    WHERE available_at <> commission.payable_at GROUP BY account, available_at HAVING sum(cents) <> 0) left_over)`

/** Columns over the aliases `commission` and `ledger`. */
const BOOKED = sql`
  commission.id, commission.kind, coalesce(commission.sale_id, commission.lead_id, commission.adjustment_id) AS event_id, commission.partner_id,
  commission.amount_cents, commission.currency, commission.terms_version, commission.earned_at, commission.payable_at,
  (SELECT released_at FROM hold_releases released
    WHERE released.program_id = commission.program_id AND released.commission_id = commission.id) AS released_at, ledger.*`

const LEDGER = sql`
  CROSS JOIN LATERAL (
    SELECT ${promisedCents} AS promised,
      count(*) FILTER (WHERE from_account = 'program' AND cause <> ALL (${CORRECTIONS})) AS promises,
      ${centsIn('disputed')} AS disputed, ${centsIn('review')} AS review,
      count(*) FILTER (WHERE (partner_id, currency) IS DISTINCT FROM (commission.partner_id, commission.currency))
        + ${uncorrectedDates} AS foreign_lines
    FROM ledger_lines line WHERE line.program_id = commission.program_id AND commission_id = commission.id) ledger`

const readBooked = async (tx: Tx, { programId, clickIds }: { programId: number; clickIds: string }) => {
  const { rows } = await sql<Booked>`
    SELECT ${BOOKED} FROM (
      SELECT earned.* FROM unnest(string_to_array(${clickIds}, E'\n')) AS customer(click_id)
      JOIN leads ON leads.program_id = ${programId} AND leads.click_id = customer.click_id
      JOIN commissions earned ON earned.program_id = leads.program_id AND earned.lead_id = leads.id
      UNION ALL
      SELECT earned.* FROM unnest(string_to_array(${clickIds}, E'\n')) AS customer(click_id)
      JOIN sales ON sales.program_id = ${programId} AND sales.click_id = customer.click_id AND sales.voided_at IS NULL
      JOIN commissions earned ON earned.program_id = sales.program_id AND earned.sale_id = sales.id) commission ${LEDGER}`.execute(
    tx,
  )
  return rows
}

type Adjusted = { programId: number; kinds: Booked['kind'][] }

/** Commissions that adjustments created. `eventId` is the adjustment's. */
export const readAdjusted = async (tx: Tx, { programId, kinds }: Adjusted) => {
  const { rows } = await sql<Booked>`
    SELECT ${BOOKED} FROM (
      SELECT * FROM commissions WHERE program_id = ${programId} AND kind = ANY (${kinds}::text[])) commission ${LEDGER}`.execute(
    tx,
  )
  return rows
}

/** Commissions of merged sales, and of events that cannot earn one. */
const readOthers = async (tx: Tx, programId: number) => {
  const { rows } = await sql<Booked & { isMerged: boolean }>`
    SELECT ${BOOKED}, commission.is_merged FROM (
      SELECT earned.*, sale.voided_at IS NOT NULL AS is_merged FROM commissions earned
      LEFT JOIN sales sale ON sale.program_id = earned.program_id AND sale.id = earned.sale_id AND sale.credit_source IS NOT NULL
      LEFT JOIN leads lead ON lead.program_id = earned.program_id AND lead.id = earned.lead_id AND lead.state = 'settled'
      WHERE earned.program_id = ${programId} AND earned.adjustment_id IS NULL
        AND (sale.voided_at IS NOT NULL OR (sale.id IS NULL AND lead.id IS NULL))) commission ${LEDGER}`.execute(tx)
  return rows
}
