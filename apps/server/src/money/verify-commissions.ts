import { sql } from 'kysely'
import { firstSoldBefore } from '../database/paid-before.ts'
import type { Tx } from '../database/transaction.ts'
import { disputedCents } from './disputes.ts'
import { CORRECTIONS } from './ledger.ts'
import { refundedOf } from './refunds.ts'
import { leadReward, payableAt, saleReward, sharesOf } from './rewards.ts'
import type { ProgramTerms } from './verify-terms.ts'

const AT_ONCE = 1_000

type Row = {
  id: number
  kind: 'lead' | 'sale'
  eventId: number
  partnerId: number
  amountCents: number
  currency: string
  termsVersion: number
  earnedAt: Date
  payableAt: Date
  eventPartnerId: number | null
  happenedAt: Date | null
  saleCents: number | null
  saleCurrency: string | null
  firstSoldAt: Date | null
  refundedCents: number
  openCents: number
  lostCents: number
  decision: 'released' | 'rejected' | null
  isReviewed: boolean
  promisedCents: number
  promises: number
  isVoided: boolean
  disputedCents: number
  reviewCents: number
  strangers: number
}

type Verifying = { programId: number; terms: ProgramTerms; found: (difference: string) => void }

/** Recomputes every commission from its event and the terms it names, and compares it with what the ledger says of it. */
export const verifyCommissions = async (tx: Tx, { programId, terms, found }: Verifying) => {
  for (let after = 0; ; ) {
    const rows = await readCommissions(tx, { programId, after })
    for (const row of rows) for (const difference of differencesOf(row, terms)) found(difference)
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.id ?? after
  }
}

const differencesOf = (row: Row, terms: ProgramTerms) => {
  const name = `commission ${row.id} of ${row.kind} ${row.eventId}`
  return [...differencesOfEarning(row, terms), ...differencesInLedger(row)].map((difference) => `${name} ${difference}`)
}

const differencesOfEarning = (row: Row, all: ProgramTerms): string[] => {
  const { happenedAt, saleCents, saleCurrency, firstSoldAt } = row
  if (happenedAt === null || row.eventPartnerId === null) return [`names an event that earns nothing`]
  const terms = all.ofVersion(row.termsVersion)
  if (!terms) return [`names terms ${row.termsVersion}, which are missing`]
  const differences: string[] = []
  if (row.partnerId !== row.eventPartnerId)
    differences.push(`is partner ${row.partnerId}’s and the event is partner ${row.eventPartnerId}’s`)
  if (row.amountCents > 0 && all.at(row.partnerId, happenedAt.getTime())?.version !== row.termsVersion)
    differences.push(`names terms ${row.termsVersion}, which did not hold for it`)
  // What a sale would earn that is part of another is nobody's question any more.
  if (row.isVoided) return differences
  if (row.amountCents === 0) return [...differences, ...differencesOfNothing(row, all)]
  const reward =
    row.kind === 'lead' || saleCents === null || saleCurrency === null
      ? leadReward(terms)
      : saleReward(terms, { amountCents: saleCents, currency: saleCurrency, soldAt: happenedAt, firstSoldAt })
  if (typeof reward === 'string') differences.push(`should not be: ${reward}`)
  else if (reward.amountCents !== row.amountCents || reward.currency !== row.currency)
    differences.push(`is ${row.amountCents} ${row.currency} and should be ${reward.amountCents} ${reward.currency}`)
  if (row.earnedAt.getTime() !== happenedAt.getTime()) differences.push('was not earned when its event happened')
  if (row.payableAt.getTime() !== payableAt(happenedAt, terms.holdDays).getTime())
    differences.push(
      `is payable at ${row.payableAt.toISOString()}, which is not ${terms.holdDays} days after its event`,
    )
  return differences
}

/** Corrected to nothing: the sale turned out to be too small, older than the terms, or not the first. */
const differencesOfNothing = (
  { partnerId, happenedAt, saleCents, saleCurrency, firstSoldAt }: Row,
  all: ProgramTerms,
): string[] => {
  const terms = happenedAt && all.at(partnerId, happenedAt.getTime())
  if (!terms || happenedAt === null || saleCents === null || saleCurrency === null) return []
  const sale = { amountCents: saleCents, currency: saleCurrency, soldAt: happenedAt, firstSoldAt }
  const reward = saleReward(terms, sale)
  return typeof reward === 'string' ? [] : [`is 0 and should be ${reward.amountCents} ${reward.currency}`]
}

