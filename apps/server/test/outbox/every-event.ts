import { expect } from 'bun:test'
import { PUBLISHED_EVENT_DATA, type PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { COMMISSIONS } from '../../src/money/commissions/commission-events.ts'
import { PAYOUT_LINES } from '../../src/money/payouts/payout-events.ts'
import type { PublishedKind } from '../../src/outbox/publish-changes.ts'
import { LINKS, PARTNERS } from '../../src/partners/partner-events.ts'
import { SALES } from '../../src/sales/sale-events.ts'

type Data = { id: number } & Record<string, unknown>
type Row = {
  programId: number
  id: number
  type: PublishedEventType
  data: Data
  changes: Record<string, [unknown, unknown]> | null
}

const KINDS: { kind: PublishedKind; table: 'sales' | 'commissions' | 'partners' | 'referralLinks' | 'payoutLines' }[] =
  [
    { kind: SALES as unknown as PublishedKind, table: 'sales' },
    { kind: COMMISSIONS as unknown as PublishedKind, table: 'commissions' },
    { kind: PARTNERS as unknown as PublishedKind, table: 'partners' },
    { kind: LINKS as unknown as PublishedKind, table: 'referralLinks' },
    { kind: PAYOUT_LINES as unknown as PublishedKind, table: 'payoutLines' },
  ]

type Options = {
  /** Tests of the whole service may insert rows directly. Those have no event, and are left out until the service changes them. */
  isWholeService?: boolean
  /** Every program, unless given. */
  programId?: number
}

/** The state that a receiver has after every event, by program and object. */
const replay = (events: Row[]) => {
  const model = new Map<string, Data>()
  for (const { programId, type, data, changes } of events) {
    const [object] = type.split('.')
    expect(PUBLISHED_EVENT_DATA[type].safeParse(data).error).toBeUndefined()
    if (!KINDS.some(({ kind }) => kind.name === object)) continue
    const key = `${object} ${programId} ${data.id}`
    const before = model.get(key)
    // One change can publish two events with the same data.
    if (before && changes && !Bun.deepEquals(before, data))
      for (const [field, [old, now]] of Object.entries(changes)) {
        expect({ key, field, values: [before[field] ?? null, data[field] ?? null] }).toEqual({
          key,
          field,
          values: [old, now] as never,
        })
      }
    model.set(key, data)
  }
  return model
}

/** Tests without the service insert these directly. */
const isSetUp = (table: string) => table === 'partners' || table === 'referralLinks'

/** No change without its event: what a receiver knows after every event is what the tables say. */
export const expectEveryEvent = async (db: Database, { isWholeService = false, programId: only }: Options = {}) => {
  const events = (await db
    .selectFrom('outboxEvents')
    .select(['programId', 'id', 'type', 'data', 'changes'])
    .$if(only !== undefined, (all) => all.where('programId', '=', only ?? 0))
    .orderBy('programId')
    .orderBy('id')
    .execute()) as unknown as Row[]
  const model = replay(events)
  if (!isWholeService && only === undefined) await expectEveryLead(db)
  const { rows: purged } = await sql<{ programId: number }>`
    SELECT program_id FROM outbox_heads WHERE kept_after > 0`.execute(db)
  for (const { kind, table } of KINDS) {
    const all = db.selectFrom(table).select(['programId', 'id'])
    const rows = (await (only === undefined ? all : all.where('programId', '=', only)).execute()) as {
      programId: number
      id: number
    }[]
    // Tests of the whole service may invent events of objects that do not exist.
    if (!isWholeService) expectNoneDeleted(model, kind.name, rows)
    for (const [programId, own] of Map.groupBy(rows, (row) => row.programId)) {
      if (purged.some((one) => one.programId === programId)) continue
      const stored = await inTransaction(db, (tx) =>
        kind.read(
          tx,
          programId,
          own.map(({ id }) => id),
        ),
      )
      for (const data of new Map((stored as Data[]).map((one) => [one.id, one])).values()) {
        const known = model.get(`${kind.name} ${programId} ${data.id}`)
        if (!known && (isWholeService || isSetUp(table))) continue
        expect({ [kind.name]: known }).toEqual({ [kind.name]: data })
      }
    }
  }
}

/** No event says that an object is gone, so receivers would keep it. */
const expectNoneDeleted = (model: Map<string, Data>, name: string, rows: { programId: number; id: number }[]) => {
  const stored = new Set(rows.map(({ programId, id }) => `${name} ${programId} ${id}`))
  expect([...model.keys()].filter((key) => key.startsWith(`${name} `) && !stored.has(key))).toEqual([])
}

/** A lead is published once, when it settles. */
const expectEveryLead = async (db: Database) => {
  const { rows } = await sql`
    SELECT program_id, id FROM leads WHERE state = 'settled'
    EXCEPT ALL SELECT program_id, (data->>'id')::bigint FROM outbox_events WHERE type = 'lead.created'`.execute(db)
  const { rows: others } = await sql`
    SELECT program_id, (data->>'id')::bigint FROM outbox_events WHERE type = 'lead.created'
    EXCEPT ALL SELECT program_id, id FROM leads WHERE state = 'settled'`.execute(db)
  expect([rows, others]).toEqual([[], []])
}
