import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { selectAllCommissions } from '../commissions/list-commissions.ts'
import { centsIn } from '../ledger/ledger.ts'

type Check = { programId: number; found: (difference: string) => void }

/** Finds ledger sums that no sequence of events can produce. */
export const verifyAccounts = async (tx: Tx, check: Check) => {
  await verifyNothingBelowZero(tx, check)
  await verifyEveryLineHasACause(tx, check)
  await verifyPayoutLines(tx, check)
  await verifyPaidOnce(tx, check)
  await verifyPaidOfPartners(tx, check)
}

/** Only `earned` (a debt) and `program` may be negative. */
const verifyNothingBelowZero = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<{ partnerId: number; currency: string; account: string; line: string; cents: string }>`
    SELECT DISTINCT ON (partner_id, currency, account) partner_id, currency, account, line_id::text AS line, cents::text
    FROM (
      SELECT partner_id, currency, account, line_id,
        sum(cents) OVER (PARTITION BY partner_id, currency, account ORDER BY line_id) AS cents
      FROM (
        SELECT partner_id, currency, to_account AS account, id AS line_id, amount_cents AS cents FROM ledger_lines
        WHERE program_id = ${programId} AND to_account NOT IN ('earned', 'program')
        UNION ALL
        SELECT partner_id, currency, from_account, id, -amount_cents FROM ledger_lines
        WHERE program_id = ${programId} AND from_account NOT IN ('earned', 'program')) moved) running
    WHERE cents < 0 ORDER BY partner_id, currency, account, line_id`.execute(tx)
  for (const { partnerId, currency, account, line, cents } of rows)
    found(`ledger line ${line} takes the ${account} account of partner ${partnerId} to ${cents} ${currency}`)
}

/** Every line must belong to an existing commission or be a payout move. */
const verifyEveryLineHasACause = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<{ id: string }>`
    SELECT line.id::text FROM ledger_lines line
    LEFT JOIN commissions ON commissions.program_id = line.program_id AND commissions.id = line.commission_id
    LEFT JOIN payout_lines ON payout_lines.program_id = line.program_id AND payout_lines.id = line.payout_line_id
    WHERE line.program_id = ${programId} AND (
      (line.commission_id IS NOT NULL AND commissions.id IS NULL)
      OR (line.payout_line_id IS NOT NULL AND payout_lines.id IS NULL)
      OR (line.commission_id IS NULL AND (line.payout_line_id IS NULL OR (from_account, to_account) NOT IN
        (('earned', 'batched'), ('batched', 'paid'), ('earned', 'paid'), ('batched', 'earned'))))
      -- The only paid lines with a commission: removed from a payout line, but paid anyway.
      OR (line.commission_id IS NOT NULL AND 'paid' IN (from_account, to_account)
        AND NOT (from_account = 'earned' AND to_account = 'paid' AND line.payout_line_id IS NOT NULL)))
    ORDER BY line.id`.execute(tx)
  for (const { id } of rows) found(`ledger line ${id} has no matching commission or payout`)
}

type PaidLine = {
  id: string
  status: string
  reservedCents: string
  movedCents: string
  batchedCents: string
  paidCents: string
  foreignLines: string
}

const verifyPayoutLines = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<PaidLine>`
    SELECT line.id::text, line.status, line.reserved_cents::text, moved.reserved::text AS moved_cents, moved.batched::text AS batched_cents,
      moved.paid::text AS paid_cents, moved.foreign_lines::text
    FROM payout_lines line
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_cents) FILTER (WHERE to_account = 'batched'), 0) AS reserved,
        coalesce(sum(CASE 'batched' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0) AS batched,
        coalesce(sum(CASE 'paid' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0) AS paid,
        count(*) FILTER (WHERE (partner_id, currency) IS DISTINCT FROM (line.partner_id, line.currency)) AS foreign_lines
      FROM ledger_lines WHERE program_id = line.program_id AND payout_line_id = line.id) moved
    WHERE line.program_id = ${programId} AND (moved.reserved <> line.reserved_cents OR moved.foreign_lines > 0 OR moved.batched < 0
      OR (line.status <> 'open' AND moved.batched <> 0) OR (line.status <> 'paid' AND moved.paid <> 0))
    ORDER BY line.id`.execute(tx)
  for (const { id, status, reservedCents, movedCents, batchedCents, paidCents, foreignLines } of rows)
    found(
      `payout line ${id} (${status}) reserved ${reservedCents}, but the ledger has ${movedCents} reserved, ${batchedCents} left, ${paidCents} paid and ${foreignLines} lines of another partner or currency`,
    )
}

