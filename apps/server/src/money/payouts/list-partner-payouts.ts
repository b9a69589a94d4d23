import type { PortalPayoutsQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { orderBy } from '../../database/sql/sorting.ts'
import { type PayoutLine, selectPayoutLines } from './find-payout-lines.ts'

export type PartnerPayout = Pick<
  PayoutLine,
  'id' | 'payoutId' | 'amountCents' | 'currency' | 'status' | 'emptied' | 'decidedAt' | 'reference' | 'paidAt'
> & { createdAt: Date }

type PartnerPayoutsQuery = { programId: number; partnerId: number } & PortalPayoutsQuery

export const listPartnerPayouts = async (
  db: Database,
  { programId, partnerId, status, sort, page, pageSize }: PartnerPayoutsQuery,
) => {
  const withStatus = status ? sql`AND line.status = ${status}` : sql``
  const order = orderBy(sort, { createdAt: 'created_at', amountCents: 'amount_cents' }, 'id')
  const [list, count] = await Promise.all([
    sql<PartnerPayout>`SELECT * FROM (
      SELECT line.id, line.payout_id, payout.cutoff_at AS created_at, line.amount_cents, line.currency, line.status, line.emptied,
        line.decided_at, line.reference, line.paid_at
      FROM (${selectPayoutLines({ programId, partnerId })}) line
      JOIN payouts payout ON payout.program_id = ${programId} AND payout.id = line.payout_id ${withStatus}) line
      ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM payout_lines line
      WHERE line.program_id = ${programId} AND line.partner_id = ${partnerId} ${withStatus}`.execute(db),
  ])
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 }
}
