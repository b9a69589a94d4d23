import { createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BackupSettings } from '../../config/backup.ts'
import { explainWriteError, StartupError } from '../../config/startup-error.ts'
import { type Destination, toFile, toStream } from './destination.ts'
import { isS3, openBucket } from './s3.ts'

type Place = {
  destination: Destination
  /** Removes all but the newest backups and returns the names of the removed ones. Absent for a single file. */
  rotate?: (keep: number) => Promise<string[]>
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory()

/** Where a backup goes: `-`, `s3://bucket/folder`, a folder that exists, or the name of a new file. */
export const choosePlace = (name: string, { s3 }: BackupSettings, { at, cwd }: { at: Date; cwd: string }): Place => {
  if (name === '-') return { destination: toStream(createWriteStream('', { fd: 1, autoClose: false })) }
  if (isS3(name)) return inBucket(name, s3, at)
  const path = resolve(cwd, name)
  if (isFolder(path)) return inFolder(path, at)
  if (existsSync(path)) throw new StartupError(`${path} already exists. Choose another name.`)
  return { destination: toFile(path) }
}

const inFolder = (folder: string, at: Date): Place => ({
  destination: toFile(join(folder, nameBackup(at))),
  rotate: async (keep) => {
    const old = newestFirst(readdirSync(folder)).slice(keep)
    for (const name of old) rmSync(join(folder, name))
    return old
  },
})

const inBucket = (address: string, settings: BackupSettings['s3'], at: Date): Place => {
  const { bucket, folder } = openFolder(address, settings)
  return {
    destination: bucket.write(`${folder}${nameBackup(at)}`),
    rotate: async (keep) => {
      const old = newestFirst(await namesIn(bucket, folder)).slice(keep)
      for (const name of old) await bucket.remove(`${folder}${name}`)
      return old
    },
  }
}

const openFolder = (address: string, settings: BackupSettings['s3']) => {
  const bucket = openBucket(address, settings)
  return { bucket, folder: bucket.path === '' ? '' : `${bucket.path.replace(/\/+$/, '')}/` }
}

const namesIn = async ({ list }: ReturnType<typeof openBucket>, folder: string) =>
  (await list(folder)).map((key) => key.slice(folder.length))

type Found = { file: string; name: string; remove: () => void }

/**
 * Finds a backup to restore, as a local file: it is read twice, first to check that it is complete. In a folder the newest one
 * is chosen. What comes from elsewhere is stored in `spool` for the duration of the restore.
 */
export const findBackup = async (
  name: string,
  { s3 }: BackupSettings,
  { cwd, spool }: { cwd: string; spool: string },
): Promise<Found> => {
  if (name === '-') return download(Readable.from(Bun.stdin.stream()), { name: 'standard input', spool })
  if (isS3(name)) {
    const key = await findKey(name, s3)
    return download(await key.bucket.read(key.key), { name: key.name, spool })
  }
  const path = resolve(cwd, name)
  const file = isFolder(path) ? join(path, newest(path, readdirSync(path))) : path
  return { file, name: file, remove: () => {} }
}

const newest = (folder: string, names: string[]) => {
  const [first] = newestFirst(names)
  if (!first) throw new StartupError(`${folder} contains no backups. Name a backup file.`)
  return first
}

const findKey = async (address: string, settings: BackupSettings['s3']) => {
  const { bucket, folder } = openFolder(address, settings)
  if (/\.backup$/.test(bucket.path)) return { bucket, key: bucket.path, name: address }
  const name = newest(address, await namesIn(bucket, folder))
  return { bucket, key: `${folder}${name}`, name: `${address.replace(/\/+$/, '')}/${name}` }
}

const download = async (source: Readable, { name, spool }: { name: string; spool: string }): Promise<Found> => {
  const remove = () => rmSync(spool, { force: true })
  remove()
  try {
    await pipeline(source, createWriteStream(spool, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    remove()
    throw explainWriteError(spool, error)
  }
  return { file: spool, name, remove }
}

/** Names that we give to backups in a folder: `tributary-20261118T101500Z.backup`. Sorted, they are in order of time. */
const OUR_NAME = /^tributary-\d{8}T\d{6}Z\.backup$/

const nameBackup = (at: Date) => `tributary-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`

/** Only names that we gave, newest first: an operator's own files are not ours to choose or remove. */
const newestFirst = (names: string[]) =>
  names
    .filter((name) => OUR_NAME.test(name))
    .toSorted()
    .toReversed()
