import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rememberPassed, withoutRepeated } from '../passed.mjs'

const root = mkdtempSync(join(tmpdir(), 'tributary-passed-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const SIZE = 'apps/server/test/support/size.ts'
const PAIRS = 'apps/server/test/pairs.ts'
write(SIZE, 'export const isLongRun = true')
write(PAIRS, "import { isLongRun } from './support/size.ts'")
write('apps/server/test/sized.test.ts', "import './pairs.ts'")
write('apps/server/test/plain.test.ts', '')
write('apps/server/test/only.long.test.ts', '')
const short = ['apps/server/test/plain.test.ts', 'apps/server/test/sized.test.ts']
const long = ['apps/server/test/only.long.test.ts', ...short]
const paths = [SIZE, PAIRS, ...long]

test('the long form leaves out what has no long form and passed with these sources', () => {
  expect(withoutRepeated(root, long, paths)).toEqual(long)
  rememberPassed(root, short, paths)
  expect(withoutRepeated(root, long, paths)).toEqual([
    'apps/server/test/only.long.test.ts',
    'apps/server/test/sized.test.ts',
  ])
})

test('any change of the sources brings all of it back', () => {
  rememberPassed(root, short, paths)
  write('apps/server/test/plain.test.ts', '// changed')
  expect(withoutRepeated(root, long, paths)).toEqual(long)
  expect(withoutRepeated(root, long, [...paths, 'apps/server/test/support/size.ts'])).toEqual(long)
})
