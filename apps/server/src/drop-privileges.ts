import { chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canDo, findAccount, isRoot } from './database/embedded/account.ts'

/** What the service reads after its start: its code, and the pages it serves. */
const READ_LATER = [import.meta.path, join(import.meta.dir, '../../dashboard/dist/index.html')]

/** Printed where root has to stay. */
export const ROOT_ADVICE =
  'Warning: the service runs as root, because no other user can read its code. Start it as an ordinary user who owns DATA_DIR.'

/** Who serves instead of root: the user who runs the embedded Postgres, or one that every system has. */
export const accountInsteadOfRoot = (account: Account | null): Account | null => {
  if (!isRoot()) return null
  const instead = account ?? findAccount()
  const canRead = instead && READ_LATER.filter(existsSync).every((file) => canDo(instead, '-r', file))
  return canRead && canDo(instead, '-x', process.execPath) ? instead : null
}

/** Root takes a low port and starts Postgres as another user. After that nothing needs root, and there is no way back. */
export const dropPrivileges = ({ uid, gid }: Account) => {
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/** The log of Postgres is opened again whenever Postgres is started again. */
export const lendServerLog = (dataDir: string, { uid, gid }: Account) => {
  const file = join(dataDir, 'postgres.log')
  if (existsSync(file)) chownSync(file, uid, gid)
}
