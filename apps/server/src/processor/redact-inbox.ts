import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { Forgetting, PaymentOf } from '../payments/forget-payer.ts'
import { redactKept } from './inbox.ts'
import { redactStray } from './strays.ts'
import { namesCustomer, tiesIn } from './stripe/personal-data/concerns.ts'
import { redactEvent } from './stripe/personal-data/redact.ts'

type Who = Forgetting & { payments: PaymentOf[]; at: Date }
type Found = { payload: Uint8Array }

/** Rows scanned per statement, to keep each one short. */
const PAGE = 500

/**
 * Redacts a customer from all stored events: those about their payments, those whose metadata names them, and those that share a
 * Stripe customer, subscription or payment with one of these. Returns how many changed.
 */
export const redactInbox = async (tx: Tx, who: Who): Promise<number> => {
  const { rows: homes } = await sql<{ id: number }>`
    SELECT id FROM programs WHERE workspace_id = ${who.workspaceId} ORDER BY id`.execute(tx)
  let changed = 0
  for (const { id: home } of homes) {
    const own = await eventsOfPayments(tx, { home, payments: who.payments })
    const named = await search(wordsFor(who), (page: Paging<number>) => eventsWith(tx, { home, ...page }))
    const known = [...own, ...named.filter(({ payload }) => namesCustomer(eventIn(payload), who))]
    const ties = new Set(known.flatMap(({ payload }) => tiesIn(eventIn(payload))))
    const tied = await search([...ties], (page: Paging<number>) => eventsWith(tx, { home, ...page }))
    const all = [...known, ...tied.filter(({ payload }) => tiesIn(eventIn(payload)).some((id) => ties.has(id)))]
    for (const event of new Map(all.map((each) => [each.id, each])).values())
      changed += await redact(event, who, (payload) =>
        redactKept(tx, { ...event, programId: home, payload, at: who.at }),
      )
  }
  return changed + (await redactStrays(tx, who))
}

/** Unassigned events are redacted only if they name the customer. */
const redactStrays = async (tx: Tx, who: Who) => {
  let changed = 0
  const found = await search(wordsFor(who), (page: Paging<string>) => straysWith(tx, page))
  for (const stray of found.filter(({ payload }) => namesCustomer(eventIn(payload), who)))
    changed += await redact(stray, who, (payload) => redactStray(tx, { eventId: stray.id, payload, at: who.at }))
  return changed
}

/** Writes only if something was redacted. */
export const redact = async (
  { payload }: Found,
  person: Parameters<typeof redactEvent>[1],
  write: (payload: Buffer) => Promise<unknown>,
) => {
  const event = eventIn(payload)
  const redacted = JSON.stringify(redactEvent(event, person))
  if (redacted === JSON.stringify(event)) return 0
  await write(Buffer.from(redacted))
  return 1
}

export const eventIn = (payload: Uint8Array): unknown => JSON.parse(Buffer.from(payload).toString('utf8'))

/** JSON can encode most other characters in several ways, so search for the longest run that has only one encoding. */
const wordsFor = ({ customerKey, clickId }: Who) =>
  [customerKey, clickId].flatMap((text) =>
    text === null ? [] : ((text.match(/[\w.@-]+/g) ?? ['']).toSorted((a, b) => b.length - a.length)[0] ?? ''),
  )

type Paging<Id> = { words: Buffer[]; after: Id | null }
type Paged<Id, Row> = { rows: Row[]; last: Id | null }

const search = async <Id, Row>(words: string[], page: (of: Paging<Id>) => Promise<Paged<Id, Row>>): Promise<Row[]> => {
  if (words.length === 0) return []
  const found: Row[] = []
  for (let after: Id | null = null; ; ) {
    const { rows, last }: Paged<Id, Row> = await page({ words: words.map((word) => Buffer.from(word)), after })
    found.push(...rows)
    if (last === null) return found
    after = last
  }
}

const HAS_A_WORD = (words: Buffer[]) => sql`EXISTS (
  SELECT FROM unnest(${words}::bytea[]) word WHERE position(word IN payload) > 0)`

const eventsWith = async (tx: Tx, { home, words, after }: Paging<number> & { home: number }) => {
  const page = sql`SELECT id, payload FROM processor_events
    WHERE program_id = ${home} AND id > ${after ?? 0} ORDER BY id LIMIT ${PAGE}`
  const { rows } = await sql<Found & { id: number }>`
    SELECT id, payload FROM (${page}) page WHERE ${HAS_A_WORD(words)} ORDER BY id`.execute(tx)
  const { rows: ends } = await sql<{ last: number | null }>`SELECT max(id) AS last FROM (${page}) page`.execute(tx)
  return { rows, last: ends[0]?.last ?? null }
}

const straysWith = async (tx: Tx, { words, after }: Paging<string>) => {
  const page = sql`SELECT event_id AS id, payload FROM processor_strays
    WHERE event_id > ${after ?? ''} ORDER BY event_id LIMIT ${PAGE}`
  const { rows } = await sql<Found & { id: string }>`
    SELECT id, payload FROM (${page}) page WHERE ${HAS_A_WORD(words)} ORDER BY id`.execute(tx)
  const { rows: ends } = await sql<{ last: string | null }>`SELECT max(id) AS last FROM (${page}) page`.execute(tx)
  return { rows, last: ends[0]?.last ?? null }
}

const eventsOfPayments = async (tx: Tx, { home, payments }: { home: number; payments: PaymentOf[] }) => {
  const ids = payments.filter(({ programId }) => programId === home).map(({ paymentId }) => paymentId)
  const { rows } = await sql<Found & { id: number }>`
    SELECT event.id, event.payload FROM payment_reports report
    JOIN processor_events event ON event.program_id = report.program_id AND event.report_id = report.id
    WHERE report.program_id = ${home} AND report.payment_id = ANY(${ids}::bigint[]) ORDER BY event.id`.execute(tx)
  return rows
}
