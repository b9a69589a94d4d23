import { z } from '@tributary/contract'
import type pg from 'pg'
import { StartupError } from '../../config/startup-error.ts'
import { openClient } from '../hosts/primary-client.ts'
import { migrateTo } from '../schema/migrate.ts'
import { ensurePartitions } from '../schema/partitions.ts'
import { asOwner } from '../start/as-owner.ts'
import { orStartupError } from '../start/or-startup-error.ts'
import { readBackupFile } from './backup-file.ts'
import { copyIn } from './copy.ts'
import { FORMAT, VERSION } from './write-backup.ts'

const header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  months: z.array(z.string()),
  secrets: z.object({ sessionSecret: z.string(), hashKey: z.string(), databasePassword: z.string() }),
})
const table = z.object({ table: z.string().regex(/^[a-z_]+$/), columns: z.array(z.string()) })
const end = z.object({
  end: z.literal(true),
  rows: z.int(),
  sequences: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
})

/** Reads the header without touching any database. */
export const openBackup = async (file: string, key: string | null) => {
  const backup = readBackupFile(file, key)
  const parsed = header.safeParse(await backup.line())
  if (!parsed.success) throw new StartupError(`${file} is not a backup that this version of Tributary can read.`)
  return { ...parsed.data, ...backup }
}
export type Backup = Awaited<ReturnType<typeof openBackup>>

/** Reads the whole backup and discards it: a restore must know that the file is complete before it removes anything. */
export const requireComplete = async (file: string, key: string | null) => {
  const backup = await openBackup(file, key)
  try {
    for (;;) {
      const line = await backup.line()
      if (end.safeParse(line).success) return await backup.end()
      for await (const _ of backup.rows());
    }
  } finally {
    backup.close()
  }
}

/** Creates the backup's schema in an empty database and loads its rows in one transaction. */
export const readBackup = async (databaseUrl: string, backup: Backup, progress: (line: string) => void) => {
  await orStartupError(
    asOwner(databaseUrl, async (db) => {
      await migrateTo(db, backup.migrations)
      const [oldest] = backup.months.toSorted()
      const since = oldest ? new Date(`${oldest.slice(-7).replace('_', '-')}-01T00:00:00Z`) : new Date(backup.madeAt)
      await ensurePartitions(db, { since, at: new Date(backup.madeAt) })
    }),
  )
  const client = openClient(databaseUrl, { application_name: 'tributary restore' })
  await client.connect()
  try {
    await client.query('BEGIN')
    const rows = await orStartupError(loadRows(client, backup, progress))
    await client.query('COMMIT')
    return rows
  } finally {
    await client.end()
    backup.close()
  }
}

const loadRows = async (client: pg.Client, backup: Backup, progress: (line: string) => void) => {
  for (;;) {
    const line = await backup.line()
    const last = end.safeParse(line)
    if (last.success) {
      for (const { name, value } of last.data.sequences)
        if (value !== null) await client.query('SELECT setval($1::regclass, $2)', [name, value])
      await backup.end()
      return last.data.rows
    }
    const { table: name, columns } = table.parse(line)
    await copyIn(client, `${name} (${columns.join(', ')})`, backup.rows())
    progress(`${name}: restored`)
  }
}
