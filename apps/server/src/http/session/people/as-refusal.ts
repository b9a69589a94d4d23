import type { ErrorCode } from '@tributary/contract'
import { isAPIError } from 'better-auth/api'
import { Refusal } from '../../../refusal.ts'

const BY_CODE: Record<string, ErrorCode> = {
  SIGN_UP_CLOSED: 'sign_up_closed',
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_PASSWORD: 'invalid_credentials',
  USER_ALREADY_EXISTS: 'conflict',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'conflict',
  FAILED_TO_CREATE_USER: 'conflict',
  INVALID_TOKEN: 'not_found',
}
const ONLY_OWNER = 'This is the only owner of the workspace. Make somebody else an owner first'
const KNOWN_ADDRESS =
  'An account with this e-mail address already exists. Sign in with it. If the password is not yours, “Forgot your password?” sets a new one where this service sends mail'
const WORDS: Record<string, string> = {
  USER_ALREADY_EXISTS: KNOWN_ADDRESS,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: KNOWN_ADDRESS,
  INVALID_TOKEN: 'This link was used or has expired. Ask for a new one',
  FAILED_TO_CREATE_USER: 'Somebody else signed up at the same moment. Try again',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: ONLY_OWNER,
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: ONLY_OWNER,
}
const BY_STATUS: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
}

export type LibraryError = { code?: string; message?: string }

/**
 * The library's refusals in our words. Its own 500 is what it makes of a database call that failed, with the cause in the
 * log only; anything else that goes wrong in it comes to us as it was thrown.
 */
export const refusalOf = (status: number, { code = '', message }: LibraryError) => {
  if (status >= 500)
    return new Refusal('unavailable', 'Accounts cannot be reached just now. Try again shortly.', {
      retryAfterSeconds: 2,
    })
  const words = WORDS[code] ?? message
  return new Refusal(
    BY_CODE[code] ?? BY_STATUS[status] ?? 'invalid_request',
    words ? `${words.replace(/\.$/, '')}.` : 'This request is not valid.',
  )
}

/** Runs a call of the library's own API, and turns what it throws into a refusal. */
export const asRefusal = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    if (isAPIError(error)) throw refusalOf(error.statusCode, error.body ?? {})
    throw error
  }
}
