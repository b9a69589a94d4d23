import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { balances } from '../../money/ledger/ledger.ts'
import type { Amount } from '../details.ts'
import { notify } from '../notify.ts'

/** Per run; the next run continues. */
const MAX_PARTNERS = 500

type Partner = { programId: number; partnerId: number }

/**
 * The first commission of partners who can sign in, unless it is in review. Found here instead of where it is earned, so that a
 * sale costs nothing more. Older ones are not news.
 */
export const checkFirstCommissions = async (db: Database, at: Date) => {
  const { rows } = await sql<Partner & Amount>`
    SELECT DISTINCT holder.program_id, holder.partner_id, first.amount_cents, first.currency
    FROM partner_users holder
    CROSS JOIN LATERAL (
      SELECT earned.amount_cents, earned.currency, earned.earned_at FROM commissions earned
      WHERE earned.program_id = holder.program_id AND earned.partner_id = holder.partner_id AND earned.amount_cents > 0
        AND NOT EXISTS (
          SELECT FROM commission_reviews review WHERE review.program_id = earned.program_id
            AND review.commission_id = earned.id AND review.decision IS DISTINCT FROM 'released')
      ORDER BY earned.id LIMIT 1) first
    WHERE first.earned_at > ${at}::timestamptz - interval '7 days' AND NOT EXISTS (
      SELECT FROM notifications known WHERE known.program_id = holder.program_id AND known.kind = 'first_commission'
        AND known.subject = 'partner ' || holder.partner_id)
    LIMIT ${sql.lit(MAX_PARTNERS)}`.execute(db)
  for (const { programId, partnerId, ...details } of rows)
    await inTransaction(db, (tx) =>
      notify(tx, {
        programId,
        kind: 'first_commission',
        partnerIds: [partnerId],
        subject: `partner ${partnerId}`,
        at,
        details,
      }),
    )
}

/** Approved partners with a payable balance and no payout details, once a month. */
export const checkPayoutDetails = async (db: Database, at: Date) => {
  // The order changes with the hour, so that those without a balance do not keep out the others.
  const { rows } = await sql<Partner & { month: string }>`
    SELECT DISTINCT partner.program_id, partner.id AS partner_id, period.month, md5(partner.id || ${at.toISOString().slice(0, 13)}) AS turn
    FROM partner_users holder
    JOIN partners partner ON (partner.program_id, partner.id) = (holder.program_id, holder.partner_id)
    JOIN programs program ON program.id = partner.program_id
    CROSS JOIN LATERAL (SELECT to_char(${at}::timestamptz AT TIME ZONE program.timezone, 'YYYY-MM') AS month) period
    WHERE partner.status = 'approved' AND NOT partner.archived
      AND EXISTS (SELECT FROM partner_accounts account
        WHERE account.program_id = partner.program_id AND account.partner_id = partner.id)
      AND NOT EXISTS (SELECT FROM partner_payout_details known
        WHERE known.program_id = partner.program_id AND known.partner_id = partner.id)
      AND NOT EXISTS (SELECT FROM notifications sent WHERE sent.program_id = partner.program_id
        AND sent.kind = 'payout_details_missing' AND sent.subject = 'partner ' || partner.id || ' ' || period.month)
    ORDER BY turn LIMIT ${sql.lit(MAX_PARTNERS)}`.execute(db)
  for (const { programId, partnerId, month } of rows) {
    const amounts = (await balances(db, { programId, partnerId, at }))
      .filter(({ payableCents }) => payableCents > 0)
      .map(({ payableCents: amountCents, currency }) => ({ amountCents, currency }))
    if (amounts.length === 0) continue
    const subject = `partner ${partnerId} ${month}`
    await inTransaction(db, (tx) =>
      notify(tx, {
        programId,
        kind: 'payout_details_missing',
        partnerIds: [partnerId],
        subject,
        details: { amounts },
        at,
      }),
    )
  }
}
