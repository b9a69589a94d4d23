import { isAPIError } from 'better-auth/api'
import { Refusal, type RefusalCode } from '../refusal.ts'
import { LOCKED_SECONDS } from './second-factor.ts'

const BY_CODE: Record<string, RefusalCode> = {
  SIGN_UP_CLOSED: 'sign_up_closed',
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_PASSWORD: 'invalid_credentials',
  USER_ALREADY_EXISTS: 'conflict',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'conflict',
  FAILED_TO_CREATE_USER: 'conflict',
  INVALID_TOKEN: 'not_found',
  INVALID_CODE: 'invalid_credentials',
  INVALID_BACKUP_CODE: 'invalid_credentials',
  CODE_ALREADY_USED: 'invalid_credentials',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'unauthenticated',
  TOTP_ALREADY_ENABLED: 'conflict',
  TOTP_NOT_ENABLED: 'conflict',
  TWO_FACTOR_NOT_ENABLED: 'conflict',
}
const ONLY_OWNER = 'This is the only owner of the workspace. Make another member an owner first'
const KNOWN_ADDRESS =
  'An account with this email address already exists. Sign in instead, or use “Forgot your password?” to set a new password'
const SIGN_IN_AGAIN = 'This sign-in has expired or had too many wrong codes. Sign in again'
const MESSAGES: Record<string, string> = {
  USER_ALREADY_EXISTS: KNOWN_ADDRESS,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: KNOWN_ADDRESS,
  INVALID_TOKEN: 'This link has expired or was already used. Request a new one',
  INVALID_CODE: 'This code is wrong or has expired. Enter the code that your authenticator app shows now',
  INVALID_BACKUP_CODE: 'This recovery code is wrong or was already used. Try another one',
  CODE_ALREADY_USED: 'This code was already used. Wait for the next one',
  INVALID_TWO_FACTOR_COOKIE: SIGN_IN_AGAIN,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: SIGN_IN_AGAIN,
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many wrong codes. Try again in 15 minutes',
  TOTP_ALREADY_ENABLED: 'Two-factor sign-in is already on. To move it to another device, turn it off first',
  TOTP_NOT_ENABLED: 'Start again: this account has no two-factor secret to confirm',
  TWO_FACTOR_NOT_ENABLED: 'Two-factor sign-in is not on. Turn it on first',
  FAILED_TO_CREATE_USER: 'Another sign-up happened at the same time. Try again',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: ONLY_OWNER,
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: ONLY_OWNER,
}
const BY_STATUS: Record<number, RefusalCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limited',
}
/** better-auth locks an account after too many wrong codes: accounts/second-factor.ts. */
const LOCKED = { retryAfterSeconds: LOCKED_SECONDS }

export type LibraryError = { code?: string; message?: string }

/**
 * Translates better-auth's errors. Its 500 is a failed database call, whose cause is only in the log; other failures reach us as
 * they were thrown.
 */
export const refusalOf = (status: number, { code = '', message }: LibraryError) => {
  if (status >= 500)
    return new Refusal('unavailable', 'Accounts are unavailable right now. Try again shortly.', {
      reason: 'accounts',
      retryAfterSeconds: 2,
    })
  const text = MESSAGES[code] ?? message
  return new Refusal(
    BY_CODE[code] ?? BY_STATUS[status] ?? 'invalid_request',
    text
      ? `${text.replace(/\.$/, '')}.`
      : 'The request is invalid. Check its fields against the API reference at /docs.',
    status === 429 ? LOCKED : {},
  )
}

/** Runs a better-auth call and turns its errors into refusals. */
export const asRefusal = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    if (isAPIError(error)) throw refusalOf(error.statusCode, error.body ?? {})
    throw error
  }
}
