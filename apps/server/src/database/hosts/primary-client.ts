import pg from 'pg'
import { addressesOf } from '../../config/database-addresses.ts'
import { NoPrimary, type Primary, primaryOf, refuseReadOnly } from './find-primary.ts'

/** Members of a `pg` client that its types omit. */
type Internals = {
  host: string
  port: number
  connection: { stream: { destroy: (error: Error) => void } }
  getTransactionStatus: () => string | null
}

type Connected = (error: Error | null, client?: unknown) => void

/** A client class that connects to the primary among several hosts, wherever it is then. */
const clientOf = (primary: Primary) =>
  class PrimaryClient extends pg.Client {
    override connect(callback?: unknown): Promise<pg.Client> {
      const connecting = this.#connect()
      if (typeof callback !== 'function') return connecting
      const answer = callback as Connected
      connecting.then(
        () => answer(null, this),
        (error) => answer(error),
      )
      return connecting.catch(() => this)
    }

    async #connect() {
      try {
        const { host, port } = new pg.Client({ connectionString: await primary.find() }) as unknown as Internals
        Object.assign(this, { host, port })
        await super.connect()
        await refuseReadOnly(this)
        return this
      } catch (error) {
        primary.suspect()
        throw error
      }
    }
  }

/** What `pg.Pool` and `pg.Client` need to reach a database, at one host or at the primary among several. */
export const connectionTo = (url: string) => {
  const primary = primaryOf(url)
  const connectionString = addressesOf(url)[0] ?? url
  return { primary, connectionString, Client: primary ? clientOf(primary) : pg.Client }
}

/** A single client. */
export const openClient = (url: string, config: pg.ClientConfig = {}) => {
  const { connectionString, Client } = connectionTo(url)
  return new Client({ ...config, connectionString })
}

/**
 * Ends the connections to a former primary: it may not answer any more, and each would make a call wait until its timeout.
 * Calls in progress get 503 and can be repeated.
 */
export const followPrimary = (pool: pg.Pool, primary: Primary) => {
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', primary.suspect)
  })
  pool.on('remove', (client) => clients.delete(client as pg.PoolClient))
  // A query that timed out has not ended yet: the server may be cut off.
  pool.on('release', (error, client) => {
    if (error || (client as unknown as Internals).getTransactionStatus() !== 'I') primary.suspect()
  })
  primary.onMove(() => {
    for (const client of clients)
      (client as unknown as Internals).connection.stream.destroy(new NoPrimary('the primary moved'))
  })
}
