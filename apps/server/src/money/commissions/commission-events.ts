import type { PublishedEventData } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertEvents, isoTime } from '../../outbox/events.ts'
import { findUnannounced, settleHolds } from '../../outbox/payable-marks.ts'
import { changing, definePublished } from '../../outbox/publish-changes.ts'
import { type CommissionRow, describeCommissions, withTotals } from './commission-states.ts'

type Data = PublishedEventData['commission.created']

export const COMMISSIONS = definePublished<'commission.created'>({
  name: 'commission',
  rank: 4,
  settle: (tx, programId, ids, at) => settleHolds(tx, { programId, ids, at }),
  read: async (tx, programId, ids) => {
    const commissions = sql`SELECT * FROM commissions WHERE program_id = ${programId} AND id = ${anyOf(ids)}`
    const selection = { programId, from: withTotals(commissions), isHeld: isUnannounced }
    return (await describeCommissions(selection).execute(tx)).rows.map(toData)
  },
  typesOf: (_, { state }, changed) => {
    if (!changed.has('state')) return ['commission.updated']
    if (state === 'payable') return ['commission.payable']
    return [state === 'reversed' ? 'commission.voided' : 'commission.updated']
  },
})

/** Unlike in a list, the hold period ends when its end is announced, and the partner's status does not matter. */
const isUnannounced = sql`NOT EXISTS (SELECT FROM outbox_payable marked
  WHERE marked.program_id = commission.program_id AND marked.commission_id = commission.id)`

type Ended = { programId: number; at: Date } & ({ ids: number[] } | { partnerId: number })

/** Announces that the hold period of these commissions has ended, where it has. The caller has locked the accounts. */
export const announceEndedHolds = async (tx: Tx, ended: Ended) => {
  const { programId, at } = ended
  await changing(tx, 'commission', { programId, ids: await findUnannounced(tx, ended), at })
}

const toData = (row: CommissionRow): Data => {
  const { id, kind, partnerId, saleId, leadId, amountCents, reversedCents, currency, paidCents, disputedCents } = row
  const { payableAt, earnedAt, termsVersion, reviewReasons, voidReason, byHand } = row
  return {
    id,
    kind,
    partnerId,
    saleId,
    leadId,
    amountCents,
    reversedCents,
    currency,
    state: row.state,
    paidCents,
    disputedCents,
    payableAt: payableAt.toISOString(),
    earnedAt: earnedAt.toISOString(),
    termsVersion,
    reviewReasons,
    voidReason,
    byHand,
  }
}

/**
 * Part of a statement: publishes the new rows of the CTEs `commission` and `new_commission`. `after` names a part whose
 * events come first.
 */
export const publishCreated = (after: string | null): RawBuilder<unknown> =>
  insertEvents(sql`
    SELECT commission.program_id, 'commission.created', new_commission.at, json_build_object(
      'id', commission.id, 'kind', CASE commission.kind WHEN 'credited' THEN 'sale' ELSE commission.kind END,
      'partnerId', commission.partner_id,
      'saleId', coalesce(commission.sale_id, CASE WHEN own.type IN ('credit', 'move') THEN coalesce(named.merged_into, own.sale_id) END),
      'leadId', commission.lead_id, 'amountCents', commission.amount_cents, 'reversedCents', 0,
      'currency', commission.currency, 'state', CASE new_commission.to_account WHEN 'review' THEN 'review' ELSE 'held' END,
      'paidCents', 0, 'disputedCents', 0, 'payableAt', ${isoTime(sql`commission.payable_at`)},
      'earnedAt', ${isoTime(sql`commission.earned_at`)}, 'termsVersion', commission.terms_version,
      'reviewReasons', new_commission.review_reasons::json, 'voidReason', NULL, 'byHand', commission.adjustment_id IS NOT NULL),
      NULL::json, NULL::json, NULL::text
    FROM commission JOIN new_commission
      ON new_commission.program_id = commission.program_id AND new_commission.kind = commission.kind
      AND coalesce(new_commission.lead_id, new_commission.sale_id, new_commission.adjustment_id)
        = coalesce(commission.lead_id, commission.sale_id, commission.adjustment_id)
    LEFT JOIN adjustments own ON own.program_id = commission.program_id AND own.id = commission.adjustment_id
    LEFT JOIN sales named ON named.program_id = own.program_id AND named.id = own.sale_id
    ${after === null ? sql`` : sql`WHERE (SELECT count(*) FROM ${sql.raw(after)}) >= 0`}
    ORDER BY commission.id`)
