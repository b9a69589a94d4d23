import { type Insertable, sql } from 'kysely'
import type { Payouts } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'
import { creating } from '../../outbox/publish-changes.ts'
import { Refusal } from '../../refusal.ts'
import { announceEndedHolds } from '../commissions/commission-events.ts'
import { approvedPartners } from '../commissions/partner-status.ts'
import { ALWAYS_AVAILABLE, appendLines, lockPartnerAccount } from '../ledger/ledger.ts'
import { type Due, findDue, findUncertain, keyOf } from './due.ts'
import './payout-events.ts'
import { createStatements, type StatedLine, type StatementItem, selectStatementItems } from './statements.ts'

type NewPayout = {
  programId: number
  createdBy: string
  /** Undefined: every partner. */
  partnerIds?: number[] | undefined
  /** Their balances stay payable. */
  excludePartnerIds?: number[]
  note?: string | null
  reference?: string | null
  at: Date
}

/**
 * Creates a payout of every due balance. Locks partners, then accounts, in a fixed order and reads each balance again, so two concurrent requests
 * create one payout. The program is summed once, before any lock, because refunds wait for these locks.
 */
export const createPayout = async (tx: Tx, payout: NewPayout): Promise<{ payoutId: number; lines: Due[] }> => {
  const { programId, createdBy, note = null, reference = null, at } = payout
  const isChosen = chosenBy(payout)
  const due = (await findDue(tx, { programId, at })).filter(({ partnerId }) => isChosen(partnerId))
  const partnerIds = due.map(({ partnerId }) => partnerId)
  const approved = await approvedPartners(tx, { programId, partnerIds, lock: true })
  for (const { partnerId, currency } of due) await lockPartnerAccount(tx, { programId, partnerId, currency })
  const uncertain = await findUncertain(tx, programId)
  const lines: (Due & StatedLine)[] = []
  let payoutId: number | undefined
  for (const { partnerId, currency, minimumCents } of due) {
    if (!approved.has(partnerId)) continue
    const account = { programId, partnerId, currency, at }
    const payable = await payableNow(tx, account)
    if (payable.cents <= 0 || payable.cents < minimumCents || uncertain.has(keyOf(account))) continue
    payoutId ??= await insertPayout(tx, { programId, createdBy, cutoffAt: at, note, reference })
    lines.push(await reserve(tx, { payoutId, ...account, ...payable }))
  }
  if (payoutId === undefined) throw nothingPayable(payout)
  await createStatements(tx, { programId, lines })
  return { payoutId, lines: lines.map(({ lineId: _, items: __, ...line }) => line) }
}

const chosenBy = ({ partnerIds, excludePartnerIds = [] }: Pick<NewPayout, 'partnerIds' | 'excludePartnerIds'>) => {
  const included = partnerIds && new Set(partnerIds)
  const excluded = new Set(excludePartnerIds)
  return (partnerId: number) => !excluded.has(partnerId) && (included?.has(partnerId) ?? true)
}

const nothingPayable = ({ partnerIds, excludePartnerIds = [] }: NewPayout) => {
  if (partnerIds) return new Refusal('conflict', 'Nothing is payable to these partners. Choose other partners.')
  return new Refusal(
    'conflict',
    excludePartnerIds.length > 0
      ? 'Nothing is payable to the remaining partners. Exclude fewer partners.'
      : 'Nothing is payable right now. Balances may be in their hold period, below the minimum payout, in an open payout, or belong to partners who are not approved.',
  )
}

const insertPayout = async (tx: Tx, payout: Insertable<Payouts>) =>
  (await tx.insertInto('payouts').values(payout).returning('id').executeTakeFirstOrThrow()).id

type PayoutLabels = { note?: string | null; reference?: string | null }

/** Returns the labels before and after. Refuses if every line is marked: the payout is part of the books then. */
export const changePayout = async (
  tx: Tx,
  { programId, payoutId, ...labels }: { programId: number; payoutId: number } & PayoutLabels,
) => {
  const ofPayout = () => tx.updateTable('payouts').where('programId', '=', programId).where('id', '=', payoutId)
  const before = await tx
    .selectFrom('payouts')
    .select(['note', 'reference'])
    .where('programId', '=', programId)
    .where('id', '=', payoutId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const open = await tx
    .selectFrom('payoutLines')
    .select('id')
    .where('programId', '=', programId)
    .where('payoutId', '=', payoutId)
    .where('status', '=', 'open')
    .limit(1)
    .executeTakeFirst()
  if (!open)
    throw new Refusal('conflict', 'Every line of this payout is marked paid or failed, so it cannot be edited anymore.')
  const after = {
    note: labels.note === undefined ? before.note : labels.note,
    reference: labels.reference === undefined ? before.reference : labels.reference,
  }
  await ofPayout().set(after).execute()
  return { before, after }
}

type AccountAt = { programId: number; partnerId: number; currency: string; at: Date }
type Payable = { cents: number; items: StatementItem[] }
type Reservation = AccountAt & Payable & { payoutId: number }

const reserve = async (tx: Tx, reservation: Reservation): Promise<Due & StatedLine> => {
  const { programId, payoutId, partnerId, currency, at, cents: amountCents, items } = reservation
  const { id: payoutLineId } = await creating(tx, 'payout', { programId, at }, (writer) =>
    writer
      .insertInto('payoutLines')
      .values({ programId, payoutId, partnerId, currency, reservedCents: amountCents })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const move = {
    partnerId,
    currency,
    fromAccount: 'earned',
    toAccount: 'batched',
    amountCents,
    availableAt: ALWAYS_AVAILABLE,
  } as const
  await appendLines(tx, { programId, at, lines: [{ ...move, cause: 'reserved for payout', payoutLineId }] })
  const paidIds = items.filter(({ cents }) => cents > 0).map(({ commissionId }) => commissionId)
  await sql`
    INSERT INTO payout_commissions (program_id, payout_line_id, commission_id)
    SELECT ${programId}, ${payoutLineId}, unnest(${paidIds}::bigint[])`.execute(tx)
  await announceEndedHolds(tx, { programId, ids: paidIds, at })
  return { lineId: payoutLineId, partnerId, currency, amountCents, items }
}

/**
 * Reads the payable balance and what each commission contributes to it in one statement: with two, a sale that commits in between would
 * be listed but not paid, or paid but not listed. Amounts in review or dispute are not in the balance.
 */
const payableNow = async (tx: Tx, { programId, partnerId, currency, at }: AccountAt): Promise<Payable> => {
  const { rows } = await sql<Payable>`
    SELECT (
      SELECT coalesce(sum(CASE 'earned' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint
      FROM ledger_lines
      WHERE program_id = ${programId} AND partner_id = ${partnerId} AND currency = ${currency} AND available_at <= ${at}) AS cents,
    (${selectStatementItems({ programId, partnerId, currency, at })}) AS items`.execute(tx)
  return rows[0] ?? { cents: 0, items: [] }
}
