import type { PublishedEvent, PublishedEventType, WebhookFormat } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { firstDue } from '../../database/sql/first-due.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'

/** Longer than an attempt can take, including the wait for its turn. After a crash, a delivery is sent again when its lease ends. */
export const LEASE_MS = 60_000
/** Endpoints served by one claim. */
const MAX_ENDPOINTS = 50

export type Lane = { programId: number; endpointId: number }

export type Claimed = Lane & {
  id: number
  eventId: number
  messageId: string
  sequence: number
  type: PublishedEventType
  tries: number
  lease: string
  /** The event. Null if it has expired. */
  occurredAt: Date | null
  data: Record<string, unknown>
  changes: PublishedEvent['changes'] | null
  customer: Record<string, unknown> | null
  customerKey: string | null
  /** Only for messages to people. */
  partnerName: string | null
}

export type LaneSettings = Lane & {
  workspaceId: string
  url: string
  format: WebhookFormat
  ordered: boolean
  includeCustomerData: boolean
  secret: Uint8Array
  /** Null once it has ended. */
  previousSecret: Uint8Array | null
  failingSince: Date | null
  programName: string
}

type ClaimOptions = {
  lease: string
  now: RawBuilder<Date>
  /** Lanes that have enough to do. */
  full: Lane[]
  /** Deliveries that one lane may hold, in all processes. */
  mostFor: (lane: LaneSettings) => number
  /** Deliveries that this process holds of a lane, and of each workspace. */
  heldIn: (lane: Lane) => number
  heldBy: Map<string, number>
  /** Deliveries that this process can still hold. */
  free: number
}

const numbers = (values: number[]) => sql`${values}::integer[]`

const hasWork = (now: RawBuilder<Date>) => sql`endpoint.enabled AND ${firstDue} <= ${now}`

/** In random order, so that with many endpoints each gets its turn. */
const findLanes = async (db: Database, { now, full, ...limits }: ClaimOptions) => {
  const { rows } = await sql<Lane>`
    SELECT endpoint.program_id, endpoint.id AS endpoint_id FROM webhook_endpoints endpoint
    WHERE ${hasWork(now)} AND NOT EXISTS (
      SELECT FROM programs program WHERE program.id = endpoint.program_id AND program.workspace_id = ANY (${workspacesAtLimit(limits)}::text[]))
      AND NOT EXISTS (
      SELECT FROM unnest(${numbers(full.map(({ programId }) => programId))}, ${numbers(full.map(({ endpointId }) => endpointId))})
        AS busy (program_id, endpoint_id)
      WHERE busy.program_id = endpoint.program_id AND busy.endpoint_id = endpoint.id)
    ORDER BY random() LIMIT ${sql.lit(MAX_ENDPOINTS)}`.execute(db)
  return rows
}

/** Claims are exclusive per endpoint, so that limits and order hold across processes. Another process's claim is not waited for. */
const lockLanes = async (tx: Tx, lanes: Lane[], now: RawBuilder<Date>) => {
  const { rows } = await sql<LaneSettings>`
    SELECT endpoint.program_id, endpoint.id AS endpoint_id, endpoint.url, endpoint.format, endpoint.ordered,
      endpoint.include_customer_data, endpoint.secret, endpoint.failing_since, program.name AS program_name, program.workspace_id,
      CASE WHEN endpoint.previous_secret_until > ${now} THEN endpoint.previous_secret END AS previous_secret
    FROM webhook_endpoints endpoint JOIN programs program ON program.id = endpoint.program_id
    WHERE (endpoint.program_id, endpoint.id) IN (
      SELECT * FROM unnest(${numbers(lanes.map(({ programId }) => programId))}, ${numbers(lanes.map(({ endpointId }) => endpointId))}))
      AND ${hasWork(now)}
    FOR NO KEY UPDATE OF endpoint SKIP LOCKED`.execute(tx)
  return rows
}

/**
 * Takes due deliveries of each lane, up to its limit. An ordered lane gets the first ones by sequence, only while nothing of it is being
 * sent, and never past one that must wait.
 */
