import { expect, test } from 'bun:test'
import { readJunit } from '../junit.mjs'
import { showProgress } from '../progress.mjs'
import { joinReports, printReport, reportOf } from '../report.mjs'

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="4" failures="1">
  <testsuite name="apps/one.test.ts" file="apps/one.test.ts" tests="3">
    <testsuite name="a &quot;group&quot;" file="apps/one.test.ts" tests="2">
      <testcase name="says why" classname="a group" time="0.5" file="apps/one.test.ts" line="2">
        <failure type="AssertionError" message="short">expected &lt;1&gt;&#10;- 3&#10;+ 2</failure>
      </testcase>
      <testcase name="works" classname="a group" time="0.25" file="apps/one.test.ts" line="3" />
    </testsuite>
    <testcase name="later" classname="" time="0" file="apps/one.test.ts"><skipped /></testcase>
  </testsuite>
  <testsuite name="apps/two.test.ts" file="apps/two.test.ts" tests="1">
    <testcase name="is fine" classname="" time="2" file="apps/two.test.ts" line="3" />
  </testsuite>
</testsuites>`

const run = (more) => ({
  cases: readJunit(XML),
  files: ['apps/one.test.ts', 'apps/two.test.ts'],
  name: undefined,
  exitCode: 1,
  ...more,
})

test('results have each test once, with its groups, its time and the failed comparison', () => {
  expect(readJunit(XML)).toEqual([
    {
      file: 'apps/one.test.ts',
      name: 'a "group" > says why',
      seconds: 0.5,
      skipped: false,
      why: 'expected <1>\n- 3\n+ 2',
    },
    { file: 'apps/one.test.ts', name: 'a "group" > works', seconds: 0.25, skipped: false, why: null },
    { file: 'apps/one.test.ts', name: 'later', seconds: 0, skipped: true, why: null },
    { file: 'apps/two.test.ts', name: 'is fine', seconds: 2, skipped: false, why: null },
  ])
})

test('the report counts, and ends with failures and the slowest files', () => {
  const report = reportOf(run())
  expect(report).toMatchObject({
    passed: 2,
    slowest: [
      ['apps/two.test.ts', 2],
      ['apps/one.test.ts', 0.75],
    ],
  })
  const printed = []
  printReport(report, (line) => printed.push(line))
  expect(printed.join('\n')).toContain(
    '✗ apps/one.test.ts\n  a "group" > says why\n\n    expected <1>\n    - 3\n    + 2',
  )
})

test('two runs have one report, with the slowest files of both', () => {
  const alone = reportOf({
    cases: [{ file: 'chaos/kill.test.ts', name: 'loses nothing', seconds: 1, skipped: false, why: null }],
    files: ['chaos/kill.test.ts'],
    exitCode: 0,
  })
  expect(joinReports([reportOf(run()), alone])).toMatchObject({
    passed: 3,
    failures: [{ file: 'apps/one.test.ts' }],
    slowest: [
      ['apps/two.test.ts', 2],
      ['chaos/kill.test.ts', 1],
      ['apps/one.test.ts', 0.75],
    ],
  })
})

test('a file that ran nothing is a failure, unless a name filter was given', () => {
  const files = ['apps/one.test.ts', 'apps/two.test.ts', 'apps/broken.test.ts']
  expect(reportOf(run({ files })).failures).toMatchObject([{}, { file: 'apps/broken.test.ts' }])
  expect(reportOf(run({ files, name: 'says' })).failures).toHaveLength(1)
})

test('a file that cannot be loaded shows bun’s error', () => {
  const files = ['apps/broken.test.ts']
  const output = [
    'apps/two.test.ts:',
    '(pass) is fine',
    'apps/broken.test.ts:',
    'error: Cannot find module x',
    'apps/z.test.ts:',
  ]
  expect(reportOf(run({ files, output })).failures).toMatchObject([{}, { why: 'error: Cannot find module x' }])
})

test('a run that exits with an error and no failed test has failed', () => {
  const cases = readJunit(XML).filter(({ why }) => why === null)
  expect(reportOf(run({ cases })).failures).toMatchObject([{ name: 'the run itself' }])
  expect(reportOf(run({ cases, exitCode: 0 })).failures).toEqual([])
})

test('progress shows the finished files, the failures and the remaining time', () => {
  let time = 0
  const lines = []
  const files = ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts']
  const out = { write: (line) => lines.push(line) }
  const progress = showProgress({ files, workers: 1, timeOf: () => 10_000, out, now: () => time })
  for (const file of files.slice(0, 3)) {
    time += 15_000
    progress.read(`${file}:`)
    progress.read(`(${file === 'b.test.ts' ? 'fail' : 'pass'}) works [1.00ms]`)
  }
  expect(lines).toEqual([
    '✗ b.test.ts: works\n',
    '0:30  1 of 4 files, 1 passed, 1 failed, about 1:30 left; running b\n',
  ])
})
