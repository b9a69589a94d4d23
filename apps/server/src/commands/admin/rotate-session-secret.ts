import { randomBytes } from 'node:crypto'
import { changeSessionSecret } from '../../accounts/operator.ts'
import { StartupError } from '../../config/startup-error.ts'
import { isServiceRunning } from '../../database/schema/installed.ts'
import { inTransaction } from '../../database/transaction.ts'
import { saveSecrets } from '../../secrets.ts'
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
  const sessionSecret = randomBytes(32).toString('base64url')
  const save = (value: string) => {
    if (!config.givenSecrets) saveSecrets(config.dataDir, { ...secrets, sessionSecret: value })
  }
  const { sessions, accounts } = await inTransaction(db, async (tx) => {
    const changed = await changeSessionSecret(tx, { from: secrets.sessionSecret, to: sessionSecret })
    // Before the commit: without the new secret, authenticator apps would stop working.
    save(sessionSecret)
    return changed
  }).catch((error) => {
    save(secrets.sessionSecret)
    throw error
  })
  print(`The session secret is new. ${formatCount(sessions, 'session')} ended, so everyone signs in again.`)
  if (accounts > 0)
    print(
      `Recovery codes of ${formatCount(accounts, 'account')} stopped working. They can create new ones in their settings.`,
    )
  if (config.givenSecrets)
    print(`Set SESSION_SECRET to this value on every node before you start them: ${sessionSecret}`)
}
