import { afterEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../src/config/startup-error.ts'
import { deriveKey, loadSecrets } from '../src/secrets.ts'
import { cleanUp, givenDataDir } from './lifecycle/given-service.ts'

afterEach(cleanUp)

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

test('secrets are created once, readable by one user, and never change', () => {
  const dataDir = givenDataDir()
  const first = loadSecrets(dataDir)
  expect(new Set(Object.values(first)).size).toBe(3)
  for (const secret of Object.values(first)) expect(secret.length).toBeGreaterThanOrEqual(43) // 256 bits
  expect(modeOf(join(dataDir, 'secrets.json'))).toBe('600')
  expect(loadSecrets(dataDir)).toEqual(first)
})

test('no two installations share a secret', () => {
  expect(loadSecrets(givenDataDir())).not.toEqual(loadSecrets(givenDataDir()))
})

test('a file restored as world-readable is restricted again', () => {
  const dataDir = givenDataDir()
  loadSecrets(dataDir)
  chmodSync(join(dataDir, 'secrets.json'), 0o644)
  loadSecrets(dataDir)
  expect(modeOf(join(dataDir, 'secrets.json'))).toBe('600')
})

test.each([
  ['an empty file', () => ''],
  ['half a file', (whole: string) => whole.slice(0, 40)],
  ['no object', () => 'null'],
  ['a missing secret', (whole: string) => JSON.stringify({ ...JSON.parse(whole), hashKey: undefined })],
  ['a short secret', (whole: string) => JSON.stringify({ ...JSON.parse(whole), sessionSecret: 'Zk3l9' })],
  ['a placeholder', (whole: string) => JSON.stringify({ ...JSON.parse(whole), sessionSecret: 'change-me-'.repeat(5) })],
  ['one repeated letter', (whole: string) => JSON.stringify({ ...JSON.parse(whole), hashKey: 'x'.repeat(64) })],
])('%s is rejected and left unchanged', (_, damage) => {
  const dataDir = givenDataDir()
  const file = join(dataDir, 'secrets.json')
  loadSecrets(dataDir)
  const damaged = damage(readFileSync(file, 'utf8'))
  writeFileSync(file, damaged)
  expect(() => loadSecrets(dataDir)).toThrow(StartupError)
  expect(readFileSync(file, 'utf8')).toBe(damaged)
})

test('lost secrets are not replaced while the database that needs them exists', () => {
  const dataDir = givenDataDir()
  mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true })
  expect(() => loadSecrets(dataDir)).toThrow(/secrets\.json is missing/)
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(false)
})

test('a derived key is the same every time and reveals nothing about other keys', () => {
  const secrets = loadSecrets(givenDataDir())
  expect(deriveKey(secrets, 'one')).toEqual(deriveKey(secrets, 'one'))
  expect(deriveKey(secrets, 'one')).toHaveLength(32)
  expect(deriveKey(secrets, 'one')).not.toEqual(deriveKey(secrets, 'other'))
  expect(deriveKey(loadSecrets(givenDataDir()), 'one')).not.toEqual(deriveKey(secrets, 'one'))
})
