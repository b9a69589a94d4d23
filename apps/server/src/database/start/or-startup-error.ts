import { StartupError } from '../../config/startup-error.ts'
import { isTransientError } from '../transient-errors.ts'

/** Wrong password, no such role, no such database. */
const AUTHENTICATION_FAILED = /^(28|3D)/

const INSUFFICIENT_PRIVILEGE = '42501'
const DISK_FULL = '53100'

/** The server does not support TLS, or its certificate is not trusted. */
const NO_TLS = /CERT|TLS|SSL|LEAF_SIGNATURE/

/** Turns database errors that an operator can fix into a StartupError. For startup and commands, not for recurring jobs. */
export const orStartupError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw asStartupError(error)
  })

const asStartupError = (error: unknown) => {
  if (error instanceof StartupError) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (AUTHENTICATION_FAILED.test(code))
    return new StartupError(
      `The database refused the connection (${message}). Check the user, password and database name in DATABASE_URL.`,
    )
  if (code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(
      `The user in DATABASE_URL cannot prepare the database (${message}). Give it CREATEROLE and its own database, or create the role tributary_app and grant it to the user.`,
    )
  if (code === DISK_FULL)
    return new StartupError(`The database's disk is full (${message}). Free some space and try again.`)
  if (NO_TLS.test(code) || message.includes('does not support SSL'))
    return new StartupError(
      `Cannot connect to the database over TLS (${message}). In DATABASE_URL, use sslmode=disable for a server without TLS, or sslrootcert=<file> for one with a private certificate authority.`,
    )
  if (message.includes('unsupported startup parameter'))
    return new StartupError(
      `DATABASE_URL leads to a connection pooler such as PgBouncer (${message}). Connect to Postgres directly: locks, notifications, roles and timeouts belong to a session.`,
    )
  if (isTransientError(error))
    return new StartupError(
      `Cannot reach the database (${message || code}). Check DATABASE_URL and that the server is running.`,
    )
  return error
}
