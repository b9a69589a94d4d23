import { chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canAccess, findAccount, isRoot } from '../database/embedded/account.ts'

/** Files the service reads after startup: its code and the dashboard. */
const FILES_READ_LATER = [import.meta.path, join(import.meta.dir, '../../../dashboard/dist/index.html')]

/** Printed when the service has to keep running as root. */
export const ROOT_ADVICE =
  'Warning: the service is running as root because no other user can read its code. Start it as an unprivileged user who owns DATA_DIR.'

/** The account that serves requests instead of root: the embedded Postgres user, or one that every system has. */
export const findServiceAccount = (account: Account | null): Account | null => {
  if (!isRoot()) return null
  const candidate = account ?? findAccount()
  const canRead = candidate && FILES_READ_LATER.filter(existsSync).every((file) => canAccess(candidate, '-r', file))
  return canRead && canAccess(candidate, '-x', process.execPath) ? candidate : null
}

/** Root is needed only to bind a low port and to start Postgres as another user. This cannot be undone. */
export const dropPrivileges = ({ uid, gid }: Account) => {
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/** Postgres reopens its log on every restart, so the unprivileged account must own it. */
export const chownServerLog = (dataDir: string, { uid, gid }: Account) => {
  const file = join(dataDir, 'postgres.log')
  if (existsSync(file)) chownSync(file, uid, gid)
}
