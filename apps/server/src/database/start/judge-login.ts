import { sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import { APP_ROLE, type Database } from '../connect.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

type Login = { login: string; isPowerful: boolean }

/**
 * Whether the login that serves requests could change the ledger after `RESET ROLE`. Where an owner was named separately
 * that is a mistake, and refused; where one login is for everything, it is a warning. It asks before anything else does, so
 * a login that may not take on the role is told here, in one sentence.
 */
export const judgeLogin = async (db: Database, { hasOwnerUrl }: { hasOwnerUrl: boolean }) => {
  const { login, isPowerful } = await rightsOf(db)
  if (!isPowerful) return null
  if (hasOwnerUrl)
    throw new StartupError(
      `The user in DATABASE_URL (${login}) may change the ledger. Name one there that has only the role ${APP_ROLE}, as SECURITY.md says.`,
    )
  return `DATABASE_URL signs in as ${login}, which may change the ledger. Set DATABASE_OWNER_URL to it, and DATABASE_URL to a login that has only the role ${APP_ROLE}, as SECURITY.md says.`
}

const rightsOf = async (db: Database): Promise<Login> => {
  try {
    const { rows } = await sql<Login>`
      SELECT session_user AS login,
        has_table_privilege(session_user, ledger.oid, 'UPDATE, DELETE, TRUNCATE')
          OR pg_has_role(session_user, ledger.relowner, 'MEMBER') AS is_powerful
      FROM pg_class ledger WHERE ledger.oid = 'ledger_lines'::regclass`.execute(db)
    return rows[0] as Login
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartupError(
      `The user in DATABASE_URL may not work as ${APP_ROLE} (${message}): GRANT ${APP_ROLE} TO it.`,
    )
  }
}
