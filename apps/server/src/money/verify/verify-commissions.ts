import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { customersOfPeriod, factsOfCustomers } from '../commissions/customer-facts.ts'
import { type Evaluated, evaluateCustomer, type LeadEvent, type SaleEvent } from '../commissions/evaluate.ts'
import type { Standing } from '../commissions/standing.ts'
import { CORRECTIONS } from '../ledger/ledger.ts'
import type { ProgramTerms } from '../rewards/program-terms.ts'
import { payableAt } from '../rewards/rewards.ts'

const CUSTOMERS_A_PAGE = 1_000
const ALL_TIME = { from: new Date(0), before: new Date('9999-01-01') }

type Verifying = { programId: number; terms: ProgramTerms; found: (difference: string) => void }

/**
 * Evaluates what every customer earned, by the rule that every event is decided by, and compares that with the commissions and
 * with what the ledger says of them.
 */
export const verifyCommissions = async (tx: Tx, { programId, terms, found }: Verifying) => {
  const termsAt = (partnerId: number, at: Date) => terms.at(partnerId, at.getTime()) ?? null
  for (const { clickIds } of await customersOfPeriod(tx, { programId, ...ALL_TIME, pageSize: CUSTOMERS_A_PAGE })) {
    const booked = new Map((await readBooked(tx, { programId, clickIds })).map((row) => [nameOf(row), row]))
    for (const facts of await factsOfCustomers(tx, { programId, clickIds })) {
      const { lead, sales } = evaluateCustomer(facts, termsAt)
      for (const wanted of lead ? [lead, ...sales] : sales) {
        const name = nameOf({ kind: wanted.event.kind, eventId: wanted.event.id })
        for (const difference of differencesOf(wanted, booked.get(name), terms)) found(difference)
      }
    }
  }
  for (const row of await readOthers(tx, programId)) for (const difference of differencesOfOther(row)) found(difference)
}

type Booked = Standing & {
  id: number
  kind: 'lead' | 'sale'
  eventId: number
  partnerId: number
  amountCents: number
  currency: string
  termsVersion: number
  earnedAt: Date
  payableAt: Date
  promises: number
  strangers: number
}

const nameOf = ({ kind, eventId }: Pick<Booked, 'kind' | 'eventId'>) => `${kind} ${eventId}`
const fullNameOf = (row: Booked) => `commission ${row.id} of ${nameOf(row)}`

const differencesOf = (
  wanted: Evaluated<LeadEvent | SaleEvent>,
  booked: Booked | undefined,
  terms: ProgramTerms,
): string[] => {
  if (!booked) {
    const isMissing = typeof wanted.reward !== 'string'
    return isMissing ? [`${wanted.event.kind} ${wanted.event.id} has no commission and should`] : []
  }
  const differences = terms.ofVersion(booked.termsVersion)
    ? differencesOfEarning(wanted, booked)
    : [`names terms ${booked.termsVersion}, which are missing`]
  return [...differences, ...differencesInLedger(wanted.standing, booked)].map(
    (difference) => `${fullNameOf(booked)} ${difference}`,
  )
}

const differencesOfEarning = ({ event, terms, reward }: Evaluated<LeadEvent | SaleEvent>, booked: Booked): string[] => {
  const happenedAt = event.kind === 'lead' ? event.settledAt : event.soldAt
  const differences: string[] = []
  if (booked.partnerId !== event.partnerId)
    differences.push(`is partner ${booked.partnerId}’s and the event is partner ${event.partnerId}’s`)
  if (typeof reward === 'string') {
    // Corrected to nothing: the sale turned out to be too small, older than the terms, or not the first.
    return booked.amountCents === 0 ? differences : [...differences, `should not be: ${reward}`]
  }
  if (terms?.version !== booked.termsVersion)
    differences.push(`names terms ${booked.termsVersion}, which did not hold for it`)
  if (reward.amountCents !== booked.amountCents || reward.currency !== booked.currency)
    differences.push(
      `is ${booked.amountCents} ${booked.currency} and should be ${reward.amountCents} ${reward.currency}`,
    )
  if (booked.earnedAt.getTime() !== happenedAt.getTime()) differences.push('was not earned when its event happened')
  if (terms && booked.payableAt.getTime() !== payableAt(happenedAt, terms.holdDays).getTime())
    differences.push(
      `is payable at ${booked.payableAt.toISOString()}, which is not ${terms.holdDays} days after its event`,
    )
  return differences
}

