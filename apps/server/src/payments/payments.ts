import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts } from '../database/sql/any-of.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { forOne, inPlace } from '../database/sql/many.ts'
import type { Tx } from '../database/transaction.ts'
import { moveReports } from './payment-reports.ts'

type Named = { programId: number; references: string[] }
type Name = { programId: number; reference: string }
type Payment = { programId: number; paymentId: number }

type Claimed = {
  /** Nobody had it before: it is the caller's until the end of the transaction. */
  isNew: boolean
  /** Of the payment, which is locked then. Null where no processor has spoken of it. */
  paymentId: number | null
}
const NEW: Claimed = { isNew: true, paymentId: null }

/**
 * Whoever makes or refunds a sale under a name first holds the name, so that two who come at once see one another. Answers
 * the payments that have these names already; null stands for a name without one.
 */
const claimReferences = async (tx: Tx, { programId, references }: Named) => {
  const { rows } = await sql<{ reference: string; paymentId: number | null }>`
    INSERT INTO payment_references (program_id, reference) SELECT ${programId}, unnest(${references}::text[])
    ON CONFLICT (program_id, reference) DO UPDATE SET reference = excluded.reference
    RETURNING reference, payment_id`.execute(tx)
  return rows
}

/** The merchant's own names for sales, where nobody had them. Says which are new. */
export const claimNew = async (tx: Tx, names: Name[]): Promise<boolean[]> => {
  const column = columnsOf(names)
  const { rows } = await sql<Name>`
    INSERT INTO payment_references (program_id, reference)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}) AS name(program_id, reference)
    ORDER BY program_id, reference
    ON CONFLICT (program_id, reference) DO NOTHING RETURNING program_id, reference`.execute(tx)
  const claimed = new Set(rows.map(nameOf))
  return names.map((name) => claimed.has(nameOf(name)))
}

/** The merchant's own name for a sale. Whoever comes second waits for the first, but not for others who come second. */
export const claimReference = async (tx: Tx, { programId, reference }: Name): Promise<Claimed> => {
  const inserted = await tx
    .insertInto('paymentReferences')
    .values({ programId, reference })
    .onConflict((conflict) => conflict.columns(['programId', 'reference']).doNothing())
    .returning('reference')
    .executeTakeFirst()
  return inserted ? NEW : knownBy(tx, { programId, reference })
}

type Told = Name & { workspaceId: string }

/**
 * The same where all that is told of the workspace's payments is kept: in its home, or in the program itself. One statement,
 * for every sale that is reported pays it.
 */
export const claimWhereHeard = async (tx: Tx, name: Told): Promise<Claimed & { scopeId: number }> => {
  const [{ scopeId, isNew } = { scopeId: name.programId, isNew: false }] = await claimAllWhereHeard(tx, [name])
  return { scopeId, ...(isNew ? NEW : await knownBy(tx, { programId: scopeId, reference: name.reference })) }
}

export const claimAllWhereHeard = async (tx: Tx, names: Told[]) => {
  const column = columnsOf(names)
  const { rows } = await sql<{ nth: number; scopeId: number; isNew: boolean }>`
    WITH asked AS (
      SELECT nth, reference,
        coalesce((SELECT home.program_id FROM processor_homes home WHERE home.workspace_id = name.workspace_id), name.program_id) AS scope_id
      FROM unnest(${column('programId', 'integer')}, ${column('workspaceId', 'text')},
        ${column('reference', 'text')}) WITH ORDINALITY AS name(program_id, workspace_id, reference, nth)),
    claimed AS (
      INSERT INTO payment_references (program_id, reference) SELECT scope_id, reference FROM asked ORDER BY scope_id, reference
      ON CONFLICT (program_id, reference) DO NOTHING RETURNING program_id, reference)
    SELECT nth, scope_id, claimed.reference IS NOT NULL AS is_new
    FROM asked LEFT JOIN claimed ON claimed.program_id = scope_id AND claimed.reference = asked.reference`.execute(tx)
  return inPlace(rows, names).map((row, place) => row ?? { scopeId: names[place]?.programId ?? 0, isNew: false })
}

/** Of two names of one payment, each is held by its story, and the payment by neither until it is locked here. */
const knownBy = async (tx: Tx, name: Name): Promise<Claimed> => {
  for (;;) {
    const paymentId = await findPayment(tx, name)
    if (paymentId === null) return { isNew: false, paymentId }
    const [locked] = await lockPayments(tx, { programId: name.programId, paymentIds: [paymentId] })
    // It was merged into another while we waited; the name leads there now.
    if (locked !== undefined) return { isNew: false, paymentId }
  }
}

/**
 * One payment for the names of each report; reports that share a name are about one. Null for a report whose names were of
 * several payments until now, or whose payment was merged into another meanwhile: it is joined by itself (joinPayment).
 */
