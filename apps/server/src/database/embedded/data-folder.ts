import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import { type Account, canAccess, findAccount, isRoot } from './account.ts'

/** Where the database is stored and who runs it; `account` is null when this process's user runs it. */
export type DataFolder = { home: string; account: Account | null }

const SYSTEM_FOLDER = '/var/lib/tributary'

/** DATA_DIR/postgres, unless we are root and the Postgres user cannot enter it: then elsewhere, recorded in DATA_DIR. */
export const findDataFolder = (dataDir: string, log: (line: string) => void): DataFolder => {
  const defaultHome = join(dataDir, 'postgres')
  if (!isRoot()) {
    mkdirSync(defaultHome, { recursive: true, mode: 0o700 })
    return { home: defaultHome, account: null }
  }
  const storedHome = readLocation(dataDir)
  const existing = storedHome ?? (existsSync(join(defaultHome, 'cluster')) ? defaultHome : null)
  const account = (existing && ownerOf(existing)) || findAccount()
  if (!account) {
    throw new StartupError(
      'Postgres cannot run as root, and there is no user "postgres" or "nobody". Set DATABASE_URL.',
    )
  }
  const home = existing ? reclaimFolder(dataDir, existing, account) : chooseFolder(dataDir, defaultHome, account)
  if (home !== defaultHome) log(`Postgres cannot run in ${dataDir} as user ${account.uid}, so the data is in ${home}.`)
  return { home, account }
}

const reclaimFolder = (dataDir: string, existing: string, account: Account) => {
  if (claimFolder(existing, account)) return existing
  allowTraversal(dataDir)
  if (claimFolder(existing, account)) return existing
  throw new StartupError(
    `User ${account.uid}, who owns the database in ${existing}, cannot enter it. Make its parent folders accessible.`,
  )
}

const chooseFolder = (dataDir: string, defaultHome: string, account: Account) => {
  allowTraversal(dataDir)
  if (claimFolder(defaultHome, account)) return defaultHome
  attempt(() => rmdirSync(defaultHome))
  for (const makeHome of [inSystemFolder, inTemporaryFolder]) {
    const home = attempt(makeHome)
    if (!home || !claimFolder(home, account)) continue
    // Recorded, because the folders may become accessible later, and the data must not appear to be lost then.
    writeFileSync(locationFile(dataDir), `${home}\n`)
    return home
  }
  throw new StartupError(
    `User ${account.uid}, who would run Postgres, can enter neither ${defaultHome} nor ${SYSTEM_FOLDER}. Set a different DATA_DIR.`,
  )
}

const inSystemFolder = () => {
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o711 })
  return mkdtempSync(join(SYSTEM_FOLDER, 'data-'))
}

const inTemporaryFolder = () => mkdtempSync(join(tmpdir(), 'tributary-data-'))

/** Gives the folder to the account and checks, as that account, that it is writable. */
const claimFolder = (home: string, account: Account) => {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    // A backup copied by root belongs to root, recursively.
    if (ownerOf(home)?.uid !== account.uid) {
      chownSync(home, account.uid, account.gid)
      spawnSync('chown', ['-hR', `${account.uid}:${account.gid}`, home])
    }
    return canAccess(account, '-w', home)
  } catch {
    return false
  }
}

/** DATA_DIR may be root's with mode 0700; the execute bit allows passing through without listing it. */
const allowTraversal = (dataDir: string) => chmodSync(dataDir, statSync(dataDir).mode | 0o011)

const ownerOf = (path: string): Account | null => {
  const { uid, gid } = statSync(path)
  return uid === 0 ? null : { uid, gid }
}

/** After root ran a command in another user's folder: that user must be able to read the new files. */
export const giveToOwner = (dataDir: string) => {
  const owner = isRoot() && existsSync(dataDir) ? ownerOf(dataDir) : null
  if (!owner) return
  const names = ['secrets.json', 'instance.lock', 'postgres.log', 'postgres-location']
  const paths = [...names.map((name) => join(dataDir, name)), findHome(dataDir)].filter(existsSync)
  spawnSync('chown', ['-hR', `${owner.uid}:${owner.gid}`, ...paths])
}

export const locationFile = (dataDir: string) => join(dataDir, 'postgres-location')

/** Where the database of an existing instance is, without changing anything. */
export const findHome = (dataDir: string) => {
  const location = locationFile(dataDir)
  return existsSync(location) ? readFileSync(location, 'utf8').trim() : join(dataDir, 'postgres')
}

const readLocation = (dataDir: string) => {
  if (!existsSync(locationFile(dataDir))) return null
  const home = readFileSync(locationFile(dataDir), 'utf8').trim()
  if (existsSync(home)) return home
  throw new StartupError(
    `The database of ${dataDir} was in ${home}, which no longer exists. Restore it or set a different DATA_DIR.`,
  )
}

const attempt = <T>(make: () => T) => {
  try {
    return make()
  } catch {
    return null
  }
}
