import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, columnsOf } from '../database/sql/columns.ts'
import { inPlace } from '../database/sql/many.ts'
import type { Tx } from '../database/transaction.ts'
import { moveReports } from './payment-reports.ts'

type References = { programId: number; references: string[] }
type Reference = { programId: number; reference: string }
type Payment = { programId: number; paymentId: number }

type Claim = {
  /** The reference did not exist; the caller's transaction now holds it. */
  isNew: boolean
  /** The payment, locked. Null if no processor has reported it. */
  paymentId: number | null
}
const NEW: Claim = { isNew: true, paymentId: null }

/** Claims the merchant's `invoice_id`s that do not exist yet and returns which ones are new. */
export const claimNewReferences = async (tx: Tx, references: Reference[]): Promise<boolean[]> => {
  const column = columnsOf(references)
  const { rows } = await sql<Reference>`
    INSERT INTO payment_references (program_id, reference)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}) AS incoming(program_id, reference)
    ORDER BY program_id, reference COLLATE "C"
    ON CONFLICT (program_id, reference) DO NOTHING RETURNING program_id, reference`.execute(tx)
  const claimed = new Set(rows.map(keyOf))
  return references.map((reference) => claimed.has(keyOf(reference)))
}

/** Claims the merchant's `invoice_id`. A duplicate waits for the transaction that created it, but not for other duplicates. */
export const claimReference = async (tx: Tx, { programId, reference }: Reference): Promise<Claim> => {
  const inserted = await tx
    .insertInto('paymentReferences')
    .values({ programId, reference })
    .onConflict((conflict) => conflict.columns(['programId', 'reference']).doNothing())
    .returning('reference')
    .executeTakeFirst()
  return inserted ? NEW : lockPaymentOf(tx, { programId, reference })
}

type WorkspaceReference = Reference & { workspaceId: string }

/**
 * Claims the `invoice_id` in the program that stores the workspace's processor reports, or in the sale's program if there is
 * none. Every reported sale runs this, so it is a single statement.
 */
export const claimInHome = async (
  tx: Tx,
  claim: WorkspaceReference,
  also: RawBuilder<unknown>,
): Promise<Claim & { homeId: number }> => {
  const [{ homeId, isNew } = { homeId: claim.programId, isNew: false }] = await claimAllInHome(tx, [claim], also)
  return { homeId, ...(isNew ? NEW : await lockPaymentOf(tx, { programId: homeId, reference: claim.reference })) }
}

/** `also` runs in the same statement. */
export const claimAllInHome = async (tx: Tx, claims: WorkspaceReference[], also: RawBuilder<unknown>) => {
  const column = columnsOf(claims)
  const { rows } = await sql<{ nth: number; homeId: number; isNew: boolean }>`
    WITH also AS MATERIALIZED (${also}),
    incoming AS (
      SELECT nth, reference,
        coalesce((SELECT home.program_id FROM processor_home_programs home WHERE home.workspace_id = claim.workspace_id), claim.program_id) AS home_id
      FROM (SELECT count(*) FROM also) done, unnest(${column('programId', 'integer')}, ${column('workspaceId', 'text')},
        ${column('reference', 'text')}) WITH ORDINALITY AS claim(program_id, workspace_id, reference, nth)),
    claimed AS (
      INSERT INTO payment_references (program_id, reference) SELECT home_id, reference FROM incoming ORDER BY home_id, reference COLLATE "C"
      ON CONFLICT (program_id, reference) DO NOTHING RETURNING program_id, reference)
    SELECT nth, home_id, claimed.reference IS NOT NULL AS is_new
    FROM incoming LEFT JOIN claimed ON claimed.program_id = home_id AND claimed.reference = incoming.reference`.execute(
    tx,
  )
  return inPlace(rows, claims).map((row, index) => row ?? { homeId: claims[index]?.programId ?? 0, isNew: false })
}

/** Two operations can hold different references of one payment, so the payment itself must be locked too. */
const lockPaymentOf = async (tx: Tx, reference: Reference): Promise<Claim> => {
  for (;;) {
    const paymentId = await findPayment(tx, reference)
    if (paymentId === null) return { isNew: false, paymentId }
    const [locked] = await lockPayments(tx, { programId: reference.programId, paymentIds: [paymentId] })
    // If it was merged while we waited, the reference now points to the other payment: look again.
    if (locked !== undefined) return { isNew: false, paymentId }
  }
}

/**
 * Finds or creates the payment of each report; reports that share a reference share a payment. References that belong to several
 * payments merge them into the oldest. In a batch, such a report gets null: the caller reruns it on its own.
 */
export const joinPayments = async (tx: Tx, reports: References[]): Promise<(number | null)[]> => {
  const groups = groupReports(reports)
  const claimed = await claimAll(tx, groups)
  const known = claimed.flatMap(({ programId, known }) => known.map((paymentId) => ({ programId, paymentId })))
  await lockAll(tx, known)
  const joined = claimed.map(({ programId, known, created }) => {
    const [paymentId = created, ...others] = known
    const isExcluded = others.length > 0 && reports.length > 1
    const merged = isExcluded ? [] : [...others, ...(created !== null && created !== paymentId ? [created] : [])]
    return {
      paymentId: isExcluded ? null : paymentId,
      merged: merged.map((from) => ({ programId, from, to: paymentId ?? 0 })),
    }
  })
  await mergePayments(
    tx,
    joined.flatMap(({ merged }) => merged),
  )
  const groupIndexOf = new Map(groups.flatMap(({ members }, index) => members.map((member) => [member, index])))
  return reports.map((report) => joined[groupIndexOf.get(report) ?? -1]?.paymentId ?? null)
}

