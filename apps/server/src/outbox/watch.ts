import type { PublishedEventData, PublishedEventType } from '@tributary/contract'
import { beforeCommit, type Tx } from '../database/transaction.ts'
import { type NewEvent, publish } from './events.ts'

/** A kind of object whose changes are published. */
export type Watched<Type extends PublishedEventType = PublishedEventType> = {
  name: string
  /** Events of one transaction are published in the order of their ranks. */
  rank: number
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

type Data = { id: number } & Record<string, unknown>
type Group = { kind: Watched; programId: number; before: Map<number, Data | null>; at: Date }

const groups = new WeakMap<Tx, Map<string, Group>>()

type Scope = { programId: number; ids: number[]; at: Date; isNew?: boolean }

/**
 * Publishes what happens to these objects until the end of the transaction, as one change each. Call it before the first write,
 * with the lock that serializes changes to the objects.
 */
export const watch = async <Type extends PublishedEventType>(
  tx: Tx,
  kind: Watched<Type>,
  { programId, ids, at, isNew = false }: Scope,
) => {
  const group = groupOf(tx, kind as unknown as Watched, programId, at)
  const unknown = ids.filter((id) => !group.before.has(id))
  if (isNew) for (const id of unknown) group.before.set(id, null)
  else
    for (const ids of inParts(unknown))
      for (const one of (await kind.read(tx, programId, ids)) as Data[])
        if (!group.before.has(one.id)) group.before.set(one.id, one)
}

const groupOf = (tx: Tx, kind: Watched, programId: number, at: Date) => {
  let ofTransaction = groups.get(tx)
  if (!ofTransaction) {
    const created = new Map<string, Group>()
    ofTransaction = created
    groups.set(tx, created)
    beforeCommit(tx, () => publishChanges(tx, [...created.values()]))
  }
  const name = `${kind.name} ${programId}`
  const group = ofTransaction.get(name) ?? { kind, programId, before: new Map(), at }
  ofTransaction.set(name, group)
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

/** The fields that differ. Values are JSON. */
const changesBetween = (before: Data, after: Data): Record<string, [unknown, unknown]> =>
  Object.fromEntries(
    Object.keys(after)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, [before[field] ?? null, after[field] ?? null]]),
  )
