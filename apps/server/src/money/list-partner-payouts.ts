import type { PortalPayoutsQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { orderBy } from '../database/sorting.ts'

export type PartnerPayout = {
  id: number
  createdAt: Date
  amountCents: number
  currency: string
  status: 'open' | 'paid' | 'failed'
  decidedAt: Date | null
}

type Asked = { programId: number; partnerId: number } & PortalPayoutsQuery

/** A partner's lines of all payouts: what is to be paid, or was. */
export const listPartnerPayouts = async (
  db: Database,
  { programId, partnerId, status, sort, page, pageSize }: Asked,
) => {
  const ofPartner = sql`payout_lines line WHERE line.program_id = ${programId} AND line.partner_id = ${partnerId}
    ${status ? sql`AND line.status = ${status}` : sql``}`
  const order = orderBy(sort, { createdAt: 'created_at', amountCents: 'amount_cents' }, 'id')
  const [list, count] = await Promise.all([
    sql<PartnerPayout>`SELECT * FROM (
      SELECT line.id, payout.cutoff_at AS created_at, line.currency, line.status, line.decided_at, (
        SELECT coalesce(sum(CASE WHEN to_account = account THEN amount_cents WHEN from_account = account THEN -amount_cents ELSE 0 END), 0)::bigint
        FROM ledger_lines moved, (SELECT CASE line.status WHEN 'paid' THEN 'paid' ELSE 'batched' END AS account) which
        WHERE moved.program_id = line.program_id AND moved.payout_line_id = line.id) AS amount_cents
      FROM (SELECT * FROM ${ofPartner}) line
      JOIN payouts payout ON payout.program_id = line.program_id AND payout.id = line.payout_id) line
      ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${ofPartner}`.execute(db),
  ])
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 }
}
