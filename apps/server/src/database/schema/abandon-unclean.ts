import type pg from 'pg'

/** What `pg` knows of a connection and does not tell by name. */
type Inside = { getTransactionStatus: () => string | null; _getActiveQuery?: () => object | null }

/**
 * A query that was given up after its time may still be at work when its connection is released, and the rollback that was to
 * follow it is never sent. Whoever got that connection next would commit, with their own work, half of somebody else's.
 */
export const abandonUnclean = (pool: pg.Pool) => {
  pool.on('release', (_, client) => {
    const inside = client as unknown as Inside
    const isIdle = inside.getTransactionStatus() === 'I' && !inside._getActiveQuery?.()
    // One that is ending is not taken back by the pool.
    if (!isIdle) void (client as unknown as pg.Client).end().catch(() => {})
  })
}
