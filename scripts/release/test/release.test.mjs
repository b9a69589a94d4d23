import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { releaseChangelog } from '../changelog.mjs'
import { checkUpgradeNotes } from '../upgrade-notes.mjs'
import { currentVersion, isNewer, setVersion, versionedFiles } from '../versions.mjs'

const ROOT = join(import.meta.dir, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'tributary-release-'))
afterAll(() => rmSync(folder, { recursive: true }))
const read = (path) => readFileSync(join(folder, path), 'utf8')

test('a release sets one version in every file that has it, and only there', () => {
  const current = currentVersion(ROOT)
  const files = versionedFiles(ROOT)
  for (const path of files) {
    expect(readFileSync(join(ROOT, path), 'utf8')).toContain(current)
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  const lockBefore = JSON.parse(read('package-lock.json')).packages
  setVersion(folder, '9.8.7')
  for (const path of files) expect(read(path)).toContain('9.8.7')
  for (const path of files.filter((name) => name !== 'package-lock.json')) expect(read(path)).not.toContain(current)
  const lock = JSON.parse(read('package-lock.json')).packages
  expect(lock[''].version).toBe('9.8.7')
  expect(lock['apps/server'].dependencies['@tributary/contract']).toBe('9.8.7')
  for (const name of Object.keys(lock).filter((path) => path.includes('node_modules/')))
    expect(lock[name]).toEqual(lockBefore[name])
})

test('versions are compared by their numbers', () => {
  expect(isNewer('0.10.0', '0.9.9')).toBe(true)
  expect(isNewer('1.0.0', '0.10.0')).toBe(true)
  for (const other of ['0.9.9', '0.10.0', '1.0.0']) expect(isNewer('0.9.9', other)).toBe(false)
})

test('the changelog gets the section of the release, and a release without entries is refused', () => {
  const changelog = (text) => writeFileSync(join(folder, 'CHANGELOG.md'), text)
  changelog('# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 0.2.0\n')
  expect(releaseChangelog(folder, '0.3.0')).toBe(null)
  expect(read('CHANGELOG.md')).toBe('# Changelog\n\n## 0.3.0\n\n- Faster.\n\n## 0.2.0\n')
  changelog('# Changelog\n\n## Unreleased\n\n## 0.2.0\n')
  expect(releaseChangelog(folder, '0.3.0')).toContain('no entries')
})

test('a release with new migrations must say in the changelog whether the previous version may run beside it', () => {
  const write = (path, text) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const migrate = (name) => write(`apps/server/migrations/${name}.sql`, '')
  const changelog = (notes) =>
    write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n- Faster.\n${notes}\n## 0.9.0\n- Old.\n`)
  for (const release of ['0.9.0', '0.10.0'])
    write(`docs/releases/${release}/schema.sql`, '-- migration 0001-a\n-- migration 0002-b\n')
  for (const name of ['0001-a', '0002-b']) migrate(name)
  changelog('')
  expect(checkUpgradeNotes(folder, '0.10.1')).toBe(null)
  expect(checkUpgradeNotes(folder, '0.1.0')).toBe(null)

  migrate('0003-c.beside-0002')
  const mayRun = '0.10.0 may run beside this version: upgrade one node after the other.'
  expect(checkUpgradeNotes(folder, '0.10.1')).toEndWith(`\n- ${mayRun}`)
  changelog(`### Upgrade\n- ${mayRun.replace(' one', '\n  one')}\n`)
  expect(checkUpgradeNotes(folder, '0.10.1')).toBe(null)

  migrate('0004-d')
  expect(checkUpgradeNotes(folder, '0.10.1')).toContain('0.10.0 cannot run beside 0004-d, so 0.10.1 cannot be a patch')
  expect(checkUpgradeNotes(folder, '0.11.0')).toContain('0.10.0 cannot run beside this version: stop every node')
})
