import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { findInstanceArchivedUntil } from '../../database/archive/own-archive.ts'
import { findLastBackup } from '../../database/backup/last-backup.ts'
import { isRoot } from '../../database/embedded/account.ts'
import { findHome } from '../../database/embedded/data-folder.ts'
import { readDisk } from '../../database/monitoring/disk.ts'
import { secretsFile } from '../../secrets.ts'
import { type Finding, fail, formatAge, ok, warn } from './finding.ts'

const GB = 1e9
/** As docs/guides/production.md says. */
const MIN_FREE_PERCENT = 33
const LATE_ARCHIVE_SECONDS = 120
const LATE_BACKUP_SECONDS = 26 * 3_600

/** What can be seen without the database and the network. */
export const checkMachine = (config: Config): Finding[] => [
  checkUser(config),
  checkSecrets(config),
  checkDisk(config),
  checkClock(),
  checkBackup(config),
  ...checkArchive(config),
  ...checkArchiveDisk(config),
]

/** Root may run this command; the service's user owns what the service has created. */
const checkUser = ({ dataDir }: Config) => {
  const owner = [secretsFile(dataDir), dataDir].find((path) => existsSync(path))
  const uid = owner ? statSync(owner).uid : null
  return isRoot() && !uid
    ? warn('user', 'The service runs as root. Start it as a user of its own who owns DATA_DIR.')
    : ok('user', 'The service does not run as root.')
}

const checkSecrets = ({ dataDir, databaseUrl, givenSecrets }: Config) => {
  if (givenSecrets && databaseUrl) return ok('secrets', 'SESSION_SECRET and HASH_KEY are set.')
  const file = secretsFile(dataDir)
  if (!existsSync(file))
    return fail('secrets', `${file} does not exist. Set DATA_DIR to the same value as the service, or start it once.`)
  const mode = statSync(file).mode & 0o777
  return mode & 0o077
    ? fail('secrets', `${file} is readable by others (mode ${mode.toString(8)}). Run: chmod 600 ${file}`)
    : ok('secrets', `${file} is readable only by its owner.`)
}

const checkDisk = ({ dataDir }: Config) => {
  const disk = readDisk(dataDir)
  if (!disk) return fail('disk', `${dataDir} does not exist. Set DATA_DIR to the same value as the service.`)
  const { freeBytes, totalBytes } = disk
  const percent = Math.floor((100 * freeBytes) / totalBytes)
  const free = `${(freeBytes / GB).toFixed(1)} GB (${percent} %) free`
  if (freeBytes < GB || percent < 3) return fail('disk', `${free}. When it is full, nothing more is recorded.`)
  return percent < MIN_FREE_PERCENT
    ? warn('disk', `${free}. Keep a third free: add space or set RETENTION_DAYS.`)
    : ok('disk', `${free}.`)
}

/** Attribution windows, sessions and second factors depend on the time. */
const checkClock = () => {
  const { status, stdout } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
  })
  if (status !== 0)
    return ok('clock', 'This system does not tell whether its clock is synchronized; compared with the database below.')
  return stdout.trim() === 'yes'
    ? ok('clock', 'The system clock is synchronized.')
    : warn('clock', 'The system clock is not synchronized. Run: timedatectl set-ntp true')
}

/** Each node knows only its own backups. */
const checkBackup = ({ dataDir, databaseUrl, backup }: Config) => {
  const last = findLastBackup(dataDir)
  const advice = `Run tributary backup every night${databaseUrl ? '; with several nodes, on one of them' : ''}.`
  if (!last) return warn('backup', `This node has made no backup yet. ${advice}`)
  const age = (Date.now() - last.at.getTime()) / 1000
  const made = `The last backup is ${formatAge(age)} old (${last.to})`
  if (age > LATE_BACKUP_SECONDS) return warn('backup', `${made}. ${advice}`)
  return ok('backup', `${made}${backup.key ? ', encrypted' : ''}.`)
}

const checkArchive = ({ dataDir, backup: { archiveDir } }: Config) => {
  if (!archiveDir) return []
  const until = findInstanceArchivedUntil(archiveDir, dataDir)
  if (!until) return [fail('archive', `Nothing has been archived to ${archiveDir}. Start the service and see its log.`)]
  const age = (Date.now() - until.getTime()) / 1000
  return age > LATE_ARCHIVE_SECONDS
    ? [fail('archive', `The archive is ${formatAge(age)} behind. If the service runs, its log says why.`)]
    : [ok('archive', `The archive is ${formatAge(age)} behind.`)]
}

const checkArchiveDisk = ({ dataDir, databaseUrl, backup: { archiveDir } }: Config) => {
  if (databaseUrl) return []
  if (!archiveDir)
    return [warn('archive', 'ARCHIVE_DIR is not set, so a lost disk takes everything since the last backup with it.')]
  return isOnSameDisk(archiveDir, findHome(dataDir))
    ? [warn('archive', `${archiveDir} is on the disk of the database, so both are lost together. Use another disk.`)]
    : []
}

const isOnSameDisk = (one: string, other: string) =>
  existsSync(one) && existsSync(other) && statSync(one).dev === statSync(other).dev
