import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { Erasure, PaymentId } from '../payments/forget-payer.ts'
import { redactStoredEvent } from './inbox.ts'
import { namesCustomer } from './personal-data/concerns.ts'
import { redactEvent } from './personal-data/redact.ts'
import { processorOf } from './processors.ts'
import { redactUnassignedEvent } from './unassigned-events.ts'

type ErasedPerson = Erasure & { payments: PaymentId[]; at: Date }
type Found = { processor: string; payload: Uint8Array }

/** Rows scanned per statement, to keep each one short. */
const PAGE_SIZE = 500

/**
 * Redacts a customer from all stored events: those about their payments, those whose metadata names them, and those that share the
 * processor's ID of a customer, subscription or payment with one of these. Returns how many changed.
 */
export const redactInbox = async (tx: Tx, person: ErasedPerson): Promise<number> => {
  const { rows: inboxPrograms } = await sql<{ id: number }>`
    SELECT id FROM programs WHERE workspace_id = ${person.workspaceId} ORDER BY id`.execute(tx)
  let changed = 0
  for (const { id: inboxProgramId } of inboxPrograms) {
    const own = await eventsOfPayments(tx, { inboxProgramId, payments: person.payments })
    const named = await search(searchTerms(person), (page: SearchPage<number>) =>
      findEvents(tx, { inboxProgramId, ...page }),
    )
    const known = [...own, ...named.filter(({ payload }) => namesCustomer(parsePayload(payload), person))]
    const relatedTo = new Set(known.flatMap(relatedIdsOf))
    const related = await search([...relatedTo], (page: SearchPage<number>) =>
      findEvents(tx, { inboxProgramId, ...page }),
    )
    const all = [...known, ...related.filter((event) => relatedIdsOf(event).some((id) => relatedTo.has(id)))]
    for (const event of new Map(all.map((each) => [each.id, each])).values())
      changed += await redact(event, person, (payload) =>
        redactStoredEvent(tx, { ...event, programId: inboxProgramId, payload, at: person.at }),
      )
  }
  return changed + (await redactUnassigned(tx, person))
}

/** Unassigned events are redacted only if they name the customer. */
const redactUnassigned = async (tx: Tx, person: ErasedPerson) => {
  let changed = 0
  const found = await search(searchTerms(person), (page: SearchPage<string>) => findUnassigned(tx, page))
  for (const event of found.filter(({ payload }) => namesCustomer(parsePayload(payload), person)))
    changed += await redact(event, person, (payload) =>
      redactUnassignedEvent(tx, { eventId: event.id, payload, at: person.at }),
    )
  return changed
}

/** Writes only if something was redacted. */
export const redact = async (
  { processor, payload }: Found,
  person: Parameters<typeof redactEvent>[1],
  write: (payload: Buffer) => Promise<unknown>,
) => {
  const event = parsePayload(payload)
  const redacted = JSON.stringify(redactEvent(event, person, processorOf({ processor }).personalData))
  if (redacted === JSON.stringify(event)) return 0
  await write(Buffer.from(redacted))
  return 1
}

const relatedIdsOf = (event: Found) => processorOf(event).personalData.relatedIds(parsePayload(event.payload))

export const parsePayload = (payload: Uint8Array): unknown => JSON.parse(Buffer.from(payload).toString('utf8'))

/** JSON can encode most other characters in several ways, so search for the longest run that has only one encoding. */
const searchTerms = ({ customerKey, clickId }: ErasedPerson) =>
  [customerKey, clickId].flatMap((text) =>
    text === null ? [] : ((text.match(/[\w.@-]+/g) ?? ['']).toSorted((a, b) => b.length - a.length)[0] ?? ''),
  )

type SearchPage<Id> = { words: Buffer[]; after: Id | null }
type PageResult<Id, Row> = { rows: Row[]; last: Id | null }

const search = async <Id, Row>(
  words: string[],
  page: (of: SearchPage<Id>) => Promise<PageResult<Id, Row>>,
): Promise<Row[]> => {
  if (words.length === 0) return []
  const found: Row[] = []
  for (let after: Id | null = null; ; ) {
    const { rows, last }: PageResult<Id, Row> = await page({ words: words.map((word) => Buffer.from(word)), after })
    found.push(...rows)
    if (last === null) return found
    after = last
  }
}

const containsTerm = (words: Buffer[]) => sql`EXISTS (
  SELECT FROM unnest(${words}::bytea[]) word WHERE position(word IN payload) > 0)`

const findEvents = async (
  tx: Tx,
  { inboxProgramId, words, after }: SearchPage<number> & { inboxProgramId: number },
) => {
  const page = sql`SELECT id, processor, payload FROM processor_events
    WHERE program_id = ${inboxProgramId} AND id > ${after ?? 0} ORDER BY id LIMIT ${sql.lit(PAGE_SIZE)}`
  const { rows } = await sql<Found & { id: number }>`
    SELECT id, processor, payload FROM (${page}) page WHERE ${containsTerm(words)} ORDER BY id`.execute(tx)
  const { rows: ends } = await sql<{ last: number | null }>`SELECT max(id) AS last FROM (${page}) page`.execute(tx)
  return { rows, last: ends[0]?.last ?? null }
}

const findUnassigned = async (tx: Tx, { words, after }: SearchPage<string>) => {
  const page = sql`SELECT event_id AS id, processor, payload FROM processor_unassigned_events
    WHERE event_id > ${after ?? ''} ORDER BY event_id LIMIT ${sql.lit(PAGE_SIZE)}`
  const { rows } = await sql<Found & { id: string }>`
    SELECT id, processor, payload FROM (${page}) page WHERE ${containsTerm(words)} ORDER BY id`.execute(tx)
  const { rows: ends } = await sql<{ last: string | null }>`SELECT max(id) AS last FROM (${page}) page`.execute(tx)
  return { rows, last: ends[0]?.last ?? null }
}

const eventsOfPayments = async (
  tx: Tx,
  { inboxProgramId, payments }: { inboxProgramId: number; payments: PaymentId[] },
) => {
  const ids = payments.filter(({ programId }) => programId === inboxProgramId).map(({ paymentId }) => paymentId)
  const { rows } = await sql<Found & { id: number }>`
    SELECT event.id, event.processor, event.payload FROM payment_reports report
    JOIN processor_events event ON event.program_id = report.program_id AND event.report_id = report.id
    WHERE report.program_id = ${inboxProgramId} AND report.payment_id = ANY(${ids}::bigint[]) ORDER BY event.id`.execute(
    tx,
  )
  return rows
}
