import { randomBytes } from 'node:crypto'
import { changeSessionSecret, isSessionSecretOf } from '../../accounts/operator.ts'
import { StartupError } from '../../config/startup-error.ts'
import { isServiceRunning } from '../../database/schema/installed.ts'
import { inTransaction } from '../../database/transaction.ts'
import { adoptSecrets, prepareSecrets } from '../../secrets.ts'
import { formatCount, type Terminal, withErrorOutput } from '../terminal.ts'
import { type CommandContext, withServiceDatabase } from '../with-service-database.ts'
import { readArguments } from './read-arguments.ts'

export const rotateSessionSecret = withErrorOutput(async ({ args, env, print }) => {
  readArguments(args, { usage: 'rotate-session-secret' })
  await withServiceDatabase(env, (context) => rotate(context, print))
  return 0
})

const rotate = async ({ db, config, secrets }: CommandContext, print: Terminal['print']) => {
  if (await isServiceRunning(db))
    throw new StartupError('The service is running. Stop every node first: a running service keeps the old secret.')
  if ((await isSessionSecretOf(db, secrets.sessionSecret)) === false)
    throw new StartupError(
      'This is not the session secret of this database. If an earlier rotation was interrupted, set SESSION_SECRET to the value that it printed.',
    )
  const next = { ...secrets, sessionSecret: randomBytes(32).toString('base64url') }
  // Before the commit: a kill between the two must not lose the secret that authenticator apps then depend on.
  if (config.givenSecrets) print(`The new session secret is ${next.sessionSecret}`)
  else prepareSecrets(config.dataDir, next)
  const { sessions, accounts } = await inTransaction(db, (tx) =>
    changeSessionSecret(tx, { from: secrets.sessionSecret, to: next.sessionSecret }),
  )
  if (!config.givenSecrets) adoptSecrets(config.dataDir, next)
  print(`The session secret is new. ${formatCount(sessions, 'session')} ended, so everyone signs in again.`)
  if (accounts > 0)
    print(
      `Recovery codes of ${formatCount(accounts, 'account')} stopped working. They can create new ones in their settings.`,
    )
  if (config.givenSecrets) print('Set SESSION_SECRET to it on every node before you start them.')
}
