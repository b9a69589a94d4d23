import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { approvedPartners } from '../commissions/partner-standing.ts'
import { AT_ANY_TIME, append, balances, lockPartnerAccount } from '../ledger/ledger.ts'
import { sealProgram } from '../ledger/seal.ts'
import { termsAt } from '../rewards/reward-terms.ts'
import { RESERVED_BY_LINE } from './find-payout-lines.ts'

export type Due = { partnerId: number; currency: string; amountCents: number }

type When = { programId: number; at: Date }

/** Every approved partner whose payable balance is above zero and reaches their minimum. A debt is never a payout; it waits. */
export const duePayouts = async (db: Database, when: When): Promise<Due[]> => {
  const due = await inLongTransaction(db, (tx) => dueIn(tx, when))
  return due.map(({ minimumCents: _, ...pot }) => pot)
}

const dueIn = async (tx: Tx, { programId, at }: When) => {
  const due: (Due & { minimumCents: number })[] = []
  const uncertain = await uncertainPots(tx, programId)
  const positive = (await balances(tx, { programId, at })).filter(({ payableCents }) => payableCents > 0)
  const approved = await approvedPartners(tx, { programId, partnerIds: positive.map(({ partnerId }) => partnerId) })
  for (const { partnerId, currency, payableCents } of positive) {
    if (!approved.has(partnerId) || uncertain.has(potOf({ partnerId, currency }))) continue
    const terms = await termsAt(tx, { programId, partnerId, at })
    const minimumCents = terms?.currency === currency ? terms.minimumPayoutCents : 0
    if (payableCents >= minimumCents) due.push({ partnerId, currency, amountCents: payableCents, minimumCents })
  }
  return due
}

const potOf = ({ partnerId, currency }: { partnerId: number; currency: string }) => `${partnerId} ${currency}`

/**
 * Whose file said more than is left of their line, for a refund came after it. Until somebody says what was paid, nobody knows
 * whether the balance has to make up for it.
 */
const uncertainPots = async (tx: Tx, programId: number) => {
  const { rows } = await sql<{ partnerId: number; currency: string }>`
    SELECT partner_id, currency FROM payout_lines line
    WHERE program_id = ${programId} AND status = 'open' AND exported_cents > (${RESERVED_BY_LINE})`.execute(tx)
  return new Set(rows.map(potOf))
}

type NewPayout = {
  programId: number
  createdBy: string
  /** Left out of this payout; their balance stays payable. */
  excludePartnerIds?: number[]
  at: Date
  /** Called with the head of each block that is sealed before the payout. */
  onSealed?: (head: string) => void
  /** What else belongs to the same transaction. */
  also: (tx: Tx, payoutId: number, lines: Due[]) => Promise<unknown>
}

/**
 * A batch of all that is due. Partners and then accounts are locked in one order and then each is looked at again: two people at once make one
 * batch. The program is summed once and before any lock, for refunds wait behind these.
 */
export const createPayout = async (
  db: Database,
  { programId, createdBy, excludePartnerIds = [], at, onSealed, also }: NewPayout,
) => {
  await sealProgram(db, { programId, at, onSealed })
  return inLongTransaction(db, async (tx) => {
    const excluded = new Set(excludePartnerIds)
    const due = (await dueIn(tx, { programId, at })).filter(({ partnerId }) => !excluded.has(partnerId))
    const partnerIds = due.map(({ partnerId }) => partnerId)
    const approved = await approvedPartners(tx, { programId, partnerIds, isHeld: true })
    for (const { partnerId, currency } of due) await lockPartnerAccount(tx, { programId, partnerId, currency })
    const uncertain = await uncertainPots(tx, programId)
    const lines: Due[] = []
    let payoutId: number | undefined
    for (const { minimumCents, amountCents: _, ...pot } of due) {
      if (!approved.has(pot.partnerId)) continue
      const now = await payableNow(tx, { programId, ...pot, at })
      if (now.cents <= 0 || now.cents < minimumCents || uncertain.has(potOf(pot))) continue
      payoutId ??= await beginPayout(tx, { programId, createdBy, cutoffAt: at })
      lines.push(await reserve(tx, { programId, payoutId, at, ...pot, ...now }))
    }
    if (payoutId === undefined)
      throw new Refusal(
        'conflict',
        excluded.size > 0
          ? 'Nothing is payable now to the partners who are not left out. Leave out fewer.'
          : 'Nothing is payable now: it is held, below the minimum, in an open payout, or of partners who are not approved.',
      )
    await also(tx, payoutId, lines)
    return payoutId
  })
}

const beginPayout = async (tx: Tx, payout: { programId: number; createdBy: string; cutoffAt: Date }) =>
  (await tx.insertInto('payouts').values(payout).returning('id').executeTakeFirstOrThrow()).id

