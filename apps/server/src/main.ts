import { accessSync, constants, mkdirSync } from 'node:fs'
import { inspect } from 'node:util'
import { type Config, readConfig, readNodeName } from './config/config.ts'
import { explainWriteError, StartupError } from './config/startup-error.ts'
import { isRoot } from './database/embedded/account.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { captureOutput, createLog, exitWith, isTerminal, tell } from './log.ts'
import { findPreparedSecrets, openSecrets, type Secrets } from './secrets.ts'
import { chownServerLog, dropPrivileges, findServiceAccount, ROOT_ADVICE } from './startup/drop-privileges.ts'
import { lockInstance } from './startup/instance-lock.ts'

/** For the operator, so at any LOG_LEVEL. */
const log = createLog('info', { node: readNodeName(process.env) })

/** The only argument: an upgrade of the embedded database takes no backup first. */
const WITHOUT_BACKUP = '--without-backup'

/** One Ctrl-C arrives several times: from the terminal, from npm and from the launcher. */
const ONE_KEYPRESS_MS = 300

const start = async () => {
  const config = readConfig(process.env)
  const { lock, secrets: found } = openDataDir(config)
  const starter = loadStarter(config)
  starter.catch(() => {}) // handled below, after Postgres has stopped
  const postgres = config.databaseUrl ? null : await startOwnPostgres(config, found.databasePassword)
  try {
    const startInstance = await starter
    const serviceAccount = findServiceAccount(postgres?.account ?? null)
    const urls = databaseUrls(config, postgres)
    const secrets = await settleSecrets(config, found, urls.ownerUrl)
    const withoutBackup = process.argv.includes(WITHOUT_BACKUP)
    const service = await startInstance({ config, secrets, serviceAccount, withoutBackup, ...urls })
    // The parent of the workers stays root so that it can bind the port for their replacements; it serves no requests.
    if (serviceAccount && config.workers === 1) {
      chownServerLog(config.dataDir, serviceAccount)
      dropPrivileges(serviceAccount)
    }
    const archive = await startArchive(config, postgres, secrets)
    const stop = async () => {
      await service.stop()
      await archive?.stop()
      await postgres?.stop()
      lock.release()
    }
    return { ...service, advice: isRoot() && !serviceAccount ? ROOT_ADVICE : null, stop }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** Loads the rest of the code while Postgres starts; a start that is refused earlier never loads it. */
const loadStarter = async ({ workers }: Config) =>
  workers === 1
    ? (await import('./service.ts')).startService
    : (await import('./workers/start-with-workers.ts')).startWithWorkers

const databaseUrls = (config: Config, postgres: { url: string; serviceUrl: string } | null) => ({
  databaseUrl: config.databaseUrl ?? postgres?.serviceUrl ?? '',
  ownerUrl: config.databaseOwnerUrl ?? config.databaseUrl ?? postgres?.url ?? '',
})

const openDataDir = (config: Config) => {
  const { dataDir } = config
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK) // SQLite would only say that it cannot open the lock
    return { lock: lockInstance(dataDir), secrets: openSecrets(config) }
  } catch (error) {
    throw explainWriteError(`DATA_DIR (${dataDir})`, error)
  }
}

/** After a rotation of the session secret that was interrupted. */
const settleSecrets = async (config: Config, secrets: Secrets, ownerUrl: string) => {
  if (!findPreparedSecrets(config.dataDir)) return secrets
  const [{ asOwner }, { settleSessionSecret }] = await Promise.all([
    import('./database/start/as-owner.ts'),
    import('./accounts/settle-session-secret.ts'),
  ])
  return asOwner(ownerUrl, (db) => settleSessionSecret(db, { config, secrets }))
}

const startOwnPostgres = ({ dataDir, backup: { archiveDir } }: Config, password: string) =>
  startEmbeddedPostgres({ dataDir, password, archiveDir, log: (sentence) => tell(log, 'warn', sentence) })

const startArchive = async (
  { backup }: Config,
  postgres: { url: string; directory: string; archive: string | null } | null,
  secrets: Secrets,
) => {
  if (!backup.archiveDir || !postgres?.archive) return null
  const { startArchiving } = await import('./database/archive/start-archiving.ts')
  const { archiveDir, archiveDays: days } = backup
  const { url: ownerUrl, directory: cluster, archive } = postgres
  return startArchiving({ ownerUrl, cluster, archiveDir, archive, days, secrets, log })
}

/** The first signal drains, a second one exits immediately. Either way the watchdog stops Postgres. */
const stopOnSignals = (running: ReturnType<typeof start>) => {
  let signaledAt: number | null = null
  const onSignal = async () => {
    if (signaledAt !== null) {
      if (Date.now() - signaledAt > ONE_KEYPRESS_MS) process.exit(1)
      return
    }
    signaledAt = Date.now()
    try {
      await (await running).stop()
      await exitWith(0)
    } catch (error) {
      await reportAndExit(error)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('SIGUSR2', async () => (await running).roll())
  // Closes when the launcher is killed.
  process.on('disconnect', onSignal)
}

/** An operator can fix a StartupError, so it prints one sentence. Anything else is a bug and prints in full. */
const reportAndExit = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof StartupError) tell(log, 'fatal', error.message)
  else if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST'].includes(code))
    tell(log, 'fatal', `Tributary could not start: ${(error as Error).message}.`)
  else log.fatal({ error: inspect(error) }, 'Tributary could not start') // Bun's own errors cannot be serialized
  return exitWith(1)
}

/** Exits with an error once the database has another version's schema, so that a supervisor notices. */
const stopOnSchemaMismatch = async (running: ReturnType<typeof start>) => {
  const { mustStop, stop } = await running
  tell(log, 'fatal', await mustStop)
  await stop()
  await exitWith(1)
}

// An unhandled rejection is a bug; it is logged, and other requests are still served.
captureOutput(log)

// Register signal handlers first: a signal during startup must not kill the process without cleanup.
const running = Promise.resolve().then(start)
stopOnSignals(running)
try {
  const { announcement, advice } = await running
  if (isTerminal) console.log(announcement.banner)
  else log.info(announcement.fields, `Tributary is running at ${announcement.url}`)
  if (advice) tell(log, 'warn', advice)
  void stopOnSchemaMismatch(running).catch(reportAndExit)
} catch (error) {
  await reportAndExit(error)
}
