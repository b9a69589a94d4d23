import { StartupError } from '../config/startup-error.ts'
import { isBadWeather } from './bad-weather.ts'
import { type Database, openDatabase, openPool } from './connect.ts'

/** Wrong password, no such role, no such database. */
const REFUSED_AT_THE_DOOR = /^(28|3D)/

const INSUFFICIENT_PRIVILEGE = '42501'

/** What must be done before the first request, on a connection of its own: a migration may take longer than a request. */
export const whileStarting = async <T>(databaseUrl: string, work: (db: Database) => Promise<T>): Promise<T> => {
  const pool = openPool(databaseUrl, { max: 2, name: 'tributary start', unhurried: true })
  try {
    return await work(openDatabase(pool))
  } catch (error) {
    throw asStartupError(error)
  } finally {
    await pool.end()
  }
}

const asStartupError = (error: unknown) => {
  const { code = '', message } = error as { code?: string; message: string }
  if (REFUSED_AT_THE_DOOR.test(code))
    return new StartupError(
      `The database does not let us in (${message}). Check user, password and name in DATABASE_URL.`,
    )
  if (code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(
      `The user in DATABASE_URL may not prepare the database (${message}). Give it CREATEROLE and its own database, or create the role tributary_app and grant it to the user.`,
    )
  if (isBadWeather(error))
    return new StartupError(
      `The database cannot be reached (${message || code}). Check DATABASE_URL and that the server is running.`,
    )
  return error
}
