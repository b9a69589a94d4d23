import type pg from 'pg'

type IsOwn = (object: { name: string }) => boolean

/** Our tables, each after those it references, so rows can be inserted in this order. */
export const listTablesInOrder = async (client: pg.Client, isOwn: IsOwn) => {
  const { rows: tables } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE 'kysely%'
    ORDER BY relname`)
  const { rows: references } = await client.query<{ source: string; target: string }>(`
    SELECT DISTINCT source.relname AS source, target.relname AS target FROM pg_constraint
    JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND source.relnamespace = current_schema()::regnamespace AND conrelid <> confrelid`)
  const ordered: string[] = []
  const addAfterReferences = (name: string) => {
    if (ordered.includes(name)) return
    for (const { source, target } of references) if (source === name) addAfterReferences(target)
    ordered.push(name)
  }
  for (const { name } of tables.filter(isOwn)) addAfterReferences(name)
  return ordered
}

/** Identity columns continue from these values after a restore. */
export const listSequences = async (client: pg.Client, tables: string[]) => {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT sequence.relname AS name, pg_sequence_last_value(sequence.oid)::text AS value FROM pg_class sequence
     JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = sequence.oid AND deptype IN ('a', 'i')
     JOIN pg_class source ON refclassid = 'pg_class'::regclass AND source.oid = refobjid
     WHERE sequence.relkind = 'S' AND sequence.relnamespace = current_schema()::regnamespace AND source.relname = ANY ($1) ORDER BY 1`,
    [tables],
  )
  return rows
}
