import type pg from 'pg'

/** Members of a `pg` client that its types omit. */
type PgInternals = { getTransactionStatus: () => string | null; _getActiveQuery?: () => object | null }

/**
 * A query that timed out may still be running when its connection is released, and its rollback is never sent. Closing the
 * connection keeps the next user from committing that leftover work.
 */
export const discardUncleanConnections = (pool: pg.Pool) => {
  pool.on('release', (_, client) => {
    const internals = client as unknown as PgInternals
    const isIdle = internals.getTransactionStatus() === 'I' && !internals._getActiveQuery?.()
    // The pool discards a client that is ending.
    if (!isIdle) void (client as unknown as pg.Client).end().catch(() => {})
  })
}
