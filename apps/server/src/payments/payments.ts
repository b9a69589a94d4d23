import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

type References = { programId: number; references: string[] }
type Reference = { programId: number; reference: string }
type Payment = { programId: number; paymentId: number }

/** A merchant's `invoice_id`. */
export type InvoiceClaim = {
  program: { id: number; workspaceId: string }
  invoiceId: string
  /** The program that stores the workspace's processor reports (processor/inbox-programs.ts), or the sale's if there is none. */
  inboxProgramId?: number
  /** The reference existed in neither program. The caller's transaction now holds it in both. */
  isNew?: boolean
  /** The same for the sale's program only. */
  isNewHere?: boolean
}

/**
 * Claims the `invoice_id`s in the workspaces' inbox programs and then in the sales' programs, and fills in which are new. A duplicate
 * waits for the transaction that created it, but not for other duplicates. `termsLock` runs in the same statement.
 */
export const claimInvoices = async (tx: Tx, claims: InvoiceClaim[], termsLock: RawBuilder<unknown>) => {
  const column = columnsOf(
    claims.map(({ program, invoiceId }) => ({ programId: program.id, workspaceId: program.workspaceId, invoiceId })),
  )
  const { rows } = await sql<{ position: number; inboxProgramId: number; isNew: boolean; isNewHere: boolean }>`
    WITH terms_lock AS MATERIALIZED (${termsLock}),
    incoming AS (
      SELECT position, program_id, reference,
        coalesce((SELECT inbox.program_id FROM processor_home_programs inbox WHERE inbox.workspace_id = claim.workspace_id), claim.program_id) AS inbox_program_id
      FROM (SELECT count(*) FROM terms_lock) done, unnest(${column('programId', 'integer')}, ${column('workspaceId', 'text')},
        ${column('invoiceId', 'text')}) WITH ORDINALITY AS claim(program_id, workspace_id, reference, position)),
    claimed AS (
      INSERT INTO payment_references (program_id, reference)
      SELECT id, reference FROM (
        SELECT inbox_program_id AS id, reference, 1 AS turn FROM incoming UNION ALL
        SELECT program_id, reference, 2 FROM incoming WHERE program_id <> inbox_program_id) claim
      ORDER BY turn, id, reference COLLATE "C"
      ON CONFLICT (program_id, reference) DO NOTHING RETURNING program_id, reference)
    SELECT position, inbox_program_id, inbox.reference IS NOT NULL AND own.reference IS NOT NULL AS is_new, own.reference IS NOT NULL AS is_new_here
    FROM incoming
    LEFT JOIN claimed inbox ON inbox.program_id = inbox_program_id AND inbox.reference = incoming.reference
    LEFT JOIN claimed own ON own.program_id = incoming.program_id AND own.reference = incoming.reference`.execute(tx)
  for (const { position, ...found } of rows) Object.assign(claims[position - 1] as InvoiceClaim, found)
}

/** The payment with a known `invoice_id`, locked, and the program that stores its reports. Null if no processor has reported it. */
export const lockPaymentOfInvoice = async (
  tx: Tx,
  { program, invoiceId: reference, inboxProgramId = program.id }: InvoiceClaim,
) => {
  const programIds = inboxProgramId === program.id ? [inboxProgramId] : [inboxProgramId, program.id]
  let found: { inboxProgramId: number; paymentId: number } | null = null
  // A payment whose metadata states it at the same time.
  await claimStatedInvoices(tx, [{ programId: inboxProgramId, reference }])
  for (const programId of programIds) {
    const paymentId = await lockPaymentOf(tx, { programId, reference })
    if (paymentId !== null) found ??= { inboxProgramId: programId, paymentId }
  }
  return found
}

/**
 * Claims the `invoice_id`s that metadata states, before the payments are locked, and returns their payments. A merchant who reports such a
 * sale at the same time waits, and the other way round.
 */
export const claimStatedInvoices = async (tx: Tx, stated: Reference[]): Promise<(Reference & Partial<Payment>)[]> => {
  if (stated.length === 0) return []
  const column = columnsOf(stated)
  const { rows } = await sql<Reference & { paymentId: number | null }>`
    INSERT INTO payment_references (program_id, reference)
    SELECT DISTINCT program_id, reference COLLATE "C" AS reference
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}) AS stated(program_id, reference) ORDER BY 1, 2
    ON CONFLICT (program_id, reference) DO UPDATE SET payment_id = payment_references.payment_id
    RETURNING program_id, reference, payment_id`.execute(tx)
  return rows.map(({ paymentId, ...reference }) => (paymentId === null ? reference : { ...reference, paymentId }))
}

/** Adds a claimed reference without a payment to this one. */
export const addReference = (tx: Tx, { programId, reference, paymentId }: Reference & Payment) =>
  tx
    .updateTable('paymentReferences')
    .set({ paymentId })
    .where('programId', '=', programId)
    .where('reference', '=', reference)
    .where('paymentId', 'is', null)
    .execute()

