import { StartupError } from '../config/startup-error.ts'

/** SQLSTATE classes and codes that speak of the server's condition, not of what it was asked. */
const WEATHER_CLASSES = ['08', '53', '57', '58']
const WEATHER_CODES = ['25006', '25P03', '25P04', '40001', '40P01', '55P03', '72000']
const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A local socket whose server is too busy to take another connection.
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
/** What `pg` says without a code when a connection is lost, cannot be had in time, or does not answer. */
const DRIVER_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed|Cannot use a pool after|connection.*closed/i

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A newer version has changed a table under a prepared statement. Its connection is of no use any more; the next one is. */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan')

/** True where the same call may well succeed a little later: the caller is told 503, not 500. */
export const isBadWeather = (error: unknown): boolean => {
  // A connection that was refused before anything was sent over it (check-connection.ts).
  if (error instanceof StartupError) return true
  const code = codeOf(error)
  if (SOCKET_CODES.includes(code) || WEATHER_CODES.includes(code) || isOutdatedPlan(error)) return true
  if (/^[0-9A-Z]{5}$/.test(code)) return WEATHER_CLASSES.includes(code.slice(0, 2))
  return error instanceof Error && DRIVER_MESSAGES.test(error.message)
}

/** True where nobody can say whether the transaction was committed: the connection went away before its answer. */
export const isLostConnection = (error: unknown): boolean =>
  isBadWeather(error) &&
  !(error instanceof StartupError) &&
  !['0A', '53', '25', '40', '55'].includes(codeOf(error).slice(0, 2))

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'

/** Text with a NUL byte or half of a surrogate pair, which no column can hold. */
export const isUnstorableText = (error: unknown): boolean => ['22021', '22P05'].includes(codeOf(error))
