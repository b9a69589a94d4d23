import pg from 'pg'
import { DASHBOARD_NAME } from '../../src/database/schema/installed.ts'

export type Statement = { text: string; values: unknown[]; setting: string | undefined }

const READS = /^\s*(WITH|SELECT)\b/i
const WRITES = /\b(INSERT INTO|UPDATE|DELETE FROM|FOR UPDATE|FOR SHARE|FOR KEY SHARE)\b|\bpg_notify\b/i

let recorded: Statement[] | null = null

/** How the transactions that are open restrict the plans of their statements. */
const settings = new WeakMap<object, string>()
const SETTING = /^SET LOCAL enable_/
const ENDS = /^(commit|rollback)$/i

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
  const [given, more] = parameters as [string | { text?: string; values?: unknown[] }, unknown]
  const text = typeof given === 'string' ? given : given?.text
  const values = typeof given === 'string' ? more : given?.values
  const { application_name: name } = (this as unknown as { connectionParameters: { application_name?: string } })
    .connectionParameters
  if (text && SETTING.test(text)) settings.set(this, text)
  if (text && ENDS.test(text)) settings.delete(this)
  if (recorded && text && name === DASHBOARD_NAME && READS.test(text) && !WRITES.test(text))
    recorded.push({ text, values: Array.isArray(values) ? values : [], setting: settings.get(this) })
  return query.apply(this, parameters as Parameters<typeof query>)
} as typeof query

/** The statements with which the service reads during `act`. */
export const readsDuring = async (act: () => Promise<unknown>) => {
  recorded = []
  await act()
  const statements = recorded
  recorded = null
  return statements
}

type Plan = { 'Node Type': string; Plans?: Plan[] } & Record<string, unknown>

const REMOVED = ['Rows Removed by Filter', 'Rows Removed by Join Filter', 'Rows Removed by Index Recheck']

/** Rows that a node and those below it produce or discard, over all its executions. An execution without rows counts as one. */
const rowsOf = (node: Plan): number => {
  const produced = REMOVED.reduce((sum, name) => sum + Number(node[name] ?? 0), Number(node['Actual Rows']))
  const own = Number(node['Actual Loops']) * (1 + produced)
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own)
}

/** How many rows Postgres processes for a statement, planned for exactly these values. */
export const rowsProcessed = async (pool: pg.Pool, { text, values, setting }: Statement) => {
  const client = await pool.connect()
  await client.query(`BEGIN; ${setting ?? ''}`)
  const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values)
  await client.query('ROLLBACK')
  client.release()
  return Math.round(rowsOf(rows[0]['QUERY PLAN'][0].Plan))
}
