import { expect, test } from 'bun:test'
import { readReport } from '../report.mjs'

const REPORT = `
apps/one.test.ts:
(pass) works [0.10ms]
error: expect(received).toBe(expected)
(fail) a room > says why [1] [12.00ms]

apps/two.test.ts:
(skip) later
error: another
\u001b[31m(fail)\u001b[0m fails [1.20s]

2 tests failed:
(fail) a room > says why [1] [12.00ms]
(fail) fails [1.20s]

 1 pass
 1 skip
 \u001b[31m2 fail\u001b[0m
 4 expect() calls
Ran 4 tests across 2 files. [3.00ms]
`

test('a report of tests gives its counts, and each failure once, with its file and what was printed for it', () => {
  expect(readReport(REPORT)).toEqual({
    passed: 1,
    failed: 2,
    errors: 0,
    failures: [
      {
        file: 'apps/one.test.ts',
        name: 'a room > says why [1]',
        text: 'error: expect(received).toBe(expected)\n(fail) a room > says why [1] [12.00ms]',
      },
      { file: 'apps/two.test.ts', name: 'fails', text: 'error: another\n(fail) fails [1.20s]' },
    ],
  })
})

test('a file that cannot be loaded is told, although no test of it ran', () => {
  const report = readReport(
    '\nz.test.ts:\n\n# Unhandled error between tests\n---\nerror: no module\n---\n\n 0 pass\n 1 fail\n 1 error\n',
  )
  expect(report).toMatchObject({ passed: 0, failed: 1, errors: 1 })
  expect(report.failures).toMatchObject([{ file: 'z.test.ts', name: 'outside of a test' }])
  expect(report.failures[0]?.text).toContain('no module')
})
