import { isAPIError } from 'better-auth/api'
import { isUniqueViolation } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { type Auth, type AuthOptions, createAuth } from './auth.ts'
import { type Claim, claimAccount } from './claim-account.ts'
import { isInvited } from './sign-up.ts'

const ATTEMPTS = 2

type Account = { name: string; email: string; password: string; invitationId?: string | undefined }
export type SignUp = {
  account: Account
  /** Judged already by who calls: sign-up is open to them, and they take nobody's place. */
  asPartner?: boolean
  headers?: Headers
  /** May create the account that an instance begins with: see first-account.ts. */
  mayBeFirst?: boolean
  /** By an invitation, which may claim an account: see claim-account.ts. */
  release?: Claim['release']
  /** They hold what was sent to the address and shown to nobody else. */
  isVerified?: boolean
  /** What else is made for them, or not at all. */
  also?: (tx: Tx, user: { id: string; name: string; email: string }) => Promise<unknown>
}
export type SignUps = ReturnType<typeof signUpsOf>

/**
 * An account, in one transaction with what else is made for its owner. The library works on the connection of that
 * transaction: where each sign-up held one and waited for a second, many at once had them all and nobody got on.
 */
export const signUpsOf = (db: Database, options: Omit<AuthOptions, 'db' | 'onError'>) => async (signUp: SignUp) => {
  const { asPartner, mayBeFirst } = signUp
  for (let attempt = 1; ; attempt++) {
    const failure: { cause?: unknown } = {}
    try {
      return await inTransaction(db, (tx) => {
        const onError = (_: string, cause: unknown) => {
          failure.cause = cause
        }
        return makeAccount(tx, createAuth({ ...options, db: tx, onError, asPartner, mayBeFirst }), signUp)
      })
    } catch (error) {
      if (!isAPIError(error) || error.body?.code !== 'FAILED_TO_CREATE_USER') throw error
      // All that the library says of a row that it could not write. What went wrong is for our own handler to judge.
      if (!isUniqueViolation(failure.cause)) throw failure.cause ?? error
      // Somebody else was first, with the address or as the first of all: who looks again is told what is true now.
      if (attempt === ATTEMPTS) throw error
    }
  }
}

const makeAccount = async (tx: Tx, auth: Auth, signUp: SignUp) => {
  const { account, headers, also, isVerified } = signUp
  const call = { returnHeaders: true, ...(headers && { headers }) } as const
  const { email, password } = account
  const made = (await isClaimed(tx, auth, signUp))
    ? await auth.api.signInEmail({ body: { email, password }, ...call })
    : await auth.api.signUpEmail({ body: account, ...call })
  const { user } = made.response
  if (isVerified) await (await auth.$context).internalAdapter.updateUser(user.id, { emailVerified: true })
  await also?.(tx, user)
  return { response: { user }, headers: made.headers }
}

const isClaimed = async (tx: Tx, auth: Auth, { account, asPartner, release }: SignUp) => {
  if (!release || !(asPartner || (await isInvited(tx, account.email, account)))) return false
  return claimAccount(tx, auth, { account, release })
}

/** Null where the address has an account, and nothing was made for that reason alone. */
export const orKnownAddress = async <Made>(signingUp: Promise<Made>): Promise<Made | null> => {
  try {
    return await signingUp
  } catch (error) {
    if (isAPIError(error) && error.body?.code === 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL') return null
    throw error
  }
}