export const joinPayments = async (tx: Tx, named: Named[]): Promise<(number | null)[]> => {
  const groups = groupsOf(named)
  const names = groups
    .flatMap(({ programId, references }) => references.map((reference) => ({ programId, reference })))
    .toSorted((a, b) => a.programId - b.programId || (a.reference < b.reference ? -1 : 1))
  const paymentOf = await claimAll(tx, names)
  const known = groups.map(({ programId, references }) => ({
    programId,
    ids: [...new Set(references.flatMap((reference) => paymentOf.get(nameOf({ programId, reference })) ?? []))],
  }))
  const locked = await lockAll(tx, known)
  const made = await insertPayments(
    tx,
    known.filter(({ ids }) => ids.length === 0).map(({ programId }) => programId),
  )
  const payments = known.map(({ programId, ids: [id, ...others] }) => {
    if (id === undefined) return made.get(programId)?.shift() ?? null
    return others.length === 0 && locked.has(`${programId} ${id}`) ? id : null
  })
  const nameless = groups.flatMap(({ programId, references }, place) => {
    const paymentId = payments[place] ?? null
    const open = references.filter((reference) => paymentOf.get(nameOf({ programId, reference })) === null)
    return paymentId === null ? [] : open.map((reference) => ({ programId, reference, paymentId }))
  })
  await nameAll(tx, nameless)
  const placeOf = new Map(groups.flatMap(({ members }, place) => members.map((member) => [member, place])))
  return named.map((one) => payments[placeOf.get(one) ?? -1] ?? null)
}

type Group = Named & { members: Named[] }

/** Reports that have a name in common, directly or through others. */
const groupsOf = (named: Named[]): Group[] => {
  let groups: Group[] = []
  for (const one of named) {
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

const nameOf = ({ programId, reference }: Name) => `${programId} ${reference}`

const claimAll = async (tx: Tx, names: Name[]) => {
  const column = columnsOf(names)
  const { rows } = await sql<Name & { paymentId: number | null }>`
    INSERT INTO payment_references (program_id, reference)
    SELECT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')})
    ON CONFLICT (program_id, reference) DO UPDATE SET reference = excluded.reference
    RETURNING program_id, reference, payment_id`.execute(tx)
  return new Map(rows.map((row) => [nameOf(row), row.paymentId]))
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

/** New payments, the numbers of each program in a list of their own. */
const insertPayments = async (tx: Tx, programIds: number[]) => {
  if (programIds.length === 0) return new Map<number, number[]>()
  const { rows } = await sql<{ programId: number; id: number }>`
    INSERT INTO payments (program_id) SELECT unnest(${programIds}::integer[]) RETURNING program_id, id`.execute(tx)
  return new Map(
    [...Map.groupBy(rows, ({ programId }) => programId)].map(([programId, made]) => [
      programId,
      made.map(({ id }) => id),
    ]),
  )
}

const nameAll = async (tx: Tx, names: (Name & { paymentId: number })[]) => {
  if (names.length === 0) return
  const column = columnsOf(names)
  await sql`
    UPDATE payment_references SET payment_id = named.payment_id
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}, ${column('paymentId', 'bigint')})
      AS named(program_id, reference, payment_id)
    WHERE payment_references.program_id = named.program_id AND payment_references.reference = named.reference`.execute(
    tx,
  )
}

/** One payment for all these names. Those that were two until now are one from here on, under the older number. */
export const joinPayment = async (tx: Tx, { programId, references }: Named): Promise<number> => {
  // In one order for all, so that two reports of one payment wait for each other instead of standing in each other's way.
  const claimed = await claimReferences(tx, { programId, references: [...new Set(references)].toSorted() })
  const known = [...new Set(claimed.flatMap(({ paymentId }) => paymentId ?? []))].toSorted((a, b) => a - b)
  await lockPayments(tx, { programId, paymentIds: known })
  const [paymentId = await insertPayment(tx, programId), ...others] = known
  const nameless = claimed.filter((row) => row.paymentId === null).map(({ reference }) => reference)
  await nameReferences(tx, { programId, paymentId, references: nameless })
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

const nameReferences = async (tx: Tx, { programId, paymentId, references }: Payment & Named) => {
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

/** All names of each payment. */
export const referencesOfAll = async (db: Database | Tx, payments: Payment[]): Promise<string[][]> => {
  const column = columnsOf(payments)
  const { rows } = await sql<{ nth: number; reference: string }>`
    SELECT nth, named.reference
    FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}) WITH ORDINALITY AS asked(program_id, payment_id, nth)
    JOIN payment_references named ON named.program_id = asked.program_id AND named.payment_id = asked.payment_id
    ORDER BY nth, named.reference`.execute(db)
  const byPayment = Map.groupBy(rows, ({ nth }) => nth)
  return payments.map((_, place) => (byPayment.get(place + 1) ?? []).map(({ reference }) => reference))
}

export const referencesOf = forOne(referencesOfAll)

/** The payment behind one of its names. */
export const findPayment = async (db: Database | Tx, { programId, reference }: Name): Promise<number | null> => {
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
