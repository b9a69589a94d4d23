import type pg from 'pg'

export type ReusableDatabase = Awaited<ReturnType<typeof reusableDatabase>>

/** Empties a migrated database for the next test file, which costs a tenth of another copy and its first connections. */
export const reusableDatabase = async (pool: pg.Pool) => {
  await separateIds(pool)
  const [schema, tables] = [await readSchema(pool), await findTables(pool)]
  return {
    /** A test that changes the schema or keeps a connection makes the database useless for others. */
    isReusable: async () => !pool.ending && pool.idleCount === pool.totalCount && (await readSchema(pool)) === schema,
    empty: () => empty(pool, tables),
  }
}

/** So that no test expects the ID 1, or takes the ID of one table for that of another. All have as many digits. */
const separateIds = (pool: pg.Pool) =>
  pool.query(`SELECT setval(oid, 100000 + (random() * 800000)::bigint) FROM pg_class WHERE relkind = 'S'`)

/** Every change of a table, trigger, function, privilege or role changes this. */
const readSchema = async (pool: pg.Pool) => {
  const tables = ['pg_class', 'pg_attribute', 'pg_attrdef', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_policy']
  const states = [...tables, 'pg_event_trigger', 'pg_db_role_setting', 'pg_authid'].map(
    (catalog) => `(SELECT count(*) || ' ' || max(xmin::text::bigint) FROM ${catalog})`,
  )
  const { rows } = await pool.query({ name: 'schema', text: `SELECT concat_ws(',', ${states.join()}) AS state` })
  return rows[0].state as string
}

/** All but those that a start has filled. */
const findTables = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ name: string }>(`SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`)
  const tables = rows.map(({ name }) => name)
  const filled = await findFilled(pool, tables)
  return tables.filter((name) => !filled.includes(name))
}

const findFilled = async (pool: pg.Pool, tables: string[]) => {
  const each = tables.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`)
  const text = each.join(' UNION ALL ')
  const { rows } = await pool.query<{ name: string }>({ name: `filled ${tables.length}`, text })
  return rows.map(({ name }) => name)
}

/** Deleting rows keeps the plans of open connections, which truncating would not. A replica fires no triggers. */
const empty = async (pool: pg.Pool, tables: string[]) => {
  const filled = await findFilled(pool, tables)
  const deletions = filled.map((name) => `DELETE FROM ${name}`)
  await pool.query(['BEGIN', 'SET LOCAL session_replication_role = replica', ...deletions, 'COMMIT'].join(';'))
}
