import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { lockPartnerStatus } from '../commissions/partner-status.ts'
import { ALWAYS_AVAILABLE, appendLines, lockPartnerAccount, type NewLine } from '../ledger/ledger.ts'
import { CAUSES, type LineChange, type PayoutLine, readPayoutLine } from './find-payout-lines.ts'
import { changingDecidedLine } from './payout-events.ts'

type Decision = {
  programId: number
  line: PayoutLine
  status: 'paid' | 'failed'
  amountCents: number | null
  reference: string | null
  /** Calendar date. */
  paidAt: string | null
  note: string | null
  /** Date of the payout in the program's time zone; `paidAt` cannot be earlier. */
  createdOn: { day: string; timezone: string }
  at: Date
}

/**
 * Marks a line paid or failed. `paid` books `amountCents`, else the highest exported amount, else the remaining reservation. If a refund
 * after the export made the payment exceed the reservation, the excess becomes the partner's debt. Idempotent.
 */
export const decidePayoutLine = async (
  tx: Tx,
  { programId, status, amountCents, reference, paidAt, note, createdOn, at, ...decision }: Decision,
): Promise<LineChange> => {
  const { id: lineId, partnerId } = decision.line
  const partnerStatus = await lockPartnerStatus(tx, { programId, partnerId })
  await lockPartnerAccount(tx, { programId, ...decision.line })
  const line = await readPayoutLine(tx, { programId, line: decision.line })
  const isRepeat =
    line.status === status &&
    (amountCents === null || amountCents === line.paidCents) &&
    (reference === null || reference === line.reference) &&
    (paidAt === null || paidAt === line.paidAt) &&
    (note === null || note === line.note)
  if (isRepeat) return { before: null, after: line }
  if (line.status !== 'open') throw new Refusal('conflict', alreadyDecided(line), { field: 'status' })
  requirePaidSince(paidAt, createdOn)
  if (status === 'paid') requireApproved(line, partnerStatus)
  const left = line.batchedCents
  requireAmountBetween({ amountCents, least: left, most: line.reservedCents })
  const paid = status === 'paid' ? (amountCents ?? line.exportedCents ?? left) : 0
  const move = (fromAccount: NewLine['fromAccount'], toAccount: NewLine['toAccount'], cents: number): NewLine => ({
    partnerId,
    currency: line.currency,
    fromAccount,
    toAccount,
    amountCents: cents,
    availableAt: ALWAYS_AVAILABLE,
    cause: CAUSES[status],
    payoutLineId: lineId,
  })
  const lines = [
    move('batched', 'paid', Math.min(paid, left)),
    ...(await relistOverpaid(tx, { programId, lineId, cents: Math.max(paid - left, 0) })).map(
      ({ commissionId, cents }) => ({ ...move('earned', 'paid', cents), commissionId }),
    ),
    move('batched', 'earned', Math.max(left - paid, 0)),
  ]
  await appendLines(tx, { programId, at, lines })
  const writer = await changingDecidedLine(tx, { programId, lineId, at })
  await writer
    .updateTable('payoutLines')
    .set({ status, decidedAt: at, reference, paidOn: paidAt, note })
    .where('programId', '=', programId)
    .where('id', '=', lineId)
    .execute()
  return { before: line, after: await readPayoutLine(tx, { programId, line }) }
}

/**
 * Assigns an amount paid beyond the reservation to the commissions removed from the line last, because the file still included them.
 * Lists them in the line again, so that a later credit is not paid twice.
 */
const relistOverpaid = async (
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

/** Unapproved partners are not paid, unless the line was exported while they were approved: that file may already be paid. */
const requireApproved = ({ exportedCents }: PayoutLine, partnerStatus: PartnerStatus) => {
  if (partnerStatus === 'approved' || exportedCents !== null) return
  throw new Refusal(
    'conflict',
    `The partner is ${partnerStatus} and the line was never exported, so it cannot be marked paid. Approve the partner first, or mark the line failed to return the amount to their balance.`,
    { field: 'status' },
  )
}

/** Empty lines close automatically unless they were exported. */
const alreadyDecided = ({ status, emptied, exportedCents }: PayoutLine) =>
  emptied && exportedCents === null
    ? 'This line was closed because everything in it was reversed or disputed, so there is nothing to pay.'
    : `This line is already marked ${status}.`

/** No partial payments: they would leave commissions neither paid nor unpaid. */
const requireAmountBetween = ({
  amountCents,
  least,
  most,
}: {
  amountCents: number | null
  least: number
  most: number
}) => {
  if (amountCents === null || (amountCents >= least && amountCents <= most)) return
  throw new Refusal(
    'invalid_amount',
    `amountCents must be between ${least} (the amount due now) and ${most} (the amount when the payout was created).`,
    {
      field: 'amountCents',
    },
  )
}

const requirePaidSince = (paidAt: string | null, { day, timezone }: Decision['createdOn']) => {
  if (paidAt === null || paidAt >= day) return
  throw new Refusal('invalid_request', `paidAt must not be before the payout was created (${day} in ${timezone}).`, {
    field: 'paidAt',
  })
}
