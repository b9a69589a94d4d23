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
const ONLY_OWNER = 'This is the only owner of the workspace. Make another member an owner first'
const KNOWN_ADDRESS =
  'An account with this email address already exists. Sign in instead, or use “Forgot your password?” to set a new password'
const MESSAGES: Record<string, string> = {
  USER_ALREADY_EXISTS: KNOWN_ADDRESS,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: KNOWN_ADDRESS,
  INVALID_TOKEN: 'This link has expired or was already used. Request a new one',
  FAILED_TO_CREATE_USER: 'Another sign-up happened at the same time. Try again',
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
 * Translates better-auth's errors. Its 500 is a failed database call, whose cause is only in the log; other failures reach us as
 * they were thrown.
 */
export const refusalOf = (status: number, { code = '', message }: LibraryError) => {
  if (status >= 500)
    return new Refusal('unavailable', 'Accounts are unavailable right now. Try again shortly.', {
      retryAfterSeconds: 2,
    })
  const text = MESSAGES[code] ?? message
  return new Refusal(
    BY_CODE[code] ?? BY_STATUS[status] ?? 'invalid_request',
    text
      ? `${text.replace(/\.$/, '')}.`
      : 'The request is invalid. Check its fields against the API reference at /docs.',
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
