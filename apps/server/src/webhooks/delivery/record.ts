import { type RawBuilder, sql } from 'kysely'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { notify } from '../../notifications/notify.ts'
import { announceChanged } from '../announce-due.ts'
import type { AttemptError } from './attempt-errors.ts'
import type { Claimed, Lane } from './claim.ts'
import { DISABLE_AFTER_MS, GONE, isSuccess, WARN_AFTER_MS } from './schedule.ts'

export type Attempt = {
  delivery: Pick<Claimed, 'programId' | 'endpointId' | 'id' | 'lease' | 'eventId' | 'customerKey'>
  at: Date
  durationMs: number
  url: string
  signature: string
  status: number | null
  error: AttemptError | null
  response: string | null
  /** Until the next attempt; null if there is none. */
  pauseMs: number | null
}

/**
 * Results of attempts, in one transaction. A result is dropped if its lease was lost: another worker has taken over the delivery, or the
 * endpoint was enabled again. It counts for the endpoint's health only if the endpoint has not moved since.
 */
export const recordAttempts = (db: Database, attempts: Attempt[], now: RawBuilder<Date>) =>
  inTransaction(db, async (tx) => {
    const locked = await lockLanes(tx, summarize(attempts.map(toResult)), now)
    const recorded = await writeResults(tx, await withoutErased(tx, attempts), now)
    const lanes = summarize(recorded).filter((lane) => locked.has(keyOf(lane)))
    if (lanes.length === 0) return
    await updateHealth(tx, lanes, now)
    // A 410 counts even if another delivery of the same batch succeeded.
    const failed = lanes.filter(({ delivered, gone }) => !delivered || gone)
    if (failed.length > 0) await checkFailing(tx, failed, now)
  })

/**
 * Locks the endpoints whose health may change, before their deliveries, like a claim and like a member who enables one. A busy endpoint
 * without failures is locked only now and then.
 */
const lockLanes = async (tx: Tx, lanes: LaneResult[], now: RawBuilder<Date>) => {
  const { rows } = await sql<Lane>`
    SELECT endpoint.program_id, endpoint.id AS endpoint_id
    FROM webhook_endpoints endpoint JOIN ${lanesOf(lanes)}
      ON (endpoint.program_id, endpoint.id) = (lane.program_id, lane.endpoint_id)
    WHERE lane.failed OR ${isNewSuccess(now)}
    ORDER BY endpoint.program_id, endpoint.id
    FOR NO KEY UPDATE OF endpoint`.execute(tx)
  return new Set(rows.map(keyOf))
}

/**
 * Leaves out the responses to events about a customer who was erased since the claim: many receivers echo the request. The lock makes an
 * erasure wait that comes later; it removes what is stored here (forget-responses.ts).
 */
const withoutErased = async (tx: Tx, attempts: Attempt[]): Promise<Attempt[]> => {
  const deliveries = attempts
    .filter(({ delivery, response }) => delivery.customerKey !== null && response !== null)
    .map(({ delivery }) => delivery)
  if (deliveries.length === 0) return attempts
  const { rows } = await sql<{ programId: number; eventId: number; customerKey: string | null }>`
    SELECT program_id, id AS event_id, customer_key FROM outbox_events
    WHERE (program_id, id) IN (SELECT * FROM unnest(
      ${deliveries.map(({ programId }) => programId)}::integer[], ${deliveries.map(({ eventId }) => eventId)}::bigint[]))
    ORDER BY program_id, id FOR SHARE`.execute(tx)
  const keys = new Map(rows.map(({ programId, eventId, customerKey }) => [`${programId} ${eventId}`, customerKey]))
  return attempts.map((attempt) => {
    const { programId, eventId, customerKey } = attempt.delivery
    const isErased = customerKey !== null && keys.get(`${programId} ${eventId}`) !== customerKey
    return isErased ? { ...attempt, response: null } : attempt
  })
}

