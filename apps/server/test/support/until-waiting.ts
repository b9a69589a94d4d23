import type pg from 'pg'

/** Waits until `count` connections wait for locks. It asks Postgres, because no fixed delay suits every machine. */
export const untilWaiting = async (pool: pg.Pool, count = 1) => {
  const waiting = async () =>
    (await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .rows
  while ((await waiting()).length < count) await Bun.sleep(5)
}
