import {
  type DeliveryState,
  MAX_RESENT_DELIVERIES,
  WEBHOOK_RETENTION_DAYS,
  type WebhookDeliveriesQuery,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  type WebhookFormat,
} from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { pageOf } from '../database/sql/pages.ts'
import { directionOf } from '../database/sql/sorting.ts'
import type { Tx } from '../database/transaction.ts'
import { eventIdOf } from '../outbox/events.ts'
import { toPublishedEvent } from '../outbox/read-events.ts'
import { announceDue } from './announce-due.ts'
import { bodyOf } from './body/body.ts'
import { explainAttempt } from './delivery/attempt-errors.ts'
import { webhookIdOf } from './delivery/send.ts'
import { purgeEndpoints } from './endpoints.ts'
import { requestHeaders } from './sending/sign.ts'
import { dueFrom } from './time.ts'

/** The address is a subquery, because a count of the rows then needs no join. */
const deliveriesOf = (db: Database | Tx, programId: number) =>
  db
    .selectFrom('webhookDeliveries')
    .select([
      'programId',
      'id',
      'endpointId',
      'eventId',
      'type',
      'sequence',
      'state',
      'attempts',
      'lastStatus',
      'lastError',
      'nextAttemptAt',
      'createdAt',
      'deliveredAt',
      'messageId',
    ])
    .select((e) =>
      e
        .selectFrom('webhookEndpoints')
        .select('url')
        .whereRef('webhookEndpoints.programId', '=', 'webhookDeliveries.programId')
        .whereRef('webhookEndpoints.id', '=', 'webhookDeliveries.endpointId')
        .$asScalar()
        .$notNull()
        .as('endpointUrl'),
    )
    .select((e) =>
      e
        .selectFrom('webhookEndpoints')
        .select('enabled')
        .whereRef('webhookEndpoints.programId', '=', 'webhookDeliveries.programId')
        .whereRef('webhookEndpoints.id', '=', 'webhookDeliveries.endpointId')
        .$asScalar()
        .$notNull()
        .as('isEnabled'),
    )
    .where('programId', '=', programId)

type Row = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['executeTakeFirstOrThrow']>>

const toDelivery = ({ programId, messageId: _, isEnabled, ...row }: Row): WebhookDelivery => ({
  ...row,
  eventId: eventIdOf({ programId, id: row.eventId }),
  state: row.state as DeliveryState,
  lastError: explainAttempt({ status: row.lastStatus, error: row.lastError }),
  nextAttemptAt: isEnabled ? (row.nextAttemptAt?.toISOString() ?? null) : null,
  createdAt: row.createdAt.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString() ?? null,
})

export const listDeliveries = async (
  db: Database,
  { programId, endpointId, state, type, sort, ...page }: WebhookDeliveriesQuery & { programId: number },
) => {
  const { rows, total } = await pageOf(
    deliveriesOf(db, programId)
      .$if(endpointId !== undefined, (query) => query.where('endpointId', '=', endpointId as number))
      .$if(state !== undefined, (query) => query.where('state', '=', state as string))
      .$if(type !== undefined, (query) => query.where('type', '=', type as string))
      .orderBy('id', directionOf(sort)),
    page,
  )
  return { rows: rows.map(toDelivery), total }
}

type Key = { programId: number; id: number }

export const findDelivery = async (db: Database | Tx, { programId, id }: Key) => {
  const row = await deliveriesOf(db, programId).where('id', '=', id).executeTakeFirst()
  return row && toDelivery(row)
}

/** A delivery with its request and every attempt. */
export const findDeliveryDetail = async (
  db: Database,
  { programId, id }: Key,
): Promise<WebhookDeliveryDetail | null> => {
  const row = await deliveriesOf(db, programId).where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const webhookId = webhookIdOf(row.messageId)
  return {
    ...toDelivery(row),
    webhookId,
    body: await findBody(db, { programId, id }),
    attemptList: await findAttempts(db, { programId, id, webhookId }),
  }
}

type Content = Parameters<typeof toPublishedEvent>[1] & {
  customer: Record<string, unknown> | null
  format: WebhookFormat
  programName: string
  partnerName: string | null
}