/** Two operations can hold different references of one payment, so the payment itself must be locked too. */
const lockPaymentOf = async (tx: Tx, reference: Reference): Promise<number | null> => {
  for (;;) {
    const paymentId = await findPayment(tx, reference)
    if (paymentId === null) return null
    const [locked] = await lockPayments(tx, { programId: reference.programId, paymentIds: [paymentId] })
    // If it was merged while we waited, the reference now points to the other payment: look again.
    if (locked !== undefined) return paymentId
  }
}

/** References of one payment, as an event reports them. */
export type ReportedReferences = References & {
  /** Filled in. Null if the references belong to several payments and cannot be joined in a batch. */
  paymentId?: number | null
}

/**
 * Finds or creates the payment of each report; reports that share a reference share a payment. References that belong to several
 * payments merge them into the oldest. In a batch, such a report gets null: the caller reruns it on its own. `others` are locked too.
 */
export const joinPayments = async (tx: Tx, reports: ReportedReferences[], others: Payment[] = []) => {
  const groups = groupReports(reports)
  await claimAll(tx, groups)
  const known = groups.flatMap((group) => group.known.map((paymentId) => ({ programId: group.programId, paymentId })))
  await lockAll(tx, [...known, ...others])
  const merges: Merge[] = []
  for (const { programId, members, known, created } of groups) {
    const [paymentId = created, ...others] = known
    const isExcluded = others.length > 0 && reports.length > 1
    for (const member of members) member.paymentId = isExcluded ? null : paymentId
    if (isExcluded) continue
    if (created !== null && created !== paymentId) others.push(created)
    merges.push(...others.map((from) => ({ programId, from, to: paymentId ?? 0 })))
  }
  await mergePayments(tx, merges)
}

/** Reports that share a reference, directly or through other reports. */
type Group = References & {
  members: ReportedReferences[]
  /** Payments that already have one of the references. */
  known: number[]
  /** The payment created for those without one. */
  created: number | null
}

const groupReports = (reports: ReportedReferences[]): Group[] => {
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
      known: [],
      created: null,
    })
  }
  return groups
}

/**
 * Locks the references of each group and fills in their payments. Every operation that creates or refunds a sale claims its
 * references first, so that operations on one payment run one at a time. References without a payment get a new one; if others of
 * the group already have one, the caller merges the two.
 */
const claimAll = async (tx: Tx, groups: Group[]) => {
  const claims = groups.flatMap(({ references }, index) =>
    references.map((reference) => ({ reference, position: index + 1 })),
  )
  const [group, claim] = [columnsOf(groups), columnsOf(claims)]
  const { rows } = await sql<{ position: number; paymentId: number; isNew: boolean }>`
    WITH fresh AS MATERIALIZED (
      SELECT program_id, position, nextval('payments_id_seq') AS id
      FROM unnest(${group('programId', 'integer')}) WITH ORDINALITY AS incoming(program_id, position)),
    claim AS MATERIALIZED (
      SELECT fresh.program_id, fresh.position, fresh.id, reference FROM unnest(${claim('reference', 'text')}, ${claim('position', 'integer')})
        AS claim(reference, position) JOIN fresh ON fresh.position = claim.position),
    claimed AS (
      INSERT INTO payment_references (program_id, reference, payment_id)
      SELECT program_id, reference, id FROM claim ORDER BY program_id, reference COLLATE "C"
      ON CONFLICT (program_id, reference) DO UPDATE SET payment_id = coalesce(payment_references.payment_id, excluded.payment_id)
      RETURNING program_id, reference, payment_id),
    created AS (
      INSERT INTO payments (program_id, id) SELECT program_id, id FROM fresh
      WHERE id IN (SELECT payment_id FROM claimed))
    SELECT DISTINCT position, payment_id, payment_id = id AS is_new
    FROM claimed JOIN claim ON claim.program_id = claimed.program_id AND claim.reference = claimed.reference
    ORDER BY position, payment_id`.execute(tx)
  for (const { position, paymentId, isNew } of rows) {
    const found = groups[position - 1] as Group
    if (isNew) found.created ??= paymentId
    else found.known.push(paymentId)
  }
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
    moved AS (
      UPDATE payment_reports SET payment_id = merge.new_id FROM merge
      WHERE payment_reports.program_id = merge.program_id AND payment_reports.payment_id = merge.old_id),
    coded AS (
      INSERT INTO payment_codes (program_id, reference, payment_id)
      SELECT payment_codes.program_id, reference, merge.new_id FROM payment_codes
      JOIN merge ON payment_codes.program_id = merge.program_id AND payment_codes.payment_id = merge.old_id
      ON CONFLICT DO NOTHING),
    uncoded AS (
      DELETE FROM payment_codes USING merge
      WHERE payment_codes.program_id = merge.program_id AND payment_codes.payment_id = merge.old_id)
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