type Pot = { programId: number; partnerId: number; currency: string; at: Date }
type Payable = { cents: number; commissionIds: string[] }
type Reservation = Pot & Payable & { payoutId: number }

const reserve = async (tx: Tx, reservation: Reservation): Promise<Due> => {
  const { programId, payoutId, partnerId, currency, at, cents: amountCents, commissionIds } = reservation
  const { id: payoutLineId } = await tx
    .insertInto('payoutLines')
    .values({ programId, payoutId, partnerId, currency, reservedCents: amountCents })
    .returning('id')
    .executeTakeFirstOrThrow()
  const move = {
    partnerId,
    currency,
    fromAccount: 'earned',
    toAccount: 'batched',
    amountCents,
    availableAt: AT_ANY_TIME,
  } as const
  await append(tx, { programId, at, lines: [{ ...move, cause: 'reserved for payout', payoutLineId }] })
  await sql`
    INSERT INTO payout_commissions (program_id, payout_line_id, commission_id)
    SELECT ${programId}, ${payoutLineId}, unnest(${commissionIds}::bigint[])`.execute(tx)
  return { partnerId, currency, amountCents }
}

/**
 * The payable balance and the commissions in it, seen by one statement: a sale that commits between two would be listed and
 * not paid, or paid and not listed. What is in review or in dispute is not in the balance.
 */
const payableNow = async (tx: Tx, { programId, partnerId, currency, at }: Pot): Promise<Payable> => {
  const lastReservation = sql`
    SELECT coalesce(max(reserved.id), 0) FROM ledger_lines reserved
    JOIN payout_lines line ON line.program_id = reserved.program_id AND line.id = reserved.payout_line_id AND line.status <> 'failed'
    WHERE reserved.program_id = ${programId} AND reserved.partner_id = ${partnerId} AND reserved.currency = ${currency}
      AND reserved.from_account = 'earned' AND reserved.to_account = 'batched'`
  const { rows } = await sql<Payable>`
    SELECT (
      SELECT coalesce(sum(CASE 'earned' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint
      FROM ledger_lines
      WHERE program_id = ${programId} AND partner_id = ${partnerId} AND currency = ${currency} AND available_at <= ${at}) AS cents,
    ARRAY (
      SELECT id FROM commissions commission
      WHERE program_id = ${programId} AND partner_id = ${partnerId} AND currency = ${currency} AND payable_at <= ${at}
        AND (NOT EXISTS (
          SELECT FROM payout_commissions paid JOIN payout_lines line ON line.program_id = paid.program_id AND line.id = paid.payout_line_id
          WHERE paid.program_id = commission.program_id AND paid.commission_id = commission.id AND line.status <> 'failed')
          -- Raised since, or back from a dispute: this one pays the rest.
          OR commission.id IN (
            SELECT line.commission_id FROM ledger_lines line
            WHERE line.program_id = ${programId} AND line.partner_id = ${partnerId} AND line.currency = ${currency}
              AND line.id > (${lastReservation}) AND line.commission_id IS NOT NULL
            GROUP BY line.commission_id
            HAVING sum(CASE 'earned' WHEN line.to_account THEN line.amount_cents WHEN line.from_account THEN -line.amount_cents END) > 0))
        AND NOT EXISTS (
          SELECT FROM commission_reviews review
          WHERE review.program_id = commission.program_id AND review.commission_id = commission.id AND review.decision IS NULL)
        AND NOT EXISTS (
          SELECT FROM disputes dispute
          WHERE dispute.program_id = commission.program_id AND dispute.sale_id = commission.sale_id AND dispute.status = 'open'
            -- In part, the rest is in the balance.
            AND (SELECT coalesce(sum(CASE WHEN line.from_account IN ('program', 'disputed') THEN line.amount_cents ELSE 0 END
                - CASE WHEN line.to_account IN ('program', 'disputed') THEN line.amount_cents ELSE 0 END), 0) <= 0
              FROM ledger_lines line WHERE line.program_id = commission.program_id AND line.commission_id = commission.id))
    ) AS commission_ids`.execute(tx)
  return rows[0] ?? { cents: 0, commissionIds: [] }
}

/** A disputed commission leaves the open line that was to pay it; won, it is in the balance and for the next batch. */
export const leaveOpenLine = (
  tx: Tx,
  { programId, payoutLineId, commissionId }: { programId: number; payoutLineId: number; commissionId: number },
) =>
  tx
    .deleteFrom('payoutCommissions')
    .where('programId', '=', programId)
    .where('payoutLineId', '=', payoutLineId)
    .where('commissionId', '=', commissionId)
    .execute()
