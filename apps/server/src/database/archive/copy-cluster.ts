import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type Secrets, saveSecrets } from '../../secrets.ts'
import { type Base, baseFolder, recordBase } from './archive-folder.ts'

/** Postgres creates their content again, or it comes from the archived log. */
const EMPTY_FOLDERS =
  /^(pg_wal|pg_wal\/\w+|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles|pg_internal\.init|pgsql_tmp.*)$/
/** Copied last, as pg_basebackup does. */
const CONTROL_FILE = 'global/pg_control'

type Options = { cluster: string; archive: string; secrets: Secrets; at: Date; isStopping: () => boolean }

/** Copies the running cluster with Postgres' backup functions, because the npm packages have no pg_basebackup. */
export const copyCluster = async (
  client: pg.ClientBase,
  { cluster, archive, secrets, at, isStopping }: Options,
): Promise<Base> => {
  const folder = join(baseFolder(archive), at.toISOString().replaceAll(/[-:]|\.\d+/g, ''))
  const draft = `${folder}.part`
  // Left by a service that was killed.
  for (const name of readdirSync(baseFolder(archive)))
    if (name.endsWith('.part')) rmSync(join(baseFolder(archive), name), { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  await client.query(`SELECT pg_backup_start('tributary', fast => true)`)
  await copyFolder(cluster, join(draft, 'cluster'), '', isStopping)
  await copyFile(join(cluster, CONTROL_FILE), join(draft, 'cluster', CONTROL_FILE))
  const { rows } = await client.query<{ labelfile: string; system_id: string }>(`
    SELECT labelfile, (SELECT system_identifier::text FROM pg_control_system()) AS system_id
    FROM pg_backup_stop(wait_for_archive => false)`)
  const { labelfile = '', system_id: systemId = '' } = rows[0] ?? {}
  writeFileSync(join(draft, 'cluster', 'backup_label'), labelfile, { mode: 0o600 })
  saveSecrets(draft, secrets)
  const firstSegment = /START WAL LOCATION: \S+ \(file ([\dA-F]{24})\)/.exec(labelfile)?.[1]
  if (!firstSegment) throw new Error('the backup label names no segment')
  const postgres = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const base = { folder: draft, finishedAt: new Date(), firstSegment, postgres, systemId }
  recordBase(base)
  renameSync(draft, folder)
  return { ...base, folder }
}

const copyFolder = async (from: string, to: string, path: string, isStopping: () => boolean) => {
  await mkdir(join(to, path), { mode: 0o700 })
  for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
    // A large database takes minutes, and a service that stops has seconds. The next start begins again.
    if (isStopping()) throw new Error('the service is stopping')
    const name = join(path, entry.name)
    const isEmptied = EMPTY_FOLDERS.test(path)
    if (entry.isDirectory()) await copyFolder(from, to, name, isStopping)
    else if (!isEmptied && !LEFT_OUT.test(entry.name) && name !== CONTROL_FILE)
      await copyFile(join(from, name), join(to, name)).catch((error) => {
        // Tables can be dropped during the copy; the log has that too.
        if (error.code !== 'ENOENT') throw error
      })
  }
}
