import { StartupError } from '../config/startup-error.ts'

/** SQLSTATE classes and codes that describe the server's state rather than a faulty statement. */
const TRANSIENT_CLASSES = ['08', '53', '57', '58']
const TRANSIENT_CODES = ['25006', '25P03', '25P04', '40001', '40P01', '55P03', '72000']
const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The local socket's backlog is full.
  'EAGAIN',
  'ECONNABORTED',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_SOCKET_CLOSED',
]
/** Errors that `pg` reports without a code when it loses, or cannot get, a connection. */
const DRIVER_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed|Cannot use a pool after|connection.*closed/i

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A migration changed a table under a prepared statement. The connection must be replaced; a retry succeeds on a new one. */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan')

/** Whether a retry is likely to succeed: the caller gets 503, not 500. */
export const isTransientError = (error: unknown): boolean => {
  // The pool rejected the connection before using it (check-connection.ts).
  if (error instanceof StartupError) return true
  const code = codeOf(error)
  if (SOCKET_CODES.includes(code) || TRANSIENT_CODES.includes(code) || isOutdatedPlan(error)) return true
  if (/^[0-9A-Z]{5}$/.test(code)) return TRANSIENT_CLASSES.includes(code.slice(0, 2))
  return error instanceof Error && DRIVER_MESSAGES.test(error.message)
}

/** The kind of a transient error: its SQLSTATE or socket code. Errors of the driver have none. */
export const kindOfTransientError = (error: unknown) =>
  error instanceof StartupError ? 'unsuitable' : codeOf(error) || 'connection'

/** Whether the commit's outcome is unknown because the connection was lost before the response. */
export const isLostConnection = (error: unknown): boolean =>
  isTransientError(error) &&
  !(error instanceof StartupError) &&
  !['0A', '53', '25', '40', '55'].includes(codeOf(error).slice(0, 2))

/** A lock was not free in time. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'

/** A NUL byte or half a surrogate pair, which Postgres cannot store. */
export const isUnstorableText = (error: unknown): boolean => ['22021', '22P05'].includes(codeOf(error))
