import type { PublishedEventData } from '@tributary/contract'
import DataLoader from 'dataloader'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import { publish } from '../outbox/events.ts'
import { lockProgram } from './programs.ts'

/** Each program has at most one connection to each processor. */
export type ConnectionKey = { programId: number; processor: string }

const NOT_CONNECTED = {
  processor: null,
  status: 'not_connected',
  accountId: null,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  connectedAt: null,
}

/** The best connection of a program that has several: one that works, then the one that was connected first. */
export const findProcessorConnection = async (db: Database | Tx, programId: number) =>
  (await db
    .selectFrom('processorConnections')
    .select(['processor', 'status', 'accountId', 'chargesEnabled', 'payoutsEnabled', 'detailsSubmitted', 'connectedAt'])
    .where('programId', '=', programId)
    .orderBy(sql`array_position(ARRAY['connected', 'restricted', 'pending', 'disconnected'], status)`)
    .orderBy('connectedAt')
    .orderBy('processor')
    .limit(1)
    .executeTakeFirst()) ?? NOT_CONNECTED

/** The whole row, including sealed secrets: never return it to a caller. */
export const findConnectionRow = (db: Database | Tx, { programId, processor }: ConnectionKey) =>
  db
    .selectFrom('processorConnections')
    .selectAll()
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .executeTakeFirst()

/** All of a program's connections; with sealed secrets, like `findConnectionRow`. */
export const listConnectionRows = (db: Database | Tx, programId: number) =>
  db.selectFrom('processorConnections').selectAll().where('programId', '=', programId).execute()

/** Concurrent calls in one turn of the event loop share one lookup. Nothing is cached. */
export const connectionLoader = (db: Database) =>
  new DataLoader<ConnectionKey, ConnectionRow | undefined, string>(
    async (keys) => {
      const rows = await db
        .selectFrom('processorConnections')
        .selectAll()
        .where('programId', '=', anyOf([...new Set(keys.map(({ programId }) => programId))]))
        .execute()
      const byKey = new Map(rows.map((row) => [nameOf(row), row]))
      return keys.map((key) => byKey.get(nameOf(key)))
    },
    { cache: false, batchScheduleFn: setImmediate },
  )

const nameOf = ({ programId, processor }: ConnectionKey) => `${programId} ${processor}`

export type ConnectionRow = NonNullable<Awaited<ReturnType<typeof findConnectionRow>>>

/** Serializes changes to a program's connection, even before its row exists. */
export const lockConnection = async (tx: Tx, key: ConnectionKey) => {
  await lockProgram(tx, key.programId)
  return findConnectionRow(tx, key)
}

type Settings = Partial<Omit<ConnectionRow, keyof ConnectionKey | 'status'>> & { status: string }

const EMPTY_CONNECTION = {
  accountId: null,
  livemode: null,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  connectedAt: null,
  flagsAt: null,
  secret: null,
  secretSetAt: null,
  secretConfirmedAt: null,
  previousSecret: null,
  previousSecretUntil: null,
  nextSecret: null,
  apiKey: null,
  endpointId: null,
  endpointEvents: null,
}

/** Replaces any previous connection. */
export const createConnection = async (
  tx: Tx,
  { programId, processor }: ConnectionKey,
  settings: Settings,
  at: Date,
) => {
  const row = { ...EMPTY_CONNECTION, kind: 'own', ...settings }
  await tx
    .insertInto('processorConnections')
    .values({ programId, processor, ...row })
    .onConflict((conflict) => conflict.columns(['programId', 'processor']).doUpdateSet(row))
    .execute()
  if (row.status !== 'pending')
    await publishConnection(tx, { programId, processor }, { type: 'processor.connected', at })
}

type Change = { type: 'processor.connected' | 'processor.disconnected'; at: Date }

const publishConnection = async (tx: Tx, key: ConnectionKey, { type, at }: Change) => {
  const { programId } = key
  const row = await findConnectionRow(tx, key)
  if (!row) throw new Error('The connection to publish does not exist')
  const { kind, status, accountId, chargesEnabled, payoutsEnabled, detailsSubmitted } = row
  const data = { processor: key.processor, status, kind, accountId, chargesEnabled, payoutsEnabled, detailsSubmitted }
  await publish(tx, [{ programId, type, at, data: data as PublishedEventData[typeof type] }])
}

