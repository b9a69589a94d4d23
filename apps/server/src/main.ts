import { mkdirSync } from 'node:fs'
import { readConfig } from './config/config.ts'
import { orNotWritable, StartupError } from './config/startup-error.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { lockInstance } from './instance-lock.ts'
import { loadSecrets } from './secrets.ts'
import { startService } from './service.ts'
import { startWithWorkers } from './workers/start-with-workers.ts'

/** A terminal's Ctrl-C comes to us more than once: from the terminal itself, from npm and from the launcher. */
const ONE_KEYPRESS_MS = 300

const start = async () => {
  const config = readConfig(process.env)
  const { lock, secrets } = enter(config.dataDir)
  const postgres = config.databaseUrl ? null : await startOwnPostgres(config.dataDir, secrets.databasePassword)
  try {
    const options = { config, secrets, databaseUrl: config.databaseUrl ?? postgres?.url ?? '' }
    const service = config.workers === 1 ? await startService(options) : await startWithWorkers(options)
    const stop = async () => {
      await service.stop()
      await postgres?.stop()
      lock.release()
    }
    return { ...service, stop }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

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

// A promise that nobody waited for is a bug to be seen and mended; the requests of everybody else go on.
process.on('unhandledRejection', (reason) => console.error('unhandled rejection', reason))

// Listening for signals comes first: one that arrives while the start works without a pause must not end us rudely.
const running = Promise.resolve().then(start)
stopWhenAsked(running)
try {
  console.log((await running).announcement)
} catch (error) {
  reportAndExit(error)
}
