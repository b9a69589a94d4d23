import { StartupError } from '../../config/startup-error.ts'
import { isBadWeather } from '../bad-weather.ts'

/** Wrong password, no such role, no such database. */
const REFUSED_AT_THE_DOOR = /^(28|3D)/

const INSUFFICIENT_PRIVILEGE = '42501'
const DISK_FULL = '53100'

/** A server without TLS that was asked for it, or a certificate that nobody vouches for. */
const NO_TLS = /CERT|TLS|SSL|LEAF_SIGNATURE/

/**
 * For work on the database that somebody waits for who has just started the service or a command: what they can mend is told
 * in one sentence. What recurs has nobody to tell it to, and does without.
 */
export const orStartupError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw asStartupError(error)
  })

const asStartupError = (error: unknown) => {
  if (error instanceof StartupError) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (REFUSED_AT_THE_DOOR.test(code))
    return new StartupError(
      `The database does not let us in (${message}). Check user, password and name in DATABASE_URL.`,
    )
  if (code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(
      `The user in DATABASE_URL may not prepare the database (${message}). Give it CREATEROLE and its own database, or create the role tributary_app and grant it to the user.`,
    )
  if (code === DISK_FULL)
    return new StartupError(`The disk of the database is full (${message}). Make room there and try again.`)
  if (NO_TLS.test(code) || message.includes('does not support SSL'))
    return new StartupError(
      `The database cannot be reached by TLS (${message}). In DATABASE_URL, sslmode=disable is for a server without it, and sslrootcert=<file> for one with an authority of its own.`,
    )
  if (isBadWeather(error))
    return new StartupError(
      `The database cannot be reached (${message || code}). Check DATABASE_URL and that the server is running.`,
    )
  return error
}
