import { refusalOf } from '../../accounts/as-refusal.ts'
import { LOCKED_SECONDS } from '../../accounts/second-factor.ts'
import { checkCode } from '../../accounts/two-factor-settings.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'

/** Checks the password of the signed-in user, if the account has one. Returns whether it has. */
export const requirePassword = async (c: Call, { auth }: Dependencies, password: string | undefined) => {
  const { internalAdapter, password: passwords } = await auth.$context
  const hash = (await internalAdapter.findCredentialAccount(c.get('user').id))?.password
  if (hash && !(password && (await passwords.verify({ hash, password }))))
    throw refusalOf(401, { code: 'INVALID_PASSWORD', message: 'Invalid password' })
  return Boolean(hash)
}

/** Checks and uses up a code of the signed-in user's authenticator app. */
export const requireCode = async (c: Call, { auth, db }: Dependencies, code: string | undefined) => {
  const { secretConfig: key } = await auth.$context
  const use = await checkCode(db, { userId: c.get('user').id, code: code ?? '', key })
  if (use === 'locked')
    throw new Refusal('rate_limited', 'Too many wrong codes. Try again in 15 minutes.', {
      retryAfterSeconds: LOCKED_SECONDS,
    })
  if (use !== 'accepted') throw refusalOf(401, { code: use === 'used' ? 'CODE_ALREADY_USED' : 'INVALID_CODE' })
}
