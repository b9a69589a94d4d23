import { isAPIError } from 'better-auth/api'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { isUniqueViolation } from '../database/transient-errors.ts'
import { type Auth, type AuthOptions, createAuth } from './auth.ts'
import { isInvited } from './sign-up.ts'
import { removeTwoFactor } from './two-factor-settings.ts'

const ATTEMPTS = 2

type Account = { name: string; email: string; password: string; invitationId?: string | undefined }
export type SignUp = {
  account: Account
  /** The caller has already authorized this sign-up; the account is never the first. */
  asPartner?: boolean
  headers?: Headers
  /** May create the first account: see first-account.ts. */
  mayBeFirst?: boolean
  /** The sign-up holds an invitation, which may claim an account: see claim-account.ts. */
  release?: Claim['release']
  /** The holder presented a secret that was sent only to this address. */
  isVerified?: boolean
  /** Adds what belongs to the account, in its transaction. */
  complete?: (tx: Tx, user: { id: string; name: string; email: string }) => Promise<unknown>
}
export type SignUps = ReturnType<typeof createSignUp>

/**
 * Creates an account and whatever else belongs to it in one transaction. better-auth uses that transaction's connection: with
 * a second one per sign-up, concurrent sign-ups would exhaust the pool and deadlock.
 */
export const createSignUp = (db: Database, options: Omit<AuthOptions, 'db' | 'onError'>) => async (signUp: SignUp) => {
  const { asPartner, mayBeFirst } = signUp
  for (let attempt = 1; ; attempt++) {
    const failure: { cause?: unknown } = {}
    try {
      const onError = (_: string, cause: unknown) => {
        failure.cause = cause
      }
      const create = (tx: Tx) =>
        createAccount(tx, createAuth({ ...options, db: tx, onError, asPartner, mayBeFirst }), signUp)
      return await inTransaction(db, create)
    } catch (error) {
      if (!isAPIError(error) || error.body?.code !== 'FAILED_TO_CREATE_USER') throw error
      // better-auth hides why the insert failed; our error handler needs the cause.
      if (!isUniqueViolation(failure.cause)) throw failure.cause ?? error
      // Another sign-up took the address or became the first account: retry to report the current state.
      if (attempt === ATTEMPTS) throw error
    }
  }
}

const createAccount = async (tx: Tx, auth: Auth, signUp: SignUp) => {
  const { account, headers, complete, isVerified } = signUp
  const call = { returnHeaders: true, ...(headers && { headers }) } as const
  const { email, password } = account
  const created = (await tryClaim(tx, auth, signUp))
    ? await auth.api.signInEmail({ body: { email, password }, ...call })
    : await auth.api.signUpEmail({ body: account, ...call })
  const { user } = created.response
  if (isVerified) await (await auth.$context).internalAdapter.updateUser(user.id, { emailVerified: true })
  await complete?.(tx, user)
  return { response: { user }, headers: created.headers }
}

const tryClaim = async (tx: Tx, auth: Auth, { account, asPartner, release }: SignUp) => {
  if (!release || !(asPartner || (await isInvited(tx, account.email, account)))) return false
  return claimAccount(tx, auth, { account, release })
}

/** Null if the address already has an account; other errors are rethrown. */
export const nullIfEmailTaken = async <Created>(signUp: Promise<Created>): Promise<Created | null> => {
  try {
    return await signUp
  } catch (error) {
    if (isAPIError(error) && error.body?.code === 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL') return null
    throw error
  }
}

type Claim = {
  account: { name: string; email: string; password: string }
  /** Detaches what an account may hold and still be claimed; false if it holds more. */
  release: (tx: Tx, userId: string) => Promise<boolean>
}

/**
 * Anyone can sign up with an address that is not theirs. If the invited address has an unverified account without memberships,
 * the invitation's holder takes it over, with a new name and password and without its sessions and second factor.
 */
const claimAccount = async (tx: Tx, auth: Auth, { account, release }: Claim): Promise<boolean> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', account.email.toLowerCase())
    .where('emailVerified', '=', false)
    .where('isFirst', '=', false)
    .where('isDemo', '=', false)
    // Concurrent inserts of a membership reference this row, so they wait.
    .forUpdate()
    .executeTakeFirst()
  if (!user) return false
  const member = await tx.selectFrom('members').select('id').where('userId', '=', user.id).executeTakeFirst()
  if (member || !(await release(tx, user.id))) return false
  const { internalAdapter, password } = await auth.$context
  await internalAdapter.updatePassword(user.id, await password.hash(account.password))
  await internalAdapter.deleteUserSessions(user.id)
  await removeTwoFactor(tx, user.id)
  await internalAdapter.updateUser(user.id, { name: account.name, twoFactorEnabled: false })
  return true
}