const takeDeliveries = async (tx: Tx, lanes: (LaneSettings & { most: number })[], { lease, now }: ClaimOptions) => {
  const { rows } = await sql<Claimed>`
    WITH lane AS MATERIALIZED (
      SELECT lane.*, (
        SELECT count(*) FROM webhook_deliveries held
        WHERE held.program_id = lane.program_id AND held.endpoint_id = lane.endpoint_id
          AND held.lease IS NOT NULL AND held.next_attempt_at > ${now}) AS held
      FROM unnest(${numbers(lanes.map(({ programId }) => programId))}, ${numbers(lanes.map(({ endpointId }) => endpointId))},
        ${lanes.map(({ ordered }) => ordered)}::boolean[], ${numbers(lanes.map(({ most }) => most))})
        AS lane (program_id, endpoint_id, ordered, most)),
    taken AS (
      SELECT due.program_id, due.id FROM lane CROSS JOIN LATERAL (
        SELECT program_id, id FROM webhook_deliveries
        WHERE program_id = lane.program_id AND endpoint_id = lane.endpoint_id AND state = 'pending' AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at LIMIT greatest(lane.most - lane.held, 0)) due
      WHERE NOT lane.ordered
      UNION ALL
      SELECT following.program_id, following.id FROM lane CROSS JOIN LATERAL (
        SELECT first.program_id, first.id, bool_and(first.next_attempt_at <= ${now}) OVER (ORDER BY first.sequence) AS all_due FROM (
          SELECT program_id, id, sequence, next_attempt_at FROM webhook_deliveries
          WHERE program_id = lane.program_id AND endpoint_id = lane.endpoint_id AND state = 'pending'
          ORDER BY sequence LIMIT lane.most) first) following
      WHERE lane.ordered AND lane.held = 0 AND following.all_due)
    UPDATE webhook_deliveries delivery
    SET lease = ${lease}, next_attempt_at = ${now} + make_interval(secs => ${LEASE_MS / 1000})
    FROM taken
    JOIN webhook_deliveries content ON (content.program_id, content.id) = (taken.program_id, taken.id)
    JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (content.program_id, content.endpoint_id)
    LEFT JOIN outbox_events event ON (event.program_id, event.id) = (content.program_id, content.event_id)
    WHERE (delivery.program_id, delivery.id) = (taken.program_id, taken.id) AND delivery.state = 'pending'
    RETURNING delivery.program_id, delivery.endpoint_id, delivery.id, delivery.event_id, delivery.message_id, delivery.sequence,
      delivery.type, delivery.tries, delivery.lease, event.occurred_at, event.data, event.changes, event.customer_key,
      CASE WHEN endpoint.include_customer_data THEN event.customer END AS customer,
      CASE WHEN endpoint.format <> 'standard' THEN (
        SELECT partner.name FROM partners partner
        WHERE partner.program_id = event.program_id AND partner.id::text = event.data ->> 'partnerId') END AS partner_name`.execute(
    tx,
  )
  return rows.toSorted((a, b) => a.sequence - b.sequence)
}

/** Claims up to `free` due deliveries with their content, for the duration of the lease. */
export const claim = async (db: Database, options: ClaimOptions) => {
  const found = await findLanes(db, options)
  if (found.length === 0) return { lanes: [], deliveries: [], at: null }
  return inTransaction(db, async (tx) => {
    const locked = await lockLanes(tx, found, options.now)
    const lanes = divide(locked, options).map(({ more, ...lane }) => ({
      ...lane,
      most: Math.min(options.mostFor(lane), options.heldIn(lane) + more),
    }))
    const deliveries = lanes.length > 0 ? await takeDeliveries(tx, lanes, options) : []
    const { rows } = await sql<{ at: Date }>`SELECT ${options.now} AS at`.execute(tx)
    return { lanes, deliveries, at: rows[0]?.at ?? null }
  })
}

/** Returns claimed deliveries that were not sent, when the service stops or an ordered delivery failed. */
export const release = async (db: Database, deliveries: Claimed[], now: RawBuilder<Date>) => {
  if (deliveries.length === 0) return
  await sql`
    UPDATE webhook_deliveries delivery SET lease = NULL, next_attempt_at = ${now}
    FROM unnest(${numbers(deliveries.map(({ programId }) => programId))}, ${deliveries.map(({ id }) => id)}::bigint[],
      ${deliveries.map(({ lease }) => lease)}::uuid[]) AS given (program_id, id, lease)
    WHERE (delivery.program_id, delivery.id, delivery.lease) = (given.program_id, given.id, given.lease)`.execute(db)
}

/**
 * How many more deliveries a workspace may take. It never holds more than a third of the free places, so at most a quarter of an idle
 * process. However many workspaces have slow endpoints, there is always a free place for another.
 */
const shareOf = (held: number, free: number) => Math.max(0, Math.ceil((free - 3 * held) / 4))

type Place = { workspaceId: string }

type Capacity = {
  /** Deliveries that this process can still hold. */
  free: number
  /** Deliveries in memory by workspace. */
  heldBy: Map<string, number>
}

/** Workspaces that have used up their share. */
export const workspacesAtLimit = ({ free, heldBy }: Capacity) =>
  [...heldBy].filter(([, held]) => shareOf(held, free) === 0).map(([workspaceId]) => workspaceId)

/** How many deliveries each lane may take within its workspace's share. Lanes without any are left out. */
export const divide = <Lane extends Place>(lanes: Lane[], { free, heldBy }: Capacity) => {
  const ofAll = Math.max(1, Math.floor(free / Math.max(1, lanes.length)))
  return Map.groupBy(lanes, ({ workspaceId }) => workspaceId)
    .entries()
    .flatMap(([workspaceId, own]) => {
      const share = shareOf(heldBy.get(workspaceId) ?? 0, free)
      const served = own.slice(0, share)
      return served.map((lane) => ({ ...lane, more: Math.min(Math.floor(share / served.length), ofAll) }))
    })
    .toArray()
}
