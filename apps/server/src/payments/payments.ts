import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts, columnsOf } from '../database/sql/columns.ts'
import { forOne, inPlace } from '../database/sql/many.ts'
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

/**
 * Locks references and returns the payment of each, or null. Every operation that creates or refunds a sale claims its references
 * first, so that operations on one payment run one at a time.
 */
const claimReferences = async (tx: Tx, { programId, references }: References) => {
  const { rows } = await sql<{ reference: string; paymentId: number | null }>`
    INSERT INTO payment_references (program_id, reference) SELECT ${programId}, unnest(${references}::text[])
    ON CONFLICT (program_id, reference) DO UPDATE SET reference = excluded.reference
    RETURNING reference, payment_id`.execute(tx)
  return rows
}

/** Claims the merchant's `invoice_id`s that do not exist yet and returns which ones are new. */
export const claimNewReferences = async (tx: Tx, references: Reference[]): Promise<boolean[]> => {
  const column = columnsOf(references)
  const { rows } = await sql<Reference>`
    INSERT INTO payment_references (program_id, reference)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}) AS incoming(program_id, reference)
    ORDER BY program_id, reference
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
      INSERT INTO payment_references (program_id, reference) SELECT home_id, reference FROM incoming ORDER BY home_id, reference
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
 * Finds or creates the payment of each report; reports that share a reference share a payment. Null for a report that connects
 * several payments, or whose payment was merged in the meantime: the caller reruns it on its own with `joinPayment`.
 */
export const joinPayments = async (tx: Tx, reports: References[]): Promise<(number | null)[]> => {
  const groups = groupReports(reports)
  const sorted = groups
    .flatMap(({ programId, references }) => references.map((reference) => ({ programId, reference })))
    .toSorted((a, b) => a.programId - b.programId || (a.reference < b.reference ? -1 : 1))
  const paymentOf = await claimAll(tx, sorted)
  const known = groups.map(({ programId, references }) => ({
    programId,
    ids: [...new Set(references.flatMap((reference) => paymentOf.get(keyOf({ programId, reference })) ?? []))],
  }))
  const locked = await lockAll(tx, known)
  const created = await insertPayments(
    tx,
    known.filter(({ ids }) => ids.length === 0).map(({ programId }) => programId),
  )
  const payments = known.map(({ programId, ids: [id, ...others] }) => {
    if (id === undefined) return created.get(programId)?.shift() ?? null
    return others.length === 0 && locked.has(`${programId} ${id}`) ? id : null
  })
  const unassigned = groups.flatMap(({ programId, references }, index) => {
    const paymentId = payments[index] ?? null
    const open = references.filter((reference) => paymentOf.get(keyOf({ programId, reference })) === null)
    return paymentId === null ? [] : open.map((reference) => ({ programId, reference, paymentId }))
  })
  await assignAll(tx, unassigned)
  const groupIndexOf = new Map(groups.flatMap(({ members }, index) => members.map((member) => [member, index])))
  return reports.map((report) => payments[groupIndexOf.get(report) ?? -1] ?? null)
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

const claimAll = async (tx: Tx, references: Reference[]) => {
  const column = columnsOf(references)
  const { rows } = await sql<Reference & { paymentId: number | null }>`
    INSERT INTO payment_references (program_id, reference)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')})
    ON CONFLICT (program_id, reference) DO UPDATE SET reference = excluded.reference
    RETURNING program_id, reference, payment_id`.execute(tx)
  return new Map(rows.map((row) => [keyOf(row), row.paymentId]))
}

const lockAll = async (tx: Tx, payments: { programId: number; ids: number[] }[]) => {
  const keys = payments.flatMap(({ programId, ids }) => ids.map((paymentId) => ({ programId, paymentId })))
  if (keys.length === 0) return new Set<string>()
  const column = columnsOf(keys)
  const { rows } = await sql<{ programId: number; id: number }>`
    SELECT program_id, id FROM payments
    WHERE (program_id, id) IN (SELECT * FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}))
    ORDER BY program_id, id FOR UPDATE`.execute(tx)
  return new Set(rows.map(({ programId, id }) => `${programId} ${id}`))
}

/** Creates payments and returns their IDs by program. */
const insertPayments = async (tx: Tx, programIds: number[]) => {
  if (programIds.length === 0) return new Map<number, number[]>()
  const { rows } = await sql<{ programId: number; id: number }>`
    INSERT INTO payments (program_id) SELECT unnest(${programIds}::integer[]) RETURNING program_id, id`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, ({ programId }) => programId)].map(([programId, created]) => [
      programId,
      created.map(({ id }) => id),
    ]),
  )
}

const assignAll = async (tx: Tx, references: (Reference & { paymentId: number })[]) => {
  if (references.length === 0) return
  const column = columnsOf(references)
  await sql`
    UPDATE payment_references SET payment_id = assigned.payment_id
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}, ${column('paymentId', 'bigint')})
      AS assigned(program_id, reference, payment_id)
    WHERE payment_references.program_id = assigned.program_id AND payment_references.reference = assigned.reference`.execute(
    tx,
  )
}

/** Finds or creates the payment with these references. If they belong to several payments, merges them into the oldest. */
export const joinPayment = async (tx: Tx, { programId, references }: References): Promise<number> => {
  // Always claim in the same order, so that two reports of one payment cannot deadlock.
  const claimed = await claimReferences(tx, { programId, references: [...new Set(references)].toSorted() })
  const known = [...new Set(claimed.flatMap(({ paymentId }) => paymentId ?? []))].toSorted((a, b) => a - b)
  await lockPayments(tx, { programId, paymentIds: known })
  const [paymentId = await insertPayment(tx, programId), ...others] = known
  const unassigned = claimed.filter((row) => row.paymentId === null).map(({ reference }) => reference)
  await assignReferences(tx, { programId, paymentId, references: unassigned })
  for (const other of others) await mergePayment(tx, { programId, paymentId, other })
  return paymentId
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

const insertPayment = async (tx: Tx, programId: number) => {
  const { id } = await tx.insertInto('payments').values({ programId }).returning('id').executeTakeFirstOrThrow()
  return id
}

const assignReferences = async (tx: Tx, { programId, paymentId, references }: Payment & References) => {
  if (references.length === 0) return
  await tx
    .updateTable('paymentReferences')
    .set({ paymentId })
    .where('programId', '=', programId)
    .where('reference', '=', anyOfTexts(references))
    .execute()
}

const mergePayment = async (tx: Tx, { programId, paymentId, other }: Payment & { other: number }) => {
  await tx
    .updateTable('paymentReferences')
    .set({ paymentId })
    .where('programId', '=', programId)
    .where('paymentId', '=', other)
    .execute()
  await moveReports(tx, { programId, from: other, to: paymentId })
  await tx.deleteFrom('payments').where('programId', '=', programId).where('id', '=', other).execute()
}

/** Lists the references of each payment. */
export const listAllReferences = async (db: Database | Tx, payments: Payment[]): Promise<string[][]> => {
  const column = columnsOf(payments)
  const { rows } = await sql<{ nth: number; reference: string }>`
    SELECT nth, known.reference
    FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}) WITH ORDINALITY AS input(program_id, payment_id, nth)
    JOIN payment_references known ON known.program_id = input.program_id AND known.payment_id = input.payment_id
    ORDER BY nth, known.reference`.execute(db)
  const byPayment = Map.groupBy(rows, ({ nth }) => nth)
  return payments.map((_, index) => (byPayment.get(index + 1) ?? []).map(({ reference }) => reference))
}

export const listReferences = forOne(listAllReferences)

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
