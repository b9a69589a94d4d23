import type pg from 'pg'

type Column = { table: string; column: string; type: string }

/** Every column that can hold text: text, JSON, bytes, and lists of text. Partitions are read through their parents. */
const COLUMNS = `
  SELECT class.relname AS table, attribute.attname AS column, format_type(attribute.atttypid, NULL) AS type
  FROM pg_attribute attribute JOIN pg_class class ON class.oid = attribute.attrelid
  WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p') AND NOT class.relispartition
    AND attribute.attnum > 0 AND NOT attribute.attisdropped
    AND format_type(attribute.atttypid, NULL) IN ('text', 'jsonb', 'json', 'bytea', 'text[]', 'character varying')
  ORDER BY 1, 2`

/**
 * JSON has several encodings of a string: as is, with quotes and control characters escaped, or with everything but
 * ASCII escaped.
 */
const spellings = (word: string) => {
  const quoted = JSON.stringify(word).slice(1, -1)
  const ascii = quoted.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([word, quoted, ascii, encodeURIComponent(word)])]
}

const isFoundIn = ({ column, type }: Column) => {
  const bytes = type === 'bytea' ? `source."${column}"` : `convert_to(source."${column}"::text, 'UTF8')`
  return `('${column}', position(sought.word IN ${bytes}) > 0)`
}

/** Reads each table once: planning a scan of every partition for every column took longer than the scans. */
const inTable = (table: string, columns: Column[]) =>
  `SELECT DISTINCT '${table}.' || hit.name AS found
   FROM "${table}" source CROSS JOIN unnest($1::bytea[]) sought (word)
     CROSS JOIN LATERAL (VALUES ${columns.map(isFoundIn).join(', ')}) hit (name, is_found)
   WHERE hit.is_found`

/** The columns that contain one of the strings, as `table.column`, found with one statement. */
export const foundIn = async (pool: pg.Pool, ...words: string[]) => {
  const { rows: columns } = await pool.query<Column>(COLUMNS)
  const tables = Map.groupBy(columns, ({ table }) => table)
  const spelled = words.flatMap(spellings).map((spelling) => Buffer.from(spelling))
  const statement = [...tables].map(([table, own]) => inTable(table, own)).join(' UNION ALL ')
  const { rows } = await pool.query<{ found: string }>(statement, [spelled])
  return rows.map(({ found }) => found).toSorted()
}
