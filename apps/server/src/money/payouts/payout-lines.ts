import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { holdPartnerStatus } from '../commissions/partner-standing.ts'
import { AT_ANY_TIME, append, lockPartnerAccount, type NewLine } from '../ledger/ledger.ts'
import { CAUSES, findPayoutLines, type PayoutLine } from './find-payout-lines.ts'

type Key = { programId: number; payoutId: number; lineId: number }

type Decision = Key & {
  status: 'paid' | 'failed'
  amountCents: number | null
  reference: string | null
  /** A calendar day. */
  paidAt: string | null
  /** The calendar day of the payout. No earlier payment can be one of it. */
  createdOn: { day: string; timezone: string }
  at: Date
  /** What else belongs to the same transaction. */
  also: (tx: Tx, before: PayoutLine, after: PayoutLine | undefined) => Promise<unknown>
}

/**
 * Marks a line paid or failed. Paid books `amountCents`, or else the highest exported amount, or else what is reserved now.
 * What exceeds the reservation, because a refund came after the file, is the partner's debt. A repeat changes nothing.
 */
export const decidePayoutLine = (
  db: Database,
  { programId, payoutId, lineId, status, amountCents, reference, paidAt, createdOn, at, also }: Decision,
) =>
  inTransaction(db, async (tx) => {
    const [found] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (!found) return null
    const partnerStatus = await holdPartnerStatus(tx, { programId, partnerId: found.partnerId })
    await lockPartnerAccount(tx, { programId, ...found })
    const [line] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (!line) return null
    const isRepeat =
      line.status === status &&
      (amountCents === null || amountCents === line.paidCents) &&
      (reference === null || reference === line.reference) &&
      (paidAt === null || paidAt === line.paidAt)
    if (isRepeat) return line
    if (line.status !== 'open') throw new Refusal('conflict', whyDecided(line), { field: 'status' })
    refuseEarlier(paidAt, createdOn)
    if (status === 'paid') refuseUnapproved(line, partnerStatus)
    const left = line.batchedCents
    refuseOtherThan({ amountCents, least: left, most: line.reservedCents })
    const paid = status === 'paid' ? (amountCents ?? line.exportedCents ?? left) : 0
    const move = (fromAccount: NewLine['fromAccount'], toAccount: NewLine['toAccount'], cents: number): NewLine => ({
      partnerId: line.partnerId,
      currency: line.currency,
      fromAccount,
      toAccount,
      amountCents: cents,
      availableAt: AT_ANY_TIME,
      cause: CAUSES[status],
      payoutLineId: lineId,
    })
    const lines = [
      move('batched', 'paid', Math.min(paid, left)),
      ...(await paidAfterAll(tx, { programId, lineId, cents: Math.max(paid - left, 0) })).map(
        ({ commissionId, cents }) => ({ ...move('earned', 'paid', cents), commissionId }),
      ),
      move('batched', 'earned', Math.max(left - paid, 0)),
    ]
    await append(tx, { programId, at, lines })
    await tx
      .updateTable('payoutLines')
      .set({ status, decidedAt: at, reference, paidOn: paidAt })
      .where('programId', '=', programId)
      .where('id', '=', lineId)
      .execute()
    const [after] = await findPayoutLines(tx, { programId, payoutId, lineId })
    await also(tx, line, after)
    return after ?? null
  })

/**
 * Whose commissions the amount was for that was paid although it had been taken out of the line: those taken last, for the file
 * came before that. The line lists them again, so that what comes back of them is not paid twice.
 */
const paidAfterAll = async (
  tx: Tx,
  { programId, lineId, cents }: { programId: number; lineId: number; cents: number },
) => {
  if (cents === 0) return []
  const { rows } = await sql<{ commissionId: number; cents: number }>`
    SELECT taken.commission_id, sum(least(taken.amount_cents, ${cents}::bigint - taken.later))::bigint AS cents FROM (
      SELECT entry.commission_id, entry.amount_cents, sum(entry.amount_cents) OVER (ORDER BY entry.id DESC) - entry.amount_cents AS later
      FROM ledger_lines entry
      WHERE entry.program_id = ${programId} AND entry.payout_line_id = ${lineId} AND entry.from_account = 'batched') taken
    WHERE taken.later < ${cents}::bigint GROUP BY taken.commission_id ORDER BY taken.commission_id`.execute(tx)
  await sql`
    INSERT INTO payout_commissions (program_id, payout_line_id, commission_id)
    SELECT ${programId}, ${lineId}, unnest(${rows.map(({ commissionId }) => commissionId)}::bigint[])
    ON CONFLICT DO NOTHING`.execute(tx)
  return rows
}

/** Nothing is paid to a partner who is not approved. What a file had while they were may have been paid already. */
const refuseUnapproved = ({ exportedCents }: PayoutLine, partnerStatus: PartnerStatus) => {
  if (partnerStatus === 'approved' || exportedCents !== null) return
  throw new Refusal(
    'conflict',
    `The partner is ${partnerStatus} and this line was in no file, so nothing should have been sent. Approve the partner first, or mark the line failed: the amount returns to their balance.`,
    { field: 'status' },
  )
}

/** One that was handed out stays open until somebody marks it; any other is closed once nothing is left in it. */
const whyDecided = ({ status, emptied, exportedCents }: PayoutLine) =>
  emptied && exportedCents === null
    ? 'Nothing was left to pay in this line: all of it had been taken back or disputed, so it was closed.'
    : `This line was marked ${status} before.`

/** A line is paid or not: part of it would leave commissions that are neither. */
const refuseOtherThan = ({ amountCents, least, most }: { amountCents: number | null; least: number; most: number }) => {
  if (amountCents === null || (amountCents >= least && amountCents <= most)) return
  throw new Refusal(
    'invalid_amount',
    `amountCents must be from ${least}, what is due now, to ${most}, what the line was made for.`,
    {
      field: 'amountCents',
    },
  )
}

/** A line from which refunds have taken everything, and which nobody has seen, is over. */
export const closeEmptyLine = (tx: Tx, { programId, lineId, at }: { programId: number; lineId: number; at: Date }) =>
  tx
    .updateTable('payoutLines')
    .set({ status: 'failed', decidedAt: at })
    .where('programId', '=', programId)
    .where('id', '=', lineId)
    .where('exportedCents', 'is', null)
    .execute()

const refuseEarlier = (paidAt: string | null, { day, timezone }: Decision['createdOn']) => {
  if (paidAt === null || paidAt >= day) return
  throw new Refusal('invalid_request', `paidAt must not be before the payout was created, on ${day} in ${timezone}.`, {
    field: 'paidAt',
  })
}