/** A failure at an address that the endpoint has left says nothing about the new one: the delivery starts again there. */
const writeResults = async (tx: Tx, attempts: Attempt[], now: RawBuilder<Date>) => {
  const column = <Value>(read: (attempt: Attempt) => Value, type: string) =>
    sql`${attempts.map(read)}::${sql.raw(type)}[]`
  const { rows } = await sql<Result>`
    WITH result AS MATERIALIZED (
      SELECT result.*, endpoint.url <> result.url AS has_moved FROM unnest(
        ${column(({ delivery }) => delivery.programId, 'integer')}, ${column(({ delivery }) => delivery.endpointId, 'integer')},
        ${column(({ delivery }) => delivery.id, 'bigint')},
        ${column(({ delivery }) => delivery.lease, 'uuid')}, ${column(({ at }) => at, 'timestamptz')},
        ${column(({ durationMs }) => durationMs, 'integer')}, ${column(({ url }) => url, 'text')},
        ${column(({ signature }) => signature, 'text')}, ${column(({ status }) => status, 'integer')},
        ${column(({ error }) => error, 'text')}, ${column(({ response }) => response, 'text')},
        ${column(({ pauseMs }) => pauseMs, 'bigint')}, ${column(({ status }) => isSuccess(status), 'boolean')})
        AS result (program_id, endpoint_id, id, lease, attempted_at, duration_ms, url, signature, status, error, response, pause_ms, delivered)
      JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (result.program_id, result.endpoint_id)),
    recorded AS (
      UPDATE webhook_deliveries delivery SET
        lease = NULL, attempts = delivery.attempts + 1,
        tries = CASE WHEN result.has_moved THEN 0 ELSE delivery.tries + 1 END,
        last_status = result.status, last_error = result.error,
        state = CASE WHEN result.delivered THEN 'delivered'
          WHEN result.pause_ms IS NULL AND NOT result.has_moved THEN 'failed' ELSE 'pending' END,
        next_attempt_at = CASE WHEN result.delivered THEN NULL WHEN result.has_moved THEN ${now}
          ELSE ${now} + result.pause_ms * interval '1 millisecond' END,
        delivered_at = CASE WHEN result.delivered THEN ${now} ELSE delivery.delivered_at END
      FROM result
      WHERE (delivery.program_id, delivery.id, delivery.lease) = (result.program_id, result.id, result.lease)
      RETURNING delivery.program_id, delivery.id, delivery.attempts),
    stored AS (
      INSERT INTO webhook_attempts (program_id, delivery_id, number, attempted_at, duration_ms, url, signature, status, error, response)
      SELECT recorded.program_id, recorded.id, recorded.attempts, result.attempted_at, result.duration_ms, result.url, result.signature,
        result.status, result.error, result.response
      FROM recorded JOIN result USING (program_id, id))
    SELECT result.program_id, result.endpoint_id, result.status FROM recorded JOIN result USING (program_id, id)
    WHERE NOT result.has_moved`.execute(tx)
  return rows
}

type Result = Lane & { status: number | null }
type LaneResult = Lane & { delivered: boolean; failed: boolean; gone: boolean }

const keyOf = ({ programId, endpointId }: Lane) => `${programId} ${endpointId}`

const toResult = ({ delivery: { programId, endpointId }, status }: Attempt): Result => ({
  programId,
  endpointId,
  status,
})

const summarize = (results: Result[]): LaneResult[] =>
  [...Map.groupBy(results, keyOf).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { programId, endpointId } = first
    const delivered = own.some(({ status }) => isSuccess(status))
    const failed = own.some(({ status }) => !isSuccess(status))
    return { programId, endpointId, delivered, failed, gone: own.some(({ status }) => status === GONE) }
  })