/** Payouts cannot take more from a commission than it earned, and a later payout lists it only if it took something from it. */
const verifyPaidOnce = async (tx: Tx, { programId, found }: Check) => {
  const { rows: listed } = await sql<{ commissionId: string; lines: string; payingLines: string }>`
    SELECT listed.commission_id::text, count(*)::text AS lines, count(item.commission_id)::text AS paying_lines
    FROM payout_commissions listed
    JOIN payout_lines line ON line.program_id = listed.program_id AND line.id = listed.payout_line_id AND line.status <> 'failed'
    LEFT JOIN payout_statement_items item ON item.program_id = listed.program_id AND item.payout_line_id = listed.payout_line_id
      AND item.commission_id = listed.commission_id AND item.amount_cents > 0
    WHERE listed.program_id = ${programId}
    GROUP BY listed.commission_id
    -- Until 0.2.0 the first payout also listed commissions with nothing left to pay.
    HAVING max(line.id) FILTER (WHERE item.commission_id IS NULL) > min(line.id)
    ORDER BY listed.commission_id`.execute(tx)
  for (const { commissionId, lines, payingLines } of listed)
    found(
      `commission ${commissionId} is in ${lines} payouts that did not fail, but only ${payingLines} took something from it`,
    )
  const { rows: taken } = await sql<{ commissionId: string; takenCents: string; earnedCents: string }>`
    SELECT commission_id::text, sum(taken_cents)::text AS taken_cents, sum(earned_cents)::text AS earned_cents FROM (
      SELECT item.commission_id, item.amount_cents AS taken_cents, 0 AS earned_cents FROM payout_statement_items item
      JOIN payout_lines line ON line.program_id = item.program_id AND line.id = item.payout_line_id AND line.status <> 'failed'
      WHERE item.program_id = ${programId}
      UNION ALL
      SELECT commission_id, 0, amount_cents FROM ledger_lines
      WHERE program_id = ${programId} AND commission_id IS NOT NULL AND to_account = 'earned') moved
    GROUP BY moved.commission_id HAVING sum(taken_cents) > sum(earned_cents) ORDER BY moved.commission_id`.execute(tx)
  for (const { commissionId, takenCents, earnedCents } of taken)
    found(`payouts took ${takenCents} from commission ${commissionId}, which earned ${earnedCents}`)
}

/** What commissions show as paid must add up to the balances. */
const verifyPaidOfPartners = async (tx: Tx, { programId, found }: Check) => {
  await sql`SET LOCAL enable_nestloop = off`.execute(tx)
  const { rows } = await sql<{ partnerId: number; currency: string; shownCents: string; paidCents: string }>`
    SELECT partner_id, currency, sum(shown_cents)::text AS shown_cents, sum(booked_cents)::text AS paid_cents FROM (
      SELECT partner_id, currency, paid_cents AS shown_cents, 0 AS booked_cents
      FROM (${selectAllCommissions({ programId, at: new Date(0) })}) commission
      UNION ALL
      SELECT partner_id, currency, 0, ${centsIn('paid')} FROM ledger_lines line
      WHERE program_id = ${programId} GROUP BY partner_id, currency) part
    GROUP BY partner_id, currency HAVING sum(shown_cents) <> sum(booked_cents) ORDER BY partner_id, currency`.execute(
    tx,
  )
  await sql`SET LOCAL enable_nestloop = on`.execute(tx)
  for (const { partnerId, currency, shownCents, paidCents } of rows)
    found(
      `commissions of partner ${partnerId} show ${shownCents} ${currency} as paid, but the balance has ${paidCents}`,
    )
}