const differencesInLedger = (wanted: Standing, booked: Booked): string[] => {
  const { amountCents } = booked
  // What is not promised any more, whatever corrections added to it or took from it on the way.
  const said = [
    ['reversed', amountCents - booked.promised, amountCents - wanted.promised],
    ['disputed', booked.disputed, wanted.disputed],
    ['in review', booked.review, wanted.review],
  ] as const
  const differences = said
    .filter(([, is, should]) => is !== should)
    .map(([word, is, should]) => `has ${is} ${word} in the ledger and should have ${should}`)
  if (booked.promises > 1) differences.push(`is promised ${booked.promises} times`)
  if (booked.strangers > 0)
    differences.push(`has ${booked.strangers} ledger lines of another partner, currency or date`)
  return differences
}

const NOTHING: Standing = { promised: 0, disputed: 0, review: 0 }

/** What a sale would earn that is part of another is nobody's question any more; nothing of it is promised. */
const differencesOfOther = (row: Booked & { isMerged: boolean }): string[] =>
  (row.isMerged ? differencesInLedger(NOTHING, row) : ['names an event that earns nothing']).map(
    (difference) => `${fullNameOf(row)} ${difference}`,
  )

/** Lines of another day than the commission's must have been taken back to the cent: that day was corrected. A payment is of no day. */
const daysLeftOver = sql`(
  SELECT count(*) FROM (
    SELECT FROM (
      SELECT to_account AS account, available_at, amount_cents AS cents FROM ledger_lines
      WHERE program_id = commission.program_id AND commission_id = commission.id AND to_account <> 'paid'
      UNION ALL
      SELECT from_account, available_at, -amount_cents FROM ledger_lines
      WHERE program_id = commission.program_id AND commission_id = commission.id AND to_account <> 'paid') moved
    WHERE available_at <> commission.payable_at GROUP BY account, available_at HAVING sum(cents) <> 0) left_over)`

/** Of the commissions that are called `commission`: each with where it stands by the ledger. */
const BOOKED = sql`
  commission.id, commission.kind, coalesce(commission.sale_id, commission.lead_id) AS event_id, commission.partner_id,
  commission.amount_cents, commission.currency, commission.terms_version, commission.earned_at, commission.payable_at, ledger.*`

const LEDGER = sql`
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE 'program' WHEN from_account THEN amount_cents WHEN to_account THEN -amount_cents END), 0)::bigint AS promised,
      count(*) FILTER (WHERE from_account = 'program' AND cause <> ALL (${CORRECTIONS})) AS promises,
      coalesce(sum(CASE 'disputed' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint AS disputed,
      coalesce(sum(CASE 'review' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint AS review,
      count(*) FILTER (WHERE (partner_id, currency) IS DISTINCT FROM (commission.partner_id, commission.currency))
        + ${daysLeftOver} AS strangers
    FROM ledger_lines WHERE program_id = commission.program_id AND commission_id = commission.id) ledger`

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

/** Commissions of sales that are part of another, and of events that cannot have earned one. */
const readOthers = async (tx: Tx, programId: number) => {
  const { rows } = await sql<Booked & { isMerged: boolean }>`
    SELECT ${BOOKED}, commission.is_merged FROM (
      SELECT earned.*, sale.voided_at IS NOT NULL AS is_merged FROM commissions earned
      LEFT JOIN sales sale ON sale.program_id = earned.program_id AND sale.id = earned.sale_id AND sale.click_id IS NOT NULL
      LEFT JOIN leads lead ON lead.program_id = earned.program_id AND lead.id = earned.lead_id AND lead.state = 'settled'
      WHERE earned.program_id = ${programId}
        AND (sale.voided_at IS NOT NULL OR (sale.id IS NULL AND lead.id IS NULL))) commission ${LEDGER}`.execute(tx)
  return rows
}
