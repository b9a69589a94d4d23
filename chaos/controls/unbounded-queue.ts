import { APP_ROLE, openPool } from '../../apps/server/src/database/connect.ts'
import { groupCommit } from '../../apps/server/src/database/group-commit.ts'
import { type ClickRow, writeClicks } from '../../apps/server/src/tracking/clicks/write-clicks.ts'
import { runWith } from './run-with.ts'

/** Accepts every click, however long the queue: eventually each one waits longer than its caller. */
await runWith({
  parts: (dependencies, { databaseUrl }) => {
    const pool = openPool(databaseUrl, { max: 2, name: 'tributary clicks', role: APP_ROLE })
    const write = (rows: ClickRow[], writer: number) => writeClicks(pool, rows, writer)
    const clicks = groupCommit({ write, writers: 2, maxBatch: 512, maxWaiting: Number.POSITIVE_INFINITY })
    return { ...dependencies, clicks }
  },
})
