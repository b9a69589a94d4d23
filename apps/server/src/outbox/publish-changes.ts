import type { PublishedEventData, PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import { beforeCommit, type Tx, type Writer } from '../database/transaction.ts'
import { isTransientError } from '../database/transient-errors.ts'
import { type NewEvent, publish } from './events.ts'

/** A kind of object whose changes are published. */
export type PublishedKind<Type extends PublishedEventType = PublishedEventType> = {
  name: 'partner' | 'link' | 'code' | 'sale' | 'commission' | 'payout'
  /** Events of one transaction are published in the order of their ranks. */
  rank: number
  /** Runs before the objects are first read, unless every writer holds a lock that serializes their changes. */
  lock?: (tx: Tx, programId: number, ids: number[]) => Promise<unknown>
  /** The objects as events show them. Called with at most `MAX_READ` IDs. */
  read: (tx: Tx, programId: number, ids: number[]) => Promise<PublishedEventData[Type][]>
  /** The event types for a change; `before` is null for a new object. */
  typesOf: (
    before: PublishedEventData[Type] | null,
    after: PublishedEventData[Type],
    changed: Set<string>,
  ) => PublishedEventType[]
  /** Runs before the objects are read for their events. */
  settle?: (tx: Tx, programId: number, ids: number[], at: Date) => Promise<void>
}

type KindName = PublishedKind['name']
const kinds = new Map<KindName, PublishedKind>()

/** Registers a kind under its name, because modules that do not import each other write to tables of one object. */
export const definePublished = <Type extends PublishedEventType>(kind: PublishedKind<Type>) => {
  kinds.set(kind.name, kind as unknown as PublishedKind)
  return kind
}

const findKind = (name: KindName) => {
  const kind = kinds.get(name)
  if (!kind) throw new Error(`the module that publishes each ${name} is not loaded`)
  return kind
}

type Data = { id: number } & Record<string, unknown>
type Group = { kind: PublishedKind; programId: number; before: Map<number, Data | null>; at: Date }

const groups = new WeakMap<Tx, Map<string, Group>>()

type Scope = { programId: number; at: Date }

/**
 * What happens to these objects until the end of the transaction is published, as one change each. Only with the result can
 * their tables be written. The caller holds the lock that serializes changes to the objects.
 */
export const changing = async (
  tx: Tx,
  name: KindName,
  { ids, ...scope }: Scope & { ids: number[] },
): Promise<Writer> => {
  const { kind, before } = groupOf(tx, name, scope)
  const { programId } = scope
  for (const unknown of inParts(ids.filter((id) => !before.has(id)))) {
    await kind.lock?.(tx, programId, unknown)
    for (const one of (await kind.read(tx, programId, unknown)) as Data[])
      if (!before.has(one.id)) before.set(one.id, one)
  }
  return tx
}

/** Publishes the object that `insert` creates. Undefined if it creates none. */
export const creating = async <Row extends { id: number } | undefined>(
  tx: Tx,
  name: KindName,
  scope: Scope,
  insert: (writer: Writer) => Promise<Row>,
): Promise<Row> => {
  const row = await insert(tx)
  if (row) groupOf(tx, name, scope).before.set(row.id, null)
  return row
}

/** For writes that no event shows, and for those that the event of a new object already includes. */
export const withoutEvent = (tx: Tx): Writer => tx

/** Runs `change` in a savepoint. If it fails, its writes are undone and not published. A transient error ends the transaction. */
export const inSavepoint = async (tx: Tx, change: () => Promise<unknown>) => {
  const known = new Map([...(groups.get(tx) ?? [])].map(([key, { before }]) => [key, new Set(before.keys())]))
  await sql`SAVEPOINT change`.execute(tx)
  try {
    await change()
  } catch (error) {
    if (isTransientError(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT change`.execute(tx)
    await sql`RELEASE SAVEPOINT change`.execute(tx)
    for (const [key, { before }] of groups.get(tx) ?? [])
      for (const id of before.keys()) if (!known.get(key)?.has(id)) before.delete(id)
    throw error
  }
  await sql`RELEASE SAVEPOINT change`.execute(tx)
}

const groupOf = (tx: Tx, name: KindName, { programId, at }: Scope) => {
  let ofTransaction = groups.get(tx)
  if (!ofTransaction) {
    const created = new Map<string, Group>()
    ofTransaction = created
    groups.set(tx, created)
    beforeCommit(tx, () => publishChanges(tx, [...created.values()]))
  }
  const key = `${name} ${programId}`
  const group = ofTransaction.get(key) ?? { kind: findKind(name), programId, before: new Map(), at }
  ofTransaction.set(key, group)
  return group
}

const publishChanges = async (tx: Tx, changed: Group[]) => {
  const events: NewEvent[] = []
  for (const group of changed.toSorted((a, b) => a.kind.rank - b.kind.rank)) events.push(...(await eventsOf(tx, group)))
  await publish(tx, events)
}

/** Objects that one statement reads. */
const MAX_READ = 1_000

const inParts = (ids: number[]) =>
  Array.from({ length: Math.ceil(ids.length / MAX_READ) }, (_, part) =>
    ids.slice(part * MAX_READ, (part + 1) * MAX_READ),
  )

const eventsOf = async (tx: Tx, { kind, programId, before, at }: Group): Promise<NewEvent[]> => {
  const ids = [...before.keys()].toSorted((a, b) => a - b)
  const events: NewEvent[] = []
  for (const some of inParts(ids)) {
    await kind.settle?.(tx, programId, some, at)
    // A kind can also return related objects, such as merged sales. Each is published with its own part.
    const own = new Set(some)
    const found = ((await kind.read(tx, programId, some)) as Data[]).filter(({ id }) => own.has(id))
    refuseDeleted(kind, { some, found, before })
    for (const after of found.toSorted((a, b) => a.id - b.id)) {
      const known = before.get(after.id) ?? null
      const changes = known && changesBetween(known, after)
      if (changes && Object.keys(changes).length === 0) continue
      const types = kind.typesOf(known as never, after as never, new Set(Object.keys(changes ?? {})))
      for (const type of types) events.push({ programId, type, at, data: after as never, changes })
    }
  }
  return events
}

/** No event says that an object is gone, so receivers would keep it. A new one has not been published yet. */
const refuseDeleted = (
  { name }: PublishedKind,
  { some, found, before }: { some: number[]; found: Data[]; before: Group['before'] },
) => {
  const left = new Set(found.map(({ id }) => id))
  const deleted = some.find((id) => !left.has(id) && before.get(id))
  if (deleted !== undefined) throw new Error(`${name} ${deleted} was deleted, which no event can say`)
}

/** The fields that differ. Values are JSON. */
const changesBetween = (before: Data, after: Data): Record<string, [unknown, unknown]> =>
  Object.fromEntries(
    Object.keys(after)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, [before[field] ?? null, after[field] ?? null]]),
  )
