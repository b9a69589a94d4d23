import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTimings } from '../timings.mjs'

const givenKept = (files) => {
  const root = mkdtempSync(join(tmpdir(), 'tributary-timings-'))
  mkdirSync(join(root, 'scripts/testing'), { recursive: true })
  writeFileSync(join(root, 'scripts/testing/timings.json'), JSON.stringify({ version: 1, files }))
  return root
}

test('a file without a duration starts before the quick ones, and does not prolong the estimate', () => {
  const root = givenKept({ 'slow.test.ts': 50_000, 'quick.test.ts': 2_000 })
  const timings = readTimings(root, ['quick.test.ts', 'new.test.ts', 'slow.test.ts'])
  const { files } = JSON.parse(readFileSync(timings.path, 'utf8'))
  rmSync(root, { recursive: true })
  const slowestFirst = Object.keys(files).sort((one, other) => files[other] - files[one])
  expect(slowestFirst).toEqual(['slow.test.ts', 'new.test.ts', 'quick.test.ts'])
  expect(timings.of('new.test.ts')).toBe(1_000)
})

test('the durations of the long form are its own', () => {
  const root = givenKept({ 'fuzz.test.ts': 2_000 })
  const long = () => readTimings(root, ['fuzz.test.ts'], { long: true })
  writeFileSync(long().path, JSON.stringify({ version: 1, files: { 'fuzz.test.ts': 300_000 } }))
  expect(long().of('fuzz.test.ts')).toBe(300_000)
  expect(readTimings(root, ['fuzz.test.ts']).of('fuzz.test.ts')).toBe(2_000)
  rmSync(root, { recursive: true })
})

test('the long form of a file with an unknown duration starts early, however quick its short form is', () => {
  const root = givenKept({ 'rule.test.ts': 2_000, 'fuzz.test.ts': 1_000 })
  writeFileSync(join(root, 'rule.test.ts'), "import { test } from 'bun:test'")
  writeFileSync(join(root, 'fuzz.test.ts'), "import { sized } from './support/size.ts'")
  const files = ['rule.test.ts', 'fuzz.test.ts']
  const long = readTimings(root, files, { long: true })
  const short = readTimings(root, files)
  rmSync(root, { recursive: true })
  expect(long.of('fuzz.test.ts')).toBeGreaterThan(long.of('rule.test.ts'))
  expect(short.of('fuzz.test.ts')).toBe(1_000)
})
