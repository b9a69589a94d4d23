/** tributary admin disable-two-factor EMAIL: for someone who lost their authenticator app and recovery codes. */

import { createAuth } from '../accounts/auth.ts'
import { resetTwoFactor } from '../accounts/reset-two-factor.ts'
import { systemClock } from '../clock.ts'
import { TRIBUTARY } from '../config/command-name.ts'
import { StartupError } from '../config/startup-error.ts'
import { inTransaction } from '../database/transaction.ts'
import { recordAccountChange } from './admin/record-account-change.ts'
import { withErrorOutput } from './terminal.ts'
import { withServiceDatabase } from './with-service-database.ts'

const USAGE = `${TRIBUTARY} admin disable-two-factor ada@example.com`

export const command = withErrorOutput(async ({ args, env, print, printError }) => {
  const [email, ...more] = args
  if (!email?.includes('@') || more.length > 0) throw new StartupError(`Name one account. Usage: ${USAGE}`)
  await withServiceDatabase(env, async ({ db, config, secrets }) => {
    const onError = (_: string, cause: unknown) => printError(cause)
    const options = { secret: secrets.sessionSecret, baseUrl: config.baseUrl, openSignup: false, onError }
    const outcome = await inTransaction(db, async (tx) => {
      const reset = await resetTwoFactor(tx, createAuth({ ...options, db: tx }), email)
      if (reset.outcome === 'reset')
        await recordAccountChange(tx, { user: reset.user, action: 'two-factor sign-in reset', at: systemClock() })
      return reset.outcome
    })
    if (outcome === 'unknown') throw new StartupError(`No account has the address ${email}.`)
    if (outcome === 'off') throw new StartupError(`${email} does not use two-factor sign-in. Nothing was changed.`)
    print(`Two-factor sign-in is off for ${email}, and all their sessions have ended.`)
  })
  return 0
})