const findBody = async (db: Database, { programId, id }: Key) => {
  const { rows } = await sql<Content>`
    SELECT event.id, event.sequence, event.type, event.occurred_at, event.data, event.changes,
      CASE WHEN endpoint.include_customer_data THEN event.customer END AS customer, endpoint.format, program.name AS program_name, (
        SELECT partner.name FROM partners partner
        WHERE partner.program_id = event.program_id AND partner.id::text = event.data ->> 'partnerId') AS partner_name
    FROM webhook_deliveries delivery
    JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (delivery.program_id, delivery.endpoint_id)
    JOIN outbox_events event ON (event.program_id, event.id) = (delivery.program_id, delivery.event_id)
    JOIN programs program ON program.id = delivery.program_id
    WHERE delivery.program_id = ${programId} AND delivery.id = ${id}`.execute(db)
  const [content] = rows
  return content ? bodyOf({ ...content, event: toPublishedEvent(programId, content) }) : null
}

const findAttempts = async (db: Database, { programId, id, webhookId }: Key & { webhookId: string }) => {
  const rows = await db
    .selectFrom('webhookAttempts')
    .select(['number', 'attemptedAt', 'durationMs', 'url', 'signature', 'status', 'error', 'response'])
    .where('programId', '=', programId)
    .where('deliveryId', '=', id)
    .orderBy('number', 'desc')
    .limit(MAX_ATTEMPTS)
    .execute()
  return rows.map(({ attemptedAt, signature, ...row }) => ({
    ...row,
    at: attemptedAt.toISOString(),
    headers: requestHeaders({ id: webhookId, at: attemptedAt, signature }),
    error: explainAttempt(row),
  }))
}

/** More only if someone sends a delivery again very often. */
const MAX_ATTEMPTS = 100

/** Sends a delivery now, with all retries. A delivery in flight is skipped. */
export const resendDelivery = async (tx: Tx, { programId, id, at }: Key & { at: Date }) => {
  await sql`
    UPDATE webhook_deliveries SET state = 'pending', tries = 0, next_attempt_at = ${dueFrom(at)}, lease = NULL
    WHERE program_id = ${programId} AND id = ${id} AND (lease IS NULL OR next_attempt_at <= ${dueFrom(at)})`.execute(tx)
  await announceDue(tx)
}

type Resend = { programId: number; endpointId?: number | undefined; since: Date; at: Date }

/** SQL fragment: abandoned, or waiting for a retry. Deliveries that are due or being sent are left alone. */
const hasFailed = (at: Date) => sql`(delivery.state = 'failed'
  OR (delivery.state = 'pending' AND delivery.attempts > 0 AND delivery.lease IS NULL AND delivery.next_attempt_at > ${dueFrom(at)}))`

