import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNewer } from './versions.mjs'

/** The newest release kept in docs/releases that is older than the version; undefined for the first one. */
const previousRelease = (root, version) => {
  const folder = join(root, 'docs/releases')
  const isKept = (name) => /^\d+\.\d+\.\d+$/.test(name) && existsSync(join(folder, name, 'schema.sql'))
  const older = existsSync(folder) ? readdirSync(folder).filter((name) => isKept(name) && isNewer(version, name)) : []
  return older.toSorted((one, other) => (isNewer(one, other) ? 1 : -1)).at(-1)
}

const releasedMigrations = (root, release) => {
  const schema = readFileSync(join(root, 'docs/releases', release, 'schema.sql'), 'utf8')
  return [...schema.matchAll(/^-- migration (\S+)$/gm)].map(([, name]) => name).toSorted()
}

/** As apps/server/src/database/schema/own-migrations.ts reads the names. */
const oldestBeside = (migration) => /\.beside-(\d{4})$/.exec(migration)?.[1] ?? migration.slice(0, 4)

/** What the section of the version, or “Unreleased”, says under “Upgrade”, on one line. */
const upgradeNotes = (root, version) => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const sections = text.split(/^## /m)
  const section = ['Unreleased', version].map((title) => sections.find((each) => each.startsWith(`${title}\n`)))
  const notes = section
    .find(Boolean)
    ?.split(/^### /m)
    .find((each) => each.startsWith('Upgrade\n'))
  return notes?.replace(/\s+/g, ' ') ?? ''
}

/**
 * Returns an error sentence if a release has new migrations and the changelog does not say under “Upgrade” whether the previous
 * version may run beside it. The names of the migrations decide which of the two it must say.
 */
export const checkUpgradeNotes = (root, version) => {
  const previous = previousRelease(root, version)
  if (!previous) return null
  const released = releasedMigrations(root, previous)
  const added = readdirSync(join(root, 'apps/server/migrations'))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .filter((name) => !released.includes(name))
  if (added.length === 0) return null
  const newest = released.at(-1)?.slice(0, 4) ?? ''
  const excluding = added.filter((name) => oldestBeside(name) > newest)
  const isPatch = version.split('.').slice(0, 2).join() === previous.split('.').slice(0, 2).join()
  if (excluding.length > 0 && isPatch)
    return `${previous} cannot run beside ${excluding[0]}, so ${version} cannot be a patch. Choose a minor version, or declare the migration “.beside-${newest}” if that is true.`
  const sentence =
    excluding.length > 0
      ? `${previous} cannot run beside this version: stop every node before you start the new one.`
      : `${previous} may run beside this version: upgrade one node after the other.`
  if (upgradeNotes(root, version).includes(sentence)) return null
  return `This release has new migrations (${added.join(', ')}). Add this line under "### Upgrade" in its section of CHANGELOG.md:\n- ${sentence}`
}
