import type pg from 'pg'

/** Until so many wait for locks that others hold; asked of Postgres, for no length of time would be right on every machine. */
export const untilWaiting = async (pool: pg.Pool, count = 1) => {
  const waiting = async () =>
    (await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .rows
  while ((await waiting()).length < count) await Bun.sleep(5)
}
