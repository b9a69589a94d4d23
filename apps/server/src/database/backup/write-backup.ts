import type pg from 'pg'
import type { Secrets } from '../../secrets.ts'
import { openClient } from '../hosts/primary-client.ts'
import { findOwnObjects } from '../schema/own-objects.ts'
import { END_OF_ROWS, writeBackupFile } from './backup-file.ts'
import { copyOut } from './copy.ts'
import type { Destination } from './destination.ts'

export const FORMAT = 'tributary-backup'
export const VERSION = 1

const PROGRESS_ROWS = 500_000

type Options = {
  databaseUrl: string
  destination: Destination
  /** Encrypts the backup; null writes it in plain. */
  key: string | null
  secrets: Secrets
  at: Date
  progress: (line: string) => void
}

/** Writes a consistent snapshot while the service keeps running, from one repeatable-read transaction. */
export const writeBackup = async ({ databaseUrl, destination, key, secrets, at, progress }: Options) => {
  const draft = destination.open()
  const client = openClient(databaseUrl, { application_name: 'tributary backup' })
  const backup = writeBackupFile(draft, key)
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const names = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name)
    const migrations = await names('SELECT name FROM kysely_migration ORDER BY name')
    const tables = await listTablesInOrder(client, await findOwnObjects(migrations))
    // Locked first, because a monthly partition dropped during the backup would vanish from the snapshot.
    await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`)
    const months = await names(`SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'click_events'::regclass AND relname <> 'click_events_other' ORDER BY 1`)
    backup.line({ format: FORMAT, version: VERSION, madeAt: at.toISOString(), migrations, months, secrets })
    let total = 0
    for (const table of tables) {
      const columns = await columnsOf(client, table)
      backup.line({ table, columns })
      let copied = 0
      const onRow = () => {
        if (++copied % PROGRESS_ROWS === 0) progress(`${table}: ${copied.toLocaleString('en-US')} rows so far`)
      }
      const copying = copyOut(client, `SELECT ${columns.join(', ')} FROM ${table}`, backup.stream, onRow)
      const rows = await Promise.race([copying, backup.failed])
      backup.stream.write(END_OF_ROWS)
      if (rows > 0) progress(`${table}: ${rows.toLocaleString('en-US')} rows`)
      total += rows
    }
    backup.line({ end: true, rows: total, sequences: await listSequences(client, tables) })
    await backup.close()
    return { tables: tables.length, rows: total }
  } catch (error) {
    await draft.discard()
    throw error
  } finally {
    await client.end()
  }
}

const columnsOf = async (client: pg.Client, table: string) => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

type IsOwn = (object: { name: string }) => boolean

/** Our tables, each after those it references, so rows can be inserted in this order. */
const listTablesInOrder = async (client: pg.Client, isOwn: IsOwn) => {
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
const listSequences = async (client: pg.Client, tables: string[]) => {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT sequence.relname AS name, pg_sequence_last_value(sequence.oid)::text AS value FROM pg_class sequence
     JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = sequence.oid AND deptype IN ('a', 'i')
     JOIN pg_class source ON refclassid = 'pg_class'::regclass AND source.oid = refobjid
     WHERE sequence.relkind = 'S' AND sequence.relnamespace = current_schema()::regnamespace AND source.relname = ANY ($1) ORDER BY 1`,
    [tables],
  )
  return rows
}
