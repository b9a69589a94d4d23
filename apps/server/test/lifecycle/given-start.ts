import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { StartupError } from '../../src/config/startup-error.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { prepareDatabase } from '../../src/startup/prepare-database.ts'
import { isLongRun } from '../support/size.ts'
import { givenService, launchService, until } from './given-service.ts'

type Env = { DATA_DIR: string; DATABASE_URL: string; DATABASE_OWNER_URL?: string; DEMO?: string }

/** The database preparation of a start, before the first request. */
const prepare = (env: Env, warn: (sentence: string) => void = () => {}) =>
  prepareDatabase({
    config: readConfig({ DEMO: 'false', ...env }),
    secrets: loadSecrets(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    ownerUrl: env.DATABASE_OWNER_URL ?? env.DATABASE_URL,
    clock: systemClock,
    log: { info: () => {}, warn },
  })

/**
 * How a start fails on a bad database: a real process in the long run, its first steps in this process in the short
 * one.
 */
export const refusedStart = async (env: Env) => {
  if (isLongRun) return launchService({ env }).ended()
  const error = await prepare(env).catch((reason: unknown) => reason)
  if (!(error instanceof StartupError)) throw new Error(`expected a refused start, got ${Bun.inspect(error)}`)
  return { code: 1, complaints: `${error.message}\n` }
}

/** A successful start, in the same two forms. Returns its warnings. */
export const startOn = async (env: Env) => {
  if (isLongRun) {
    const service = await givenService({ env })
    service.kill('SIGTERM')
    return (await service.ended()).complaints
  }
  const lines: string[] = []
  await prepare(env, (sentence) => lines.push(`${sentence}\n`))
  return lines.join('')
}

const JUST_POSTGRES = [process.execPath, join(import.meta.dir, 'just-postgres.ts')]

/** A process that owns a Postgres: the service in the long run, just Postgres in the short one. It is not ready yet. */
export const launchOwnerOfPostgres = (DATA_DIR: string) =>
  launchService({ env: { DATA_DIR }, ...(!isLongRun && { command: JUST_POSTGRES }) })

export const givenOwnerOfPostgres = async (DATA_DIR: string) => {
  if (isLongRun) return givenService({ env: { DATA_DIR } })
  const owner = launchOwnerOfPostgres(DATA_DIR)
  await until(async () => {
    if (!owner.isRunning()) throw new Error(`Postgres did not start: ${JSON.stringify(await owner.ended())}`)
    return owner.stdout().includes('Postgres runs')
  })
  return owner
}