/** For one report, whose payments can always be merged. */
export const joinPayment = async (tx: Tx, report: References): Promise<number> => {
  const [paymentId] = await joinPayments(tx, [report])
  if (!paymentId) throw new Error('a report has no payment')
  return paymentId
}

type Group = References & { members: References[] }

/** Groups reports that share a reference, directly or through other reports. */
const groupReports = (reports: References[]): Group[] => {
  let groups: Group[] = []
  for (const one of reports) {
    const isShared = ({ programId, references }: Group) =>
      programId === one.programId && references.some((reference) => one.references.includes(reference))
    const shared = groups.filter(isShared)
    groups = groups.filter((group) => !isShared(group))
    groups.push({
      programId: one.programId,
      references: [...new Set([...shared.flatMap(({ references }) => references), ...one.references])],
      members: [...shared.flatMap(({ members }) => members), one],
    })
  }
  return groups
}

const keyOf = ({ programId, reference }: Reference) => `${programId} ${reference}`

type ClaimedGroup = { programId: number; known: number[]; created: number | null }

/**
 * Locks the references of each group and returns their payments. Every operation that creates or refunds a sale claims its
 * references first, so that operations on one payment run one at a time. References without a payment get a new one; if others of
 * the group already have one, the caller merges the two.
 */
const claimAll = async (tx: Tx, groups: Group[]): Promise<ClaimedGroup[]> => {
  const claims = groups.flatMap(({ programId, references }, index) =>
    references.map((reference) => ({ programId, reference, nth: index + 1 })),
  )
  const [group, claim] = [columnsOf(groups), columnsOf(claims)]
  const { rows } = await sql<{ nth: number; paymentId: number; isNew: boolean }>`
    WITH fresh AS MATERIALIZED (
      SELECT program_id, nth, nextval('payments_id_seq') AS id
      FROM unnest(${group('programId', 'integer')}) WITH ORDINALITY AS incoming(program_id, nth)),
    claim AS MATERIALIZED (
      SELECT fresh.program_id, fresh.nth, fresh.id, reference FROM unnest(${claim('reference', 'text')}, ${claim('nth', 'integer')})
        AS claim(reference, nth) JOIN fresh ON fresh.nth = claim.nth),
    claimed AS (
      INSERT INTO payment_references (program_id, reference, payment_id)
      SELECT program_id, reference, id FROM claim ORDER BY program_id, reference COLLATE "C"
      ON CONFLICT (program_id, reference) DO UPDATE SET payment_id = coalesce(payment_references.payment_id, excluded.payment_id)
      RETURNING program_id, reference, payment_id),
    created AS (
      INSERT INTO payments (program_id, id) SELECT program_id, id FROM fresh
      WHERE id IN (SELECT payment_id FROM claimed))
    SELECT DISTINCT nth, payment_id, payment_id = id AS is_new
    FROM claimed JOIN claim ON claim.program_id = claimed.program_id AND claim.reference = claimed.reference
    ORDER BY nth, payment_id`.execute(tx)
  const byGroup = Map.groupBy(rows, ({ nth }) => nth)
  return groups.map(({ programId }, index) => {
    const found = byGroup.get(index + 1) ?? []
    return {
      programId,
      known: found.filter(({ isNew }) => !isNew).map(({ paymentId }) => paymentId),
      created: found.find(({ isNew }) => isNew)?.paymentId ?? null,
    }
  })
}

const lockAll = async (tx: Tx, payments: Payment[]) => {
  if (payments.length === 0) return
  const column = columnsOf(payments)
  await sql`
    SELECT FROM payments
    WHERE (program_id, id) IN (SELECT * FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}))
    ORDER BY program_id, id FOR UPDATE`.execute(tx)
}

type Merge = { programId: number; from: number; to: number }

const mergePayments = async (tx: Tx, merges: Merge[]) => {
  if (merges.length === 0) return
  const column = columnsOf(merges)
  await sql`
    WITH merge AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('from', 'bigint')}, ${column('to', 'bigint')})
        AS merge(program_id, old_id, new_id)),
    renamed AS (
      UPDATE payment_references SET payment_id = merge.new_id FROM merge
      WHERE payment_references.program_id = merge.program_id AND payment_references.payment_id = merge.old_id),
    moved AS (${moveReports})
    DELETE FROM payments USING merge WHERE payments.program_id = merge.program_id AND payments.id = merge.old_id`.execute(
    tx,
  )
}

export const lockPayments = async (
  tx: Tx,
  { programId, paymentIds }: { programId: number; paymentIds: number[] },
): Promise<number[]> => {
  if (paymentIds.length === 0) return []
  const rows = await tx
    .selectFrom('payments')
    .select('id')
    .where('programId', '=', programId)
    .where('id', '=', anyOf(paymentIds))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the references of a payment. */
export const listReferences = async (db: Database | Tx, { programId, paymentId }: Payment): Promise<string[]> => {
  const rows = await db
    .selectFrom('paymentReferences')
    .select('reference')
    .where('programId', '=', programId)
    .where('paymentId', '=', paymentId)
    .orderBy('reference')
    .execute()
  return rows.map(({ reference }) => reference)
}

export const findPayment = async (db: Database | Tx, { programId, reference }: Reference): Promise<number | null> => {
  const row = await db
    .selectFrom('paymentReferences')
    .select('paymentId')
    .where('programId', '=', programId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.paymentId ?? null
}

export const listPayments = (
  db: Database | Tx,
  { programId, after, limit }: { programId: number; after: number; limit: number },
) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('programId', '=', programId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
