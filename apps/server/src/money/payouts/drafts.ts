import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { type Due, findDue, keyOf } from './due.ts'
import { createPayout } from './payouts.ts'
import { type DueSchedule, findDueSchedules, finishPeriod } from './schedules.ts'

type Prepared = { programId: number; draftId: number; period: string }

type Preparation = {
  at: Date
  /** Runs in the transaction of each new draft. */
  announce: (tx: Tx, draft: Prepared) => Promise<unknown>
}

/** Prepares the drafts that are due. Safe to run concurrently and after a crash: each scheduled day is done once. */
export const prepareDrafts = async (db: Database, preparation: Preparation) =>
  runEach(await findDueSchedules(db, preparation.at), (due) => prepareDraft(db, { ...due, ...preparation }))

const prepareDraft = (db: Database, preparation: DueSchedule & Preparation) =>
  inLongTransaction(db, (tx) => prepareDraftIn(tx, preparation))

/** Inside the caller's transaction. */
export const prepareDraftIn = async (tx: Tx, { programId, period, at, announce }: DueSchedule & Preparation) => {
  if (!(await finishPeriod(tx, { programId, period }))) return
  const due = await findDue(tx, { programId, at })
  // The schedule may have been turned off and on since; a day gets one draft.
  if (due.length === 0 || (await hasDraft(tx, { programId, period }))) return
  await decide(tx, { programId, status: 'replaced', at })
  const { id: draftId } = await tx
    .insertInto('payoutDrafts')
    .values({ programId, period, preparedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
      INSERT INTO payout_draft_lines (program_id, draft_id, partner_id, currency, amount_cents)
      SELECT ${programId}, ${draftId}, line.* FROM unnest(${due.map(({ partnerId }) => partnerId)}::integer[],
        ${due.map(({ currency }) => currency)}::text[], ${due.map(({ amountCents }) => amountCents)}::bigint[]) line`.execute(
    tx,
  )
  await announce(tx, { programId, draftId, period })
}

const hasDraft = async (tx: Tx, { programId, period }: DueSchedule) =>
  Boolean(
    await tx
      .selectFrom('payoutDrafts')
      .select('id')
      .where('programId', '=', programId)
      .where('period', '=', period)
      .executeTakeFirst(),
  )

type Decision = {
  programId: number
  /** Undefined: the open draft. */
  draftId?: number
  status: 'confirmed' | 'discarded' | 'replaced'
  payoutId?: number
  at: Date
}

const decide = (tx: Tx, { programId, draftId, status, payoutId, at }: Decision) =>
  tx
    .updateTable('payoutDrafts')
    .set({ status, decidedAt: at, payoutId: payoutId ?? null })
    .where('programId', '=', programId)
    .where('status', '=', 'open')
    .$if(draftId !== undefined, (query) => query.where('id', '=', draftId ?? 0))
    .execute()

export const findOpenDraftId = async (db: Database | Tx, programId: number) => {
  const found = await db
    .selectFrom('payoutDrafts')
    .select('id')
    .where('programId', '=', programId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return found?.id ?? null
}

/** The open draft. Each line has the amount then and now. */
export const findOpenDraft = (db: Database, { programId, at }: { programId: number; at: Date }) =>
  inLongTransaction(db, async (tx) => {
    const draft = await tx
      .selectFrom('payoutDrafts')
      .select(['id', 'period', 'preparedAt'])
      .where('programId', '=', programId)
      .where('status', '=', 'open')
      .executeTakeFirst()
    if (!draft) return null
    const lines = await linesOf(tx, { programId, draftId: draft.id })
    const compared = compare(lines, await findDue(tx, { programId, at }))
    const payouts = await findPayoutsSince(tx, { programId, since: draft.preparedAt })
    // What is payable now is in none of them.
    const paidIn = (line: (typeof compared)[number]) =>
      line.amountCents > 0 ? null : (payouts.get(keyOf(line)) ?? null)
    return { ...draft, lines: compared.map((line) => ({ ...line, payoutId: paidIn(line) })) }
  })

/** The latest payout of each balance that was created after the draft. */
const findPayoutsSince = async (tx: Tx, { programId, since }: { programId: number; since: Date }) => {
  const { rows } = await sql<{ partnerId: number; currency: string; payoutId: number }>`
    SELECT line.partner_id, line.currency, max(line.payout_id) AS payout_id FROM payouts payout
    JOIN payout_lines line ON line.program_id = payout.program_id AND line.payout_id = payout.id
    WHERE payout.program_id = ${programId} AND payout.cutoff_at >= ${since} AND line.status <> 'failed'
    GROUP BY line.partner_id, line.currency`.execute(tx)
  return new Map(rows.map((row) => [keyOf(row), row.payoutId]))
}

export const findDraft = (db: Database | Tx, { programId, id }: { programId: number; id: number }) =>
  selectDraft(db, { programId, draftId: id }).executeTakeFirst()

type Key = { programId: number; draftId: number }

const selectDraft = (db: Database | Tx, { programId, draftId }: Key) =>
  db
    .selectFrom('payoutDrafts')
    .select(['status', 'payoutId'])
    .where('programId', '=', programId)
    .where('id', '=', draftId)

const linesOf = (tx: Tx, { programId, draftId }: Key) =>
  tx
    .selectFrom('payoutDraftLines')
    .select(['partnerId', 'currency', 'amountCents'])
    .where('programId', '=', programId)
    .where('draftId', '=', draftId)
    .orderBy('partnerId')
    .orderBy('currency')
    .execute()

/** Amounts of a draft next to those of another time; 0 where one has no amount. */
const compare = (draft: Due[], now: Due[]) => {
  const amounts = new Map(now.map((line) => [keyOf(line), line.amountCents]))
  const drafted = new Set(draft.map(keyOf))
  return [
    ...draft.map(({ partnerId, currency, amountCents: draftCents }) => ({
      partnerId,
      currency,
      draftCents,
      amountCents: amounts.get(keyOf({ partnerId, currency })) ?? 0,
    })),
    ...now
      .filter((line) => !drafted.has(keyOf(line)))
      .map(({ partnerId, currency, amountCents }) => ({ partnerId, currency, draftCents: 0, amountCents })),
  ]
}

const CLOSED: Record<string, string> = {
  confirmed: 'This draft is already confirmed. See its payout.',
  discarded: 'This draft was discarded. Create a payout instead.',
  replaced: 'A newer draft replaced this one. Reload the page to see it.',
}

type Confirmation = Key & Parameters<typeof createPayout>[1]

/**
 * Creates a payout of the current balances. `lines` are those it reserved. Confirming twice returns the same payout, with no
 * changes, and creates nothing.
 */
export const confirmDraft = async (tx: Tx, { draftId, ...payout }: Confirmation) => {
  const { programId, at } = payout
  const draft = await selectDraft(tx, { programId, draftId }).forUpdate().executeTakeFirstOrThrow()
  if (draft.payoutId !== null) return { payoutId: draft.payoutId, lines: null, changes: [] }
  refuseClosed(draft)
  const { payoutId, lines } = await createPayout(tx, payout)
  await decide(tx, { programId, draftId, status: 'confirmed', payoutId, at })
  const compared = compare(await linesOf(tx, { programId, draftId }), lines)
  return { payoutId, lines, changes: compared.filter(({ draftCents, amountCents }) => draftCents !== amountCents) }
}

/** Whether it was open until now. Discarding twice changes nothing. */
export const discardDraft = async (tx: Tx, { programId, draftId, at }: Key & { at: Date }) => {
  const draft = await selectDraft(tx, { programId, draftId }).forUpdate().executeTakeFirstOrThrow()
  if (draft.status === 'discarded') return false
  refuseClosed(draft)
  await decide(tx, { programId, draftId, status: 'discarded', at })
  return true
}

const refuseClosed = ({ status }: { status: string }) => {
  if (status !== 'open') throw new Refusal('conflict', CLOSED[status] ?? 'This draft is closed.')
}
