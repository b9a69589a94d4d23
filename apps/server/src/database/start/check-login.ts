import { sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import { APP_ROLE, type Database } from '../connect.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

type Login = { login: string; canChangeLedger: boolean }

/**
 * Checks whether the login that serves requests could change the ledger after `RESET ROLE`: an error if a separate owner is
 * configured, a warning otherwise. Runs first, so a login that cannot assume the role gets a clear message.
 */
export const checkLogin = async (db: Database, { hasOwnerUrl }: { hasOwnerUrl: boolean }) => {
  const { login, canChangeLedger } = await readPrivileges(db)
  if (!canChangeLedger) return null
  if (hasOwnerUrl)
    throw new StartupError(
      `The user in DATABASE_URL (${login}) can change the ledger. Use a login that has only the role ${APP_ROLE}; see SECURITY.md.`,
    )
  return `DATABASE_URL signs in as ${login}, which can change the ledger. Set DATABASE_OWNER_URL to it and DATABASE_URL to a login that has only the role ${APP_ROLE}; see SECURITY.md.`
}

const readPrivileges = async (db: Database): Promise<Login> => {
  try {
    const { rows } = await sql<Login>`
      SELECT session_user AS login,
        has_table_privilege(session_user, ledger.oid, 'UPDATE, DELETE, TRUNCATE')
          OR pg_has_role(session_user, ledger.relowner, 'MEMBER') AS can_change_ledger
      FROM pg_class ledger WHERE ledger.oid = 'ledger_lines'::regclass`.execute(db)
    return rows[0] as Login
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartupError(
      `The user in DATABASE_URL cannot assume the role ${APP_ROLE} (${message}). Run GRANT ${APP_ROLE} TO that user.`,
    )
  }
}
