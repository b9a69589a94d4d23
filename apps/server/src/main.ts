import { mkdirSync } from 'node:fs'
import { type Config, readConfig } from './config/config.ts'
import { orNotWritable, StartupError } from './config/startup-error.ts'
import { isRoot } from './database/embedded/account.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { accountInsteadOfRoot, dropPrivileges, lendServerLog, ROOT_ADVICE } from './drop-privileges.ts'
import { lockInstance } from './instance-lock.ts'
import { loadSecrets } from './secrets.ts'

/** A terminal's Ctrl-C comes to us more than once: from the terminal itself, from npm and from the launcher. */
const ONE_KEYPRESS_MS = 300

const start = async () => {
  const config = readConfig(process.env)
  const { lock, secrets } = enter(config.dataDir)
  const rest = loadRest(config)
  rest.catch(() => {}) // Told below, where Postgres is stopped first.
  const postgres = config.databaseUrl ? null : await startOwnPostgres(config.dataDir, secrets.databasePassword)
  try {
    const begin = await rest
    const instead = accountInsteadOfRoot(postgres?.account ?? null)
    const service = await begin({ config, secrets, instead, ...addressesFor(config, postgres) })
    // The parent of workers stays root, to take the port for the next ones; it answers no request.
    if (instead && config.workers === 1) {
      lendServerLog(config.dataDir, instead)
      dropPrivileges(instead)
    }
    const stop = async () => {
      await service.stop()
      await postgres?.stop()
      lock.release()
    }
    return { ...service, advice: isRoot() && !instead ? ROOT_ADVICE : null, stop }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** The rest of the code is read while Postgres starts, and not at all by a start that was refused before. */
const loadRest = async ({ workers }: Config) =>
  workers === 1
    ? (await import('./service.ts')).startService
    : (await import('./workers/start-with-workers.ts')).startWithWorkers

const addressesFor = (config: Config, postgres: { url: string; serviceUrl: string } | null) => ({
  databaseUrl: config.databaseUrl ?? postgres?.serviceUrl ?? '',
  ownerUrl: config.databaseOwnerUrl ?? config.databaseUrl ?? postgres?.url ?? '',
})

const enter = (dataDir: string) => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return { lock: lockInstance(dataDir), secrets: loadSecrets(dataDir) }
  } catch (error) {
    throw orNotWritable(`DATA_DIR (${dataDir})`, error)
  }
}

const startOwnPostgres = (dataDir: string, password: string) =>
  startEmbeddedPostgres({ dataDir, password, log: (line) => console.error(line) })

/** The first signal drains; a second one does not wait. Postgres goes with us in either case: its watchdog sees to it. */
const stopWhenAsked = (running: ReturnType<typeof start>) => {
  let askedAt: number | null = null
  const onSignal = async () => {
    if (askedAt !== null) {
      if (Date.now() - askedAt > ONE_KEYPRESS_MS) process.exit(1)
      return
    }
    askedAt = Date.now()
    try {
      await (await running).stop()
      process.exit(0)
    } catch (error) {
      reportAndExit(error)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('SIGUSR2', async () => (await running).roll())
  // The launcher's end of this channel closes when the launcher is killed outright.
  process.on('disconnect', onSignal)
}

/** What a person can mend is one sentence; anything else is a bug and shown whole. */
const reportAndExit = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof StartupError) console.error(error.message)
  else if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST'].includes(code)) {
    console.error(`Tributary could not start: ${(error as Error).message}.`)
  } else console.error(error)
  process.exit(1)
}

/** The database's schema is another version's: says why, answers what it has, and ends so that whoever watches it can see. */
const stopWhenSchemaDiffers = async (running: ReturnType<typeof start>) => {
  const { mustStop, stop } = await running
  console.error(await mustStop)
  await stop()
  process.exit(1)
}

// A promise that nobody waited for is a bug to be seen and mended; the requests of everybody else go on.
process.on('unhandledRejection', (reason) => console.error('unhandled rejection', reason))

// Listening for signals comes first: one that arrives while the start works without a pause must not end us rudely.
const running = Promise.resolve().then(start)
stopWhenAsked(running)
try {
  const { announcement, advice } = await running
  console.log(announcement)
  if (advice) console.error(advice)
  void stopWhenSchemaDiffers(running).catch(reportAndExit)
} catch (error) {
  reportAndExit(error)
}