const lanesOf = (lanes: LaneResult[]) => sql`unnest(${lanes.map(({ programId }) => programId)}::integer[],
  ${lanes.map(({ endpointId }) => endpointId)}::integer[], ${lanes.map(({ delivered }) => delivered)}::boolean[],
  ${lanes.map(({ failed }) => failed)}::boolean[], ${lanes.map(({ gone }) => gone)}::boolean[])
  AS lane (program_id, endpoint_id, delivered, failed, gone)`

const isNewSuccess = (now: RawBuilder<Date>) => sql`(endpoint.failing_since IS NOT NULL
  OR endpoint.last_delivered_at IS NULL OR endpoint.last_delivered_at < ${now} - interval '10 seconds')`

/** Writes only what changes: a busy endpoint's row would otherwise be rewritten, and locked, many times a second. */
const updateHealth = async (tx: Tx, lanes: LaneResult[], now: RawBuilder<Date>) => {
  await sql`
    UPDATE webhook_endpoints endpoint SET
      failing_since = CASE WHEN NOT lane.delivered THEN coalesce(endpoint.failing_since, ${now}) END,
      last_delivered_at = CASE WHEN lane.delivered THEN ${now} ELSE endpoint.last_delivered_at END
    FROM ${lanesOf(lanes)}
    WHERE (endpoint.program_id, endpoint.id) = (lane.program_id, lane.endpoint_id)
      AND CASE WHEN lane.delivered THEN ${isNewSuccess(now)} ELSE endpoint.failing_since IS NULL END`.execute(tx)
}

type Failing = Lane & { url: string; failingSince: Date; gone: boolean; failingMs: number; at: Date }

/** Warns the team about an endpoint that has failed for days, and disables it when it is gone or has failed for too long. */
const checkFailing = async (tx: Tx, lanes: LaneResult[], now: RawBuilder<Date>) => {
  const { rows } = await sql<Failing>`
    SELECT endpoint.program_id, endpoint.id AS endpoint_id, endpoint.url, lane.gone, ${now} AS at,
      coalesce(endpoint.failing_since, ${now}) AS failing_since,
      (extract(epoch FROM ${now} - endpoint.failing_since) * 1000)::bigint AS failing_ms
    FROM webhook_endpoints endpoint JOIN ${lanesOf(lanes)}
      ON (endpoint.program_id, endpoint.id) = (lane.program_id, lane.endpoint_id)
    WHERE endpoint.enabled
      AND (lane.gone OR endpoint.failing_since <= ${now} - make_interval(secs => ${WARN_AFTER_MS / 1000}))
    FOR NO KEY UPDATE OF endpoint`.execute(tx)
  for (const row of rows) {
    if (row.gone) await disable(tx, row, 'gone')
    else if (row.failingMs >= DISABLE_AFTER_MS) await disable(tx, row, 'failing')
    else await announce(tx, row, 'webhook_failing')
  }
}

const disable = async (tx: Tx, row: Failing, reason: 'gone' | 'failing') => {
  const { programId, endpointId, at } = row
  await tx
    .updateTable('webhookEndpoints')
    .set({ enabled: false, disabledReason: reason, disabledAt: at })
    .where('programId', '=', programId)
    .where('id', '=', endpointId)
    .execute()
  await announceChanged(tx, { programId, id: endpointId })
  await recordAudit(tx, {
    programId,
    userId: null,
    action: 'webhook endpoint disabled',
    subject: `webhook endpoint ${endpointId}`,
    at,
    before: { enabled: true },
    after: { enabled: false, disabledReason: reason },
  })
  await announce(tx, row, 'webhook_disabled', reason)
}

/** Once per series of failures. The path is left out: it often contains a token. */
const announce = async (
  tx: Tx,
  { programId, endpointId, url, failingSince, at }: Failing,
  kind: 'webhook_failing' | 'webhook_disabled',
  reason: 'gone' | 'failing' = 'failing',
) => {
  const details = { endpointId, host: new URL(url).host, since: failingSince.toISOString(), reason }
  const subject = `webhook endpoint ${endpointId} since ${details.since}`
  await notify(tx, { programId, kind, subject, details, at })
}