/** Sends deliveries that have failed to enabled endpoints again, oldest first. Counts those that disabled endpoints keep back. */
export const resendFailed = async (tx: Tx, { programId, endpointId, since, at }: Resend) => {
  const failed = sql`
    SELECT delivery.id FROM webhook_deliveries delivery
    JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (delivery.program_id, delivery.endpoint_id)
    WHERE delivery.program_id = ${programId} AND ${hasFailed(at)} AND delivery.created_at >= ${since}
      AND endpoint.deleted_at IS NULL AND (${endpointId ?? null}::integer IS NULL OR endpoint.id = ${endpointId ?? null}::integer)`
  // In the order of a claim, so that the two never wait for each other's rows.
  await sql`
    SELECT FROM webhook_endpoints WHERE program_id = ${programId} AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    UPDATE webhook_deliveries SET state = 'pending', tries = 0, next_attempt_at = ${dueFrom(at)}
    WHERE program_id = ${programId} AND id IN (
      ${failed} AND endpoint.enabled
      ORDER BY delivery.id LIMIT ${sql.lit(MAX_RESENT_DELIVERIES)} FOR UPDATE OF delivery)
    RETURNING id`.execute(tx)
  if (rows.length > 0) await announceDue(tx)
  const { rows: kept } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (${failed} AND NOT endpoint.enabled LIMIT ${sql.lit(MAX_RESENT_DELIVERIES)}) kept`.execute(
    tx,
  )
  const disabled = kept[0]?.count ?? 0
  return { resent: rows.length, hasMore: rows.length === MAX_RESENT_DELIVERIES, ...(disabled > 0 && { disabled }) }
}

const RETRY_BATCH = 10_000

type Pending = { programId: number; endpointId: number; at: Date }

/**
 * Deliveries in flight when the endpoint was disabled are sent again: a late 410 must not disable it once more. A delivery that is locked here
 * has succeeded: other results are recorded under the endpoint's lock.
 */
const endLeases = (tx: Tx, { programId, endpointId, at }: Pending) =>
  sql`
    UPDATE webhook_deliveries SET lease = NULL, next_attempt_at = ${dueFrom(at)}
    WHERE program_id = ${programId} AND id IN (
      SELECT id FROM webhook_deliveries WHERE program_id = ${programId} AND endpoint_id = ${endpointId} AND lease IS NOT NULL
      FOR UPDATE SKIP LOCKED)`.execute(tx)

/** Sends pending deliveries now, with all retries: the endpoint was enabled again. In batches, to stay below the statement timeout. */
export const retryPending = async (tx: Tx, { programId, endpointId, at }: Pending) => {
  await endLeases(tx, { programId, endpointId, at })
  for (;;) {
    const { numAffectedRows } = await sql`
      UPDATE webhook_deliveries SET tries = 0, next_attempt_at = ${dueFrom(at)}
      WHERE program_id = ${programId} AND id IN (
        SELECT delivery.id FROM webhook_deliveries delivery
        WHERE delivery.program_id = ${programId} AND delivery.endpoint_id = ${endpointId} AND delivery.state = 'pending'
          AND delivery.next_attempt_at > ${dueFrom(at)} AND delivery.lease IS NULL
        LIMIT ${sql.lit(RETRY_BATCH)} FOR UPDATE)`.execute(tx)
    if (Number(numAffectedRows ?? 0) < RETRY_BATCH) break
  }
  await announceDue(tx)
}

const PURGE_BATCH = 5_000

/**
 * In small batches, to stay below the statement timeout. What an enabled endpoint still waits for is kept, however old it seems. A deleted
 * endpoint goes with its last delivery.
 */
export const purgeDeliveries = async (db: Database, at: Date) => {
  const before = new Date(at.getTime() - WEBHOOK_RETENTION_DAYS * 86_400_000)
  for (;;) {
    const { numAffectedRows } = await sql`
      DELETE FROM webhook_deliveries WHERE (program_id, id) IN (
        SELECT delivery.program_id, delivery.id FROM webhook_deliveries delivery
        JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (delivery.program_id, delivery.endpoint_id)
        WHERE delivery.created_at < ${before} AND NOT (delivery.state = 'pending' AND endpoint.enabled)
        ORDER BY delivery.created_at LIMIT ${sql.lit(PURGE_BATCH)} FOR UPDATE OF delivery SKIP LOCKED)`.execute(db)
    if (Number(numAffectedRows ?? 0) < PURGE_BATCH) break
  }
  await purgeEndpoints(db)
}

/** The first event that an enabled endpoint still waits for. */
export const findFirstPending = async (tx: Tx, programId: number) => {
  const { rows } = await sql<{ sequence: number | null }>`
    SELECT min(first.sequence) AS sequence FROM webhook_endpoints endpoint CROSS JOIN LATERAL (
      SELECT sequence FROM webhook_deliveries delivery
      WHERE (delivery.program_id, delivery.endpoint_id) = (endpoint.program_id, endpoint.id) AND delivery.state = 'pending'
      ORDER BY sequence LIMIT 1) first
    WHERE endpoint.program_id = ${programId} AND endpoint.enabled`.execute(tx)
  return rows[0]?.sequence ?? null
}

/** How many deliveries wait or are retried, counted up to a million. Those of a disabled endpoint wait for its owner, not for us. */
export const countPending = async (db: Database) => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM webhook_deliveries delivery
      JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (delivery.program_id, delivery.endpoint_id)
      WHERE delivery.state = 'pending' AND endpoint.enabled LIMIT 1000000) pending`.execute(db)
  return rows[0]?.count ?? 0
}
