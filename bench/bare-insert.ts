/**
 * The lower bound of a durable click on this machine: parse JSON and commit one row and one counter in groups, like the
 * service, without checking, attributing, deriving or measuring anything. The difference is the service's own work.
 */
import { openPool } from '../apps/server/src/database/connect.ts'
import { startEmbeddedPostgres } from '../apps/server/src/database/embedded.ts'
import { groupCommit } from '../apps/server/src/database/group-commit.ts'

type Row = { id: string; aff: string } & Record<(typeof TEXTS)[number], string>

const TEXTS = ['affiliate_url', 'page_url', 'page_title', 'referrer_url', 'session_id', 'user_agent'] as const

const postgres = await startEmbeddedPostgres({ dataDir: process.env.BARE_DIR ?? '', password: crypto.randomUUID() })
const pool = openPool(postgres.url, { max: 2 })
await pool.query(`
  CREATE TABLE rows (id uuid PRIMARY KEY, at timestamptz DEFAULT now(), aff text, ${TEXTS.map((name) => `${name} text`).join(', ')});
  CREATE TABLE counts (aff text, writer integer, rows bigint, PRIMARY KEY (aff, writer))`)

const INSERT = {
  name: 'insert',
  text: `WITH written AS (
    INSERT INTO rows (id, aff, ${TEXTS.join(', ')})
    SELECT unnest($2::uuid[]), unnest($3::text[]), ${TEXTS.map((_, index) => `unnest($${index + 4}::text[])`).join(', ')}
    RETURNING aff
  ) INSERT INTO counts SELECT aff, $1, count(*) FROM written GROUP BY aff ORDER BY aff
  ON CONFLICT (aff, writer) DO UPDATE SET rows = counts.rows + excluded.rows`,
}

const rows = groupCommit<Row, undefined>({
  write: async (batch, writer) => {
    const columns = (['id', 'aff', ...TEXTS] as const).map((name) => batch.map((row) => row[name]))
    await pool.query({ ...INSERT, values: [writer, ...columns] })
    return []
  },
  writers: 2,
  maxBatch: 512,
  maxWaiting: 10_000,
})

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const body = (await request.json()) as Row
    const id = crypto.randomUUID()
    await rows.submit({ ...body, id, aff: body.affiliate_url.slice(body.affiliate_url.lastIndexOf('=') + 1) })
    return Response.json({ success: true, id })
  },
})
process.send?.({ port: server.port })

const stop = async () => {
  await pool.end()
  await postgres.stop()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.on('disconnect', stop)
