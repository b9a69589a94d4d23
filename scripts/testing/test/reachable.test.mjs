import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { namersOf, testsReaching } from '../reachable.mjs'
import { sourcePaths, testFiles } from '../test-files.mjs'

const root = join(import.meta.dir, '../../..')
const paths = sourcePaths(root)
const tests = testFiles(paths, { patterns: [], long: true })
const namers = namersOf(root, paths)
const reaching = (...changed) => testsReaching({ root, paths, tests, changed, namers })

test.each([
  ['an import, through other files', 'apps/server/src/money/rewards/rewards.ts', 'apps/server/test/sale.test.ts'],
  ['a folder that it reads', 'apps/server/migrations/0002-accounts.sql', 'apps/server/test/sale.test.ts'],
  ['a built file', 'apps/dashboard/src/pages/portal/payout-details.tsx', 'apps/dashboard/test/portal.test.ts'],
  ['a package', 'packages/contract/src/index.ts', 'apps/dashboard/test/portal.test.ts'],
  ['a file that it starts as a process', 'apps/server/src/main.ts', 'apps/server/test/lifecycle/stop.test.ts'],
  ['a document', 'docs/guides/money.md', 'packages/sdk/test/guides.long.test.ts'],
  ['a neighboring file', 'apps/server/src/http/reference/page.css', 'apps/server/test/docs.test.ts'],
  ['a computed name', 'packages/tracker/service-tracker.js', 'apps/server/test/tracker-script.test.ts'],
  ['its own change', 'apps/server/test/sale.test.ts', 'apps/server/test/sale.test.ts'],
])('a change reaches a test by %s', (_, changed, reached) => {
  expect(reaching(changed)).toContain(reached)
})

test('a change does not reach unrelated tests', () => {
  expect(reaching('apps/dashboard/src/pages/portal/payout-details.tsx')).not.toContain('apps/server/test/sale.test.ts')
  expect(reaching('apps/server/test/sale.test.ts')).not.toContain('apps/server/test/lead.test.ts')
  expect(reaching()).toEqual([])
})

test('a change of a shared foundation reaches every test', () => {
  expect(reaching('package-lock.json')).toEqual(tests)
})