export const changeConnection = async (tx: Tx, { programId, processor }: ConnectionKey, change: Partial<Settings>) => {
  await tx
    .updateTable('processorConnections')
    .set(change)
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .execute()
}

/** The first correctly signed event connects, unless the connection was ended in the meantime. */
export const markConnected = async (tx: Tx, { programId, processor }: ConnectionKey, at: Date) => {
  const { numUpdatedRows } = await tx
    .updateTable('processorConnections')
    .set({ status: 'connected', connectedAt: at })
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await publishConnection(tx, { programId, processor }, { type: 'processor.connected', at })
}

/** Stores the account that an event names, if none is known yet. */
export const recordAccount = async (tx: Tx, { programId, processor }: ConnectionKey, accountId: string) => {
  await tx
    .updateTable('processorConnections')
    .set({ accountId })
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .where('accountId', 'is', null)
    .where('status', '!=', 'disconnected')
    .execute()
}

/** Retires the previous secret once the new one has been used, unless it was replaced in the meantime. */
export const confirmSecret = async (
  tx: Tx,
  { programId, processor }: ConnectionKey,
  { secret, at }: { secret: Uint8Array; at: Date },
) => {
  await tx
    .updateTable('processorConnections')
    .set({ secretConfirmedAt: at, previousSecret: null, previousSecretUntil: null })
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .where('secret', '=', secret)
    .execute()
}

/** The first event signed with the next secret makes it the current one, unless it was replaced in the meantime. */
export const promoteNextSecret = async (
  tx: Tx,
  { programId, processor }: ConnectionKey,
  { nextSecret, at }: { nextSecret: Uint8Array; at: Date },
) => {
  await tx
    .updateTable('processorConnections')
    .set({ secret: nextSecret, nextSecret: null, secretSetAt: at, secretConfirmedAt: at })
    .set({ previousSecret: null, previousSecretUntil: null })
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .where('nextSecret', '=', nextSecret)
    .execute()
}

/** Clears everything except the fact that there was a connection. */
export const endConnection = async (tx: Tx, key: ConnectionKey, { kind, at }: { kind: string; at: Date }) => {
  await changeConnection(tx, key, { ...EMPTY_CONNECTION, kind, status: 'disconnected' })
  await publishConnection(tx, key, { type: 'processor.disconnected', at })
}

type AccountFlagsUpdate = { chargesEnabled: boolean; payoutsEnabled: boolean; detailsSubmitted: boolean; at: Date }

/** Stores the account's capabilities; older events do not overwrite newer ones. */
export const updateAccountFlags = async (
  tx: Tx,
  processor: string,
  programIds: number[],
  { at, ...flags }: AccountFlagsUpdate,
) => {
  if (programIds.length === 0) return
  await tx
    .updateTable('processorConnections')
    .set({
      ...flags,
      flagsAt: at,
      status: sql<string>`CASE WHEN status NOT IN ('connected', 'restricted') THEN status
        WHEN ${flags.chargesEnabled} THEN 'connected' ELSE 'restricted' END`,
    })
    .where('processor', '=', processor)
    .where('programId', '=', anyOf(programIds))
    .where((expression) => expression.or([expression('flagsAt', 'is', null), expression('flagsAt', '<=', at)]))
    .execute()
}

/** A payment proves that charges are enabled and details submitted. The processor's own flags take precedence. */
export const markChargesEnabled = async (tx: Tx, processor: string, programIds: number[]) => {
  if (programIds.length === 0) return
  await tx
    .updateTable('processorConnections')
    .set({ chargesEnabled: true, detailsSubmitted: true })
    .where('processor', '=', processor)
    .where('programId', '=', anyOf(programIds))
    .where('flagsAt', 'is', null)
    .where('chargesEnabled', '=', false)
    .where('status', '!=', 'disconnected')
    .execute()
}

/** The programs connected to this account through the platform. */
export const programsOfAccount = (db: Database | Tx, accountId: string) =>
  db
    .selectFrom('processorConnections')
    .select(['programId', 'livemode', 'connectedAt'])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'platform')
    .where('status', '!=', 'disconnected')
    .orderBy('programId')
    .execute()
