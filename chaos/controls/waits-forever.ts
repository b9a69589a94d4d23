import { APP_ROLE, openPool } from '../../apps/server/src/database/connect.ts'
import { groupCommit } from '../../apps/server/src/database/group-commit.ts'
import { type ClickRow, writeClicks } from '../../apps/server/src/tracking/clicks/write-clicks.ts'
import { runWith } from './run-with.ts'

/** No statement, connection or click batch has a timeout; everything else is as in the product. */
await runWith({
  parts: (dependencies, { databaseUrl }) => {
    const pool = openPool(databaseUrl, { max: 2, name: 'patient clicks', role: APP_ROLE, noTimeouts: true })
    const write = (rows: ClickRow[], writer: number) => writeClicks(pool, rows, writer)
    const clicks = groupCommit({ write, writers: 2, maxBatch: 512, maxWaiting: 20_000 })
    return { ...dependencies, clicks }
  },
})
