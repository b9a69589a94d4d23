import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testsReaching } from '../reachable.mjs'
import { sourcePaths, testFiles } from '../test-files.mjs'

const root = join(import.meta.dir, '../../..')
const paths = sourcePaths(root)
const tests = testFiles(paths, { patterns: [], long: true })
const reaching = (...changed) => testsReaching({ root, paths, tests, changed })

test.each([
  [
    'what a test imports, through other files',
    'apps/server/src/money/rewards/rewards.ts',
    'apps/server/test/sale.test.ts',
  ],
  ['what is read from a folder', 'apps/server/migrations/0002-accounts.sql', 'apps/server/test/sale.test.ts'],
  ['what is built', 'apps/dashboard/src/pages/portal/payout-details.tsx', 'apps/dashboard/test/portal.test.ts'],
  ['a package', 'packages/contract/src/index.ts', 'apps/dashboard/test/portal.test.ts'],
  ['what is started as a process', 'apps/server/src/main.ts', 'apps/server/test/lifecycle/stop.test.ts'],
  ['a document', 'docs/guides/money.md', 'packages/sdk/test/guides.test.ts'],
  ['a file beside it', 'apps/server/src/http/reference/page.css', 'apps/server/test/docs.test.ts'],
  ['a name that is put together', 'packages/tracker/service-tracker.js', 'apps/server/test/tracker-script.test.ts'],
  ['the test itself', 'apps/server/test/sale.test.ts', 'apps/server/test/sale.test.ts'],
])('a change reaches a test by %s', (_, changed, reached) => {
  expect(reaching(changed)).toContain(reached)
})

test('a change reaches no test that has nothing to do with it', () => {
  expect(reaching('apps/dashboard/src/pages/portal/payout-details.tsx')).not.toContain('apps/server/test/sale.test.ts')
  expect(reaching('apps/server/test/sale.test.ts')).not.toContain('apps/server/test/lead.test.ts')
  expect(reaching()).toEqual([])
})

test('a change of what everything stands on reaches everything', () => {
  expect(reaching('package-lock.json')).toEqual(tests)
})
