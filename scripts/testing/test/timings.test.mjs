import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTimings } from '../timings.mjs'

test('a file without a duration starts before the quick ones, and does not prolong the estimate', () => {
  const root = mkdtempSync(join(tmpdir(), 'tributary-timings-'))
  mkdirSync(join(root, 'scripts/testing'), { recursive: true })
  const kept = { version: 1, files: { 'slow.test.ts': 50_000, 'quick.test.ts': 2_000 } }
  writeFileSync(join(root, 'scripts/testing/timings.json'), JSON.stringify(kept))
  const timings = readTimings(root, ['quick.test.ts', 'new.test.ts', 'slow.test.ts'])
  const { files } = JSON.parse(readFileSync(timings.path, 'utf8'))
  rmSync(root, { recursive: true })
  const slowestFirst = Object.keys(files).sort((one, other) => files[other] - files[one])
  expect(slowestFirst).toEqual(['slow.test.ts', 'new.test.ts', 'quick.test.ts'])
  expect(timings.of('new.test.ts')).toBe(1_000)
})
