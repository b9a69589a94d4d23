import { TIMEOUT_MS } from '../sending/post.ts'
import { type Claimed, type Lane as LaneName, type LaneSettings, LEASE_MS } from './claim.ts'
import type { Attempt } from './record.ts'
import { isSuccess } from './schedule.ts'

/** Requests in flight per endpoint and process. */
const MAX_IN_FLIGHT = 20
/** An endpoint that fails gets fewer, so that its timeouts do not hold up the process. */
const MAX_IN_FLIGHT_FAILING = 2
/** So does one that takes long to answer, and one that has not shown yet that it does not. */
const MAX_IN_FLIGHT_SLOW = 4
const SLOW_MS = 5_000
/** Deliveries to a fast endpoint are claimed this far ahead. */
const AHEAD_MS = 1_000
const MAX_AHEAD = 400
/** A delivery that has waited longer for its turn could outlive its lease. */
const MAX_WAIT_MS = LEASE_MS - TIMEOUT_MS - 10_000
const MAX_IDLE_LANES = 1_000

type Waiting = { delivery: Claimed; claimedAt: number; at: Date }
type Lane = { settings: LaneSettings; waiting: Waiting[]; inFlight: number; averageMs: number }

type Options = {
  /** Null if the attempt was cut off because the service is stopping. */
  send: (delivery: Claimed, settings: LaneSettings, at: Date) => Promise<Attempt | null>
  onResult: (attempt: Attempt) => void
  /** Not sent, or not known to be. */
  onReturned: (deliveries: Claimed[]) => void
}

/** A queue per endpoint, so that a slow one delays no other. */
export const createLanes = ({ send, onResult, onReturned }: Options) => {
  const lanes = new Map<string, Lane>()
  let isClosed = false

  const run = async (lane: Lane, delivery: Claimed, at: Date) => {
    lane.inFlight++
    const attempt = await send(delivery, lane.settings, at)
    lane.inFlight--
    if (attempt) {
      lane.averageMs = 0.8 * lane.averageMs + 0.2 * attempt.durationMs
      onResult(attempt)
    } else onReturned([delivery])
    // In order: what follows a failure waits until that is delivered.
    if (lane.settings.ordered && !isSuccess(attempt?.status ?? null)) onReturned(empty(lane))
    pump(lane)
  }

  const pump = (lane: Lane) => {
    while (lane.inFlight < limitOf(lane.settings, lane.averageMs)) {
      const next = lane.waiting.shift()
      if (!next) return
      const waitedMs = performance.now() - next.claimedAt
      if (waitedMs > MAX_WAIT_MS || isClosed) onReturned([next.delivery])
      else void run(lane, next.delivery, new Date(next.at.getTime() + waitedMs))
    }
  }

  const laneOf = (settings: LaneSettings) => {
    const lane = lanes.get(keyOf(settings)) ?? { settings, waiting: [], inFlight: 0, averageMs: TIMEOUT_MS }
    lane.settings = settings
    lanes.set(keyOf(settings), lane)
    return lane
  }

  return {
    add: (found: LaneSettings[], deliveries: Claimed[], claimed: { claimedAt: number; at: Date }) => {
      const added = found.map(laneOf)
      for (const delivery of deliveries) lanes.get(keyOf(delivery))?.waiting.push({ delivery, ...claimed })
      for (const lane of added) pump(lane)
    },
    /** Endpoints that have enough to do for now. */
    full: () => {
      if (lanes.size > MAX_IDLE_LANES) for (const [key, lane] of lanes) if (countOf(lane) === 0) lanes.delete(key)
      return [...lanes.values()].filter(isFull).map(({ settings }) => settings)
    },
    mostFor: (settings: LaneSettings) => mostFor(settings, lanes.get(keyOf(settings))?.averageMs),
    heldIn: (lane: LaneName) => countOf(lanes.get(keyOf(lane))),
    heldBy: () => heldBy(lanes.values()),
    inFlight: () => lanes.values().reduce((sum, lane) => sum + lane.inFlight, 0),
    /** Returns deliveries waiting for an endpoint that became slow: they would block those of others. */
    dropSlow: () => {
      for (const lane of lanes.values()) {
        const [first] = lane.waiting
        if (!first || performance.now() - first.claimedAt < 3 * AHEAD_MS) continue
        lane.averageMs = TIMEOUT_MS
        onReturned(empty(lane))
      }
    },
    /** Returns what waits for one endpoint: it was changed, disabled or deleted. */
    drop: (key: string) => {
      const lane = lanes.get(key)
      if (lane) onReturned(empty(lane))
    },
    /** Returns everything that is not in flight. */
    close: () => {
      isClosed = true
      for (const lane of lanes.values()) onReturned(empty(lane))
    },
  }
}

const empty = (lane: Lane) => lane.waiting.splice(0).map(({ delivery }) => delivery)

const keyOf = ({ programId, endpointId }: LaneName) => `${programId} ${endpointId}`

const limitOf = ({ ordered, failingSince }: LaneSettings, averageMs: number) => {
  if (ordered) return 1
  if (failingSince) return MAX_IN_FLIGHT_FAILING
  return averageMs > SLOW_MS ? MAX_IN_FLIGHT_SLOW : MAX_IN_FLIGHT
}

/** How many deliveries to claim: what the endpoint takes in about a second, and at least what may be in flight. */
const mostFor = (settings: LaneSettings, averageMs = TIMEOUT_MS) => {
  const limit = limitOf(settings, averageMs)
  return Math.max(limit, Math.min(Math.round((limit * AHEAD_MS) / Math.max(1, averageMs)), MAX_AHEAD))
}

const countOf = (lane?: Lane) => (lane ? lane.waiting.length + lane.inFlight : 0)

/** What each workspace holds. */
const heldBy = (lanes: Iterable<Lane>) => {
  const held = new Map<string, number>()
  for (const lane of lanes) {
    const { workspaceId } = lane.settings
    held.set(workspaceId, (held.get(workspaceId) ?? 0) + countOf(lane))
  }
  return held
}

const isFull = (lane: Lane) => {
  const most = lane.settings.ordered ? 1 : mostFor(lane.settings, lane.averageMs)
  return countOf(lane) > most / 2
}
