import { APP_ROLE, openPool } from '../../apps/server/src/database/connect.ts'
import { groupCommit } from '../../apps/server/src/database/group-commit.ts'
import { newClickToken } from '../../apps/server/src/tracking/clicks/click-ids.ts'
import { type ClickRow, writeClicks } from '../../apps/server/src/tracking/clicks/write-clicks.ts'
import { runWith } from './run-with.ts'

/** Rewrites a batch with a lost response under new IDs, so that it is not recognized. */
await runWith({
  parts: (dependencies, { databaseUrl }) => {
    const pool = openPool(databaseUrl, { max: 2, name: 'tributary clicks', role: APP_ROLE })
    const renewed = (row: ClickRow) => ({ ...row, id: Bun.randomUUIDv7(), token: newClickToken(row.clickedAt) })
    const write = (rows: ClickRow[], writer: number) => writeClicks(pool, rows.map(renewed), writer)
    const clicks = groupCommit({ write, writers: 2, maxBatch: 512, maxWaiting: 20_000, timeoutMs: 2_900 })
    return { ...dependencies, clicks }
  },
})
