import { openPool } from '../../apps/server/src/database/connect.ts'
import { runWith } from './run-with.ts'

const PUBLISH_MS = 20
const COLUMNS = 'program_id, id, type, occurred_at, data, changes, customer, customer_key'

/** Writes events in a transaction of their own, a moment after the change. */
await runWith({
  before: (app, { ownerUrl }) => {
    const pool = openPool(ownerUrl, { max: 1, name: 'control', noTimeouts: true })
    const take = `DELETE FROM outbox_events WHERE sequence IS NULL RETURNING ${COLUMNS}`
    const write = `INSERT INTO outbox_events (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_recordset(NULL::outbox_events, $1)`
    const publish = async () => {
      const { rows } = await pool.query(take)
      await Bun.sleep(PUBLISH_MS)
      if (rows.length > 0) await pool.query(write, [JSON.stringify(rows)])
    }
    const run = async () => {
      await publish().catch(() => {})
      setTimeout(run, PUBLISH_MS)
    }
    void run()
    return app
  },
})
