import { openPool } from '../../apps/server/src/database/connect.ts'
import { runWith } from './run-with.ts'

const LOOK_MS = 5
/** Long enough that a fault nearly always hits between the two transactions. */
const HOLD_MS = 300
const COLUMNS = 'program_id, id, type, occurred_at, data, changes, customer, customer_key'

/**
 * Writes events in a separate transaction, a moment after the change. Only `%.created` events: the check compares no others with
 * tables, so it would not notice a lost one.
 */
await runWith({
  before: (app, { ownerUrl }) => {
    const pool = openPool(ownerUrl, { max: 1, name: 'control', noTimeouts: true })
    const take = `DELETE FROM outbox_events WHERE sequence IS NULL AND type LIKE '%.created' RETURNING ${COLUMNS}`
    const write = `INSERT INTO outbox_events (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_recordset(NULL::outbox_events, $1)`
    const publish = async () => {
      const { rows } = await pool.query(take)
      if (rows.length === 0) return
      await Bun.sleep(HOLD_MS)
      await pool.query(write, [JSON.stringify(rows)])
    }
    const run = async () => {
      await publish().catch(() => {})
      setTimeout(run, LOOK_MS)
    }
    void run()
    return app
  },
})
