import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { StartupError } from '../../src/config/startup-error.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { isLongRun } from '../support/size.ts'
import { givenService, launchService } from './given-service.ts'

type Env = { DATA_DIR: string; DATABASE_URL: string; DATABASE_OWNER_URL?: string; DEMO?: string }

/** What a start does with its database before it takes the first request. */
const prepare = (env: Env) =>
  prepareDatabase({
    config: readConfig({ DEMO: 'false', ...env }),
    secrets: loadSecrets(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    ownerUrl: env.DATABASE_OWNER_URL ?? env.DATABASE_URL,
    clock: systemClock,
  })

/** How a start ends that its database does not allow: in the long form a real process, in the short one its first steps here. */
export const refusedStart = async (env: Env) => {
  if (isLongRun) return launchService({ env }).ended()
  const error = await prepare(env).catch((reason: unknown) => reason)
  if (!(error instanceof StartupError)) throw new Error(`it was not refused, but ${Bun.inspect(error)}`)
  return { code: 1, stdout: '', stderr: `${error.message}\n` }
}

/** A start that its database allows, in the same two forms. */
export const startOn = async (env: Env) => {
  if (!isLongRun) return prepare(env)
  const service = await givenService({ env })
  service.kill('SIGTERM')
  await service.ended()
}