const differencesInLedger = (row: Row): string[] => {
  const isOver = row.isVoided || row.decision === 'rejected'
  const { saleCents } = row
  const shares = saleCents === null ? { reversed: 0, held: 0 } : sharesOf(row.amountCents, { ...row, saleCents })
  const reversed = isOver ? row.amountCents : shares.reversed
  const left = row.amountCents - reversed
  const inReview = row.isReviewed && row.decision === null
  const expected = {
    reversed,
    disputed: isOver ? 0 : shares.held,
    'in review': inReview && !isOver ? left - shares.held : 0,
  }
  const said = {
    // What is not promised any more, whatever corrections added to it or took from it on the way.
    reversed: row.amountCents - row.promisedCents,
    disputed: row.disputedCents,
    'in review': row.reviewCents,
  }
  const differences = (Object.keys(expected) as (keyof typeof expected)[])
    .filter((word) => expected[word] !== said[word])
    .map((word) => `has ${said[word]} ${word} in the ledger and should have ${expected[word]}`)
  if (row.promises > 1) differences.push(`is promised ${row.promises} times`)
  if (row.strangers > 0) differences.push(`has ${row.strangers} ledger lines of another partner, currency or date`)
  return differences
}

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

/** The first sale is the earliest that earned something, whenever it was told. */
const readCommissions = async (tx: Tx, { programId, after }: { programId: number; after: number }) => {
  const { rows } = await sql<Row>`
    SELECT commission.*, coalesce(commission.sale_id, commission.lead_id) AS event_id,
      coalesce(sale.partner_id, lead.partner_id) AS event_partner_id, coalesce(sale.sold_at, lead.settled_at) AS happened_at,
      sale.amount_cents AS sale_cents, sale.currency AS sale_currency,
      least(first.sold_at, ${firstSoldBefore('bound')}, ${firstSoldBefore('sale')}) AS first_sold_at,
      coalesce(${refundedOf('sale')}, 0) AS refunded_cents, sale.voided_at IS NOT NULL AS is_voided, dispute.*, review.decision,
      review.commission_id IS NOT NULL AS is_reviewed, ledger.*
    FROM (SELECT * FROM commissions WHERE program_id = ${programId} AND id > ${after} ORDER BY id LIMIT ${AT_ONCE}) commission
    LEFT JOIN sales sale ON sale.program_id = commission.program_id AND sale.id = commission.sale_id AND sale.click_id IS NOT NULL
    LEFT JOIN leads lead ON lead.program_id = commission.program_id AND lead.id = commission.lead_id AND lead.state = 'settled'
    LEFT JOIN leads bound ON bound.program_id = sale.program_id AND bound.click_id = sale.click_id
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    LEFT JOIN LATERAL (
      SELECT other.sold_at FROM sales other
      JOIN commissions earlier ON earlier.program_id = other.program_id AND earlier.sale_id = other.id
      WHERE other.program_id = commission.program_id AND other.click_id = sale.click_id AND earlier.amount_cents > 0
        AND other.voided_at IS NULL AND (other.sold_at, other.id) < (sale.sold_at, sale.id)
      ORDER BY other.sold_at, other.id LIMIT 1) first ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(${disputedCents('open')}, 0) AS open_cents, coalesce(${disputedCents('lost')}, 0) AS lost_cents FROM disputes dispute
      WHERE program_id = commission.program_id AND sale_id = commission.sale_id) dispute
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(CASE 'program' WHEN from_account THEN amount_cents WHEN to_account THEN -amount_cents END), 0)::bigint AS promised_cents,
        count(*) FILTER (WHERE from_account = 'program' AND cause <> ALL (${CORRECTIONS})) AS promises,
        coalesce(sum(CASE 'disputed' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint AS disputed_cents,
        coalesce(sum(CASE 'review' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint AS review_cents,
        count(*) FILTER (WHERE (partner_id, currency) IS DISTINCT FROM (commission.partner_id, commission.currency))
          + ${daysLeftOver} AS strangers
      FROM ledger_lines WHERE program_id = commission.program_id AND commission_id = commission.id) ledger
    ORDER BY commission.id`.execute(tx)
  return rows
}
