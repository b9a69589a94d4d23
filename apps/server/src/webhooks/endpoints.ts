import {
  type ChangeWebhookEndpoint,
  type CreateWebhookEndpoint,
  MAX_COUNTED_PENDING,
  MAX_WEBHOOK_ENDPOINTS,
  PREVIOUS_WEBHOOK_SECRET_HOURS,
  type WebhookEndpoint,
} from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { lockProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { sealSecret } from '../sealed-secrets.ts'
import { announceChanged } from './announce-due.ts'
import { DISABLE_AFTER_MS, WARN_AFTER_MS } from './delivery/schedule.ts'
import { newSecret } from './sending/sign.ts'

const COLUMNS = [
  'id',
  'url',
  'events',
  'description',
  'includeCustomerData',
  'ordered',
  'format',
  'enabled',
  'disabledReason',
  'disabledAt',
  'createdAt',
  'secretSetAt',
  'previousSecretUntil',
  'lastDeliveredAt',
  'failingSince',
] as const

const pendingCount = sql<number>`(SELECT count(*) FROM (
  SELECT FROM webhook_deliveries delivery
  WHERE delivery.program_id = webhook_endpoints.program_id AND delivery.endpoint_id = webhook_endpoints.id
    AND delivery.state = 'pending' LIMIT ${sql.lit(MAX_COUNTED_PENDING)}) counted)`

const endpointsOf = (db: Database | Tx, programId: number) =>
  db
    .selectFrom('webhookEndpoints')
    .select(COLUMNS)
    .select(pendingCount.as('pending'))
    .where('programId', '=', programId)
    .where('deletedAt', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof endpointsOf>['executeTakeFirstOrThrow']>>
type Key = { programId: number; id: number }

export const listEndpoints = async (db: Database, { programId, at }: { programId: number; at: Date }) =>
  (await endpointsOf(db, programId).orderBy('id').execute()).map((row) => toEndpoint(row, at))

export const findEndpoint = async (db: Database | Tx, { programId, id, at }: Key & { at: Date }) => {
  const row = await endpointsOf(db, programId).where('id', '=', id).executeTakeFirst()
  return row && toEndpoint(row, at)
}

/** Endpoints that the team is warned about, and those that were disabled because of their failures. */
export const countFailingEndpoints = async (db: Database, { programId, at }: { programId: number; at: Date }) => {
  const { count } = await db
    .selectFrom('webhookEndpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('programId', '=', programId)
    .where('deletedAt', 'is', null)
    .where((is) =>
      is.or([
        is('disabledReason', 'in', ['gone', 'failing']),
        is.and([is('enabled', '=', true), is('failingSince', '<=', new Date(at.getTime() - WARN_AFTER_MS))]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Serializes changes to an endpoint, and waits for a claim of its deliveries. */
export const lockEndpoint = (tx: Tx, { programId, id }: Key) =>
  tx
    .selectFrom('webhookEndpoints')
    .select('id')
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .execute()

const time = (at: Date | null) => at?.toISOString() ?? null

const toEndpoint = (
  { previousSecretUntil, failingSince, disabledReason, format, ...row }: Row,
  at: Date,
): WebhookEndpoint => ({
  ...row,
  format: format as WebhookEndpoint['format'],
  disabledReason: disabledReason as WebhookEndpoint['disabledReason'],
  disabledAt: time(row.disabledAt),
  createdAt: row.createdAt.toISOString(),
  secretSetAt: row.secretSetAt.toISOString(),
  previousSecretValidUntil: previousSecretUntil && previousSecretUntil > at ? previousSecretUntil.toISOString() : null,
  lastDeliveredAt: time(row.lastDeliveredAt),
  failingSince: time(failingSince),
  disablesAt: row.enabled && failingSince ? time(new Date(failingSince.getTime() + DISABLE_AFTER_MS)) : null,
})

type Creation = CreateWebhookEndpoint & { programId: number; key: Buffer; at: Date }

/** The secret is returned only here. */
export const createEndpoint = async (tx: Tx, { programId, key, at, ...settings }: Creation) => {
  await lockProgram(tx, programId)
  if ((await endpointsOf(tx, programId).execute()).length >= MAX_WEBHOOK_ENDPOINTS)
    throw new Refusal(
      'conflict',
      `A program can have at most ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints. Delete one that you no longer use.`,
    )
  const secret = newSecret()
  const { id } = await tx
    .insertInto('webhookEndpoints')
    .values({
      programId,
      ...settings,
      createdAt: at,
      secretSetAt: at,
      secret: sealSecret(key, { programId, secret }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, secret }
}

const enabledFields = (enabled: boolean | undefined, at: Date) => {
  if (enabled === undefined) return {}
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledReason: 'member', disabledAt: at }
}

/** Fields that do not change are left out. An endpoint that is enabled again or has moved starts without a history of failures. */
export const changeEndpoint = async (
  tx: Tx,
  { programId, id, at, ...change }: Key & { at: Date } & ChangeWebhookEndpoint,
) => {
  const { enabled, ...settings } = change
  const isNewStart = enabled === true || change.url !== undefined
  const fields = { ...settings, ...enabledFields(enabled, at), ...(isNewStart && { failingSince: null }) }
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('webhookEndpoints').set(fields).where('programId', '=', programId).where('id', '=', id).execute()
  await announceChanged(tx, { programId, id })
}

/** The row stays as long as its deliveries, which are never sent again. */
export const deleteEndpoint = async (tx: Tx, { programId, id, at }: Key & { at: Date }) => {
  await tx
    .updateTable('webhookEndpoints')
    .set({ deletedAt: at, enabled: false, secret: null, previousSecret: null, previousSecretUntil: null })
    .set((e) => ({
      disabledReason: e.fn.coalesce('disabledReason', e.val('member')),
      disabledAt: e.fn.coalesce('disabledAt', e.val(at)),
    }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute()
  await announceChanged(tx, { programId, id })
}

/** Removes deleted endpoints without deliveries. */
export const purgeEndpoints = (db: Database) =>
  sql`
    DELETE FROM webhook_endpoints endpoint WHERE deleted_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM webhook_deliveries delivery
      WHERE (delivery.program_id, delivery.endpoint_id) = (endpoint.program_id, endpoint.id))`.execute(db)

const HOUR_MS = 3_600_000

type Rotation = { programId: number; endpoint: WebhookEndpoint; key: Buffer; at: Date }

/**
 * Both secrets sign for a while, so that the receiver can change over without losing events. A further rotation in that time
 * replaces only the new secret: the receiver may still have the previous one.
 */
export const rotateSecret = async (tx: Tx, { programId, endpoint, key, at }: Rotation) => {
  const { id, previousSecretValidUntil } = endpoint
  const secret = newSecret()
  await tx
    .updateTable('webhookEndpoints')
    .set((e) => ({
      secret: sealSecret(key, { programId, secret }),
      secretSetAt: at,
      ...(previousSecretValidUntil === null && {
        previousSecret: e.ref('secret'),
        previousSecretUntil: new Date(at.getTime() + PREVIOUS_WEBHOOK_SECRET_HOURS * HOUR_MS),
      }),
    }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute()
  await announceChanged(tx, { programId, id })
  return secret
}
