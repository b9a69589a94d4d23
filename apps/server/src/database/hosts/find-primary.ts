import pg from 'pg'
import { addressesOf } from '../../config/database-addresses.ts'

/** With the time to connect to the primary then, shorter than a pool waits for a connection (connect.ts). */
const PROBE_TIMEOUT_MS = 1_200
/** New connections are rare, so each asks again, except in a burst. */
const TRUST_MS = 1_000
/** After a search that found no primary, callers are refused at once for this long. */
const PAUSE_MS = 250

/** Classified as transient (transient-errors.ts), so that callers get 503 and try again. */
export class NoPrimary extends Error {
  readonly code = '25006'
  constructor(message = 'none of the hosts in DATABASE_URL accepts writes') {
    super(message)
  }
}

export type Primary = {
  /** The address of the server that accepts writes. */
  find: () => Promise<string>
  /** After a connection to it has failed: the next `find` asks all hosts again. */
  suspect: () => void
  onMove: (listener: () => void) => void
}

const followed = new Map<string, Primary>()

/** The primary of a connection string with several hosts, shared by everything in the process; null for one host. */
export const primaryOf = (url: string): Primary | null => {
  const addresses = addressesOf(url)
  if (addresses.length === 1) return null
  const primary = followed.get(url) ?? follow(addresses)
  followed.set(url, primary)
  return primary
}

const follow = (addresses: string[]): Primary => {
  let last: string | null = null
  let trustedUntil = Number.NEGATIVE_INFINITY
  let searching: Promise<string> | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  const listeners: (() => void)[] = []

  /** Asks all hosts at once. A dead one does not answer, so the first primary that does is taken. */
  const search = async () => {
    const found = await Promise.any(addresses.map(confirmPrimary)).catch(() => null)
    searching = null
    if (found === null) {
      failedAt = performance.now()
      throw new NoPrimary()
    }
    const hasMoved = last !== null && last !== found
    last = found
    trustedUntil = performance.now() + TRUST_MS
    if (hasMoved) for (const listener of listeners) listener()
    return found
  }
  return {
    find: async () => {
      const now = performance.now()
      if (last !== null && now < trustedUntil) return last
      if (now - failedAt < PAUSE_MS) throw new NoPrimary()
      searching ??= search()
      return searching
    },
    suspect: () => {
      trustedUntil = Number.NEGATIVE_INFINITY
    },
    onMove: (listener) => void listeners.push(listener),
  }
}

const confirmPrimary = async (address: string) => {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'tributary hosts',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseReadOnly(client)
    return address
  } finally {
    void client.end().catch(() => {})
  }
}

/** A standby, or a primary that is being demoted. */
export const refuseReadOnly = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ setting: string }>(`SELECT current_setting('transaction_read_only') AS setting`)
  if (rows[0]?.setting !== 'off') throw new NoPrimary('this server accepts no writes')
}
