import { existsSync, mkdirSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { chooseBase } from '../database/archive/choose-archive.ts'
import { startFromArchive } from '../database/archive/restore-archive.ts'
import { loadSecrets, saveSecrets, secretsFile } from '../secrets.ts'
import { lockInstance } from '../startup/instance-lock.ts'
import { refuseOtherGivenSecrets } from './open-empty-database.ts'

/** Reads `--to`: the time to restore, with its zone. It includes its whole millisecond. */
export const readTime = (value: string | undefined) => {
  if (value === undefined) return null
  const time = new Date(value)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(time.getTime()))
    throw new StartupError(`--to must be a time with its zone, such as 2026-11-18T10:00:00Z, not "${value}".`)
  return time
}

type Options = { archiveDir: string; to: Date | null; force: boolean; print: (line: string) => void }

/** Opens the embedded database as it was at the time. `close` also removes the replaced files. */
export const openFromArchive = async (config: Config, { archiveDir, to, force, print }: Options) => {
  const { dataDir, databaseUrl, givenSecrets } = config
  if (databaseUrl) throw new StartupError('An archive restores only the embedded database. Unset DATABASE_URL.')
  const { archive, base } = chooseBase(archiveDir, to)
  if (!existsSync(secretsFile(base.folder))) throw new StartupError(`${base.folder} is damaged: it has no secrets.`)
  const secrets = loadSecrets(base.folder)
  refuseOtherGivenSecrets(givenSecrets, secrets)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockInstance(dataDir)
  try {
    print(
      `Copy from ${base.finishedAt.toISOString()}. Replaying the log ${to ? `up to ${to.toISOString()}` : 'to its end'}.`,
    )
    const password = secrets.databasePassword
    const server = await startFromArchive({ dataDir, archive, base, to, password, force })
    saveSecrets(dataDir, secrets)
    const close = async () => {
      await server.stop()
      server.finish()
      lock.release()
    }
    return { url: server.url, close }
  } catch (error) {
    lock.release()
    throw error
  }
}
