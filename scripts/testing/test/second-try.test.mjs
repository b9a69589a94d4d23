import { expect, test } from 'bun:test'
import { readOptions } from '../options.mjs'
import { printReport, reportOf } from '../report.mjs'
import { hasSecondTry, tryAgain } from '../second-try.mjs'

const passing = (file, name) => ({ file, name, seconds: 1, skipped: false, why: null })
const failing = (file, name) => ({ ...passing(file, name), why: `${name} took too long` })

const FILES = ['steady.test.ts', 'shaky.test.ts', 'broken.test.ts']
const first = reportOf({
  cases: [
    passing('steady.test.ts', 'works'),
    passing('shaky.test.ts', 'one'),
    failing('shaky.test.ts', 'two'),
    failing('broken.test.ts', 'three'),
  ],
  files: FILES,
  exitCode: 1,
})

const secondRun = (file) =>
  reportOf({
    cases:
      file === 'shaky.test.ts' ? [passing(file, 'one'), passing(file, 'two')] : [failing(file, 'three, once more')],
    files: [file],
    exitCode: file === 'shaky.test.ts' ? 0 : 1,
  })

test('each failed file runs again alone; one that passes then is reported as unstable, with its first failure', async () => {
  const ran = []
  const run = async (file) => {
    ran.push(file)
    return secondRun(file)
  }
  const report = await tryAgain(first, { files: FILES, run })
  expect(ran).toEqual(['shaky.test.ts', 'broken.test.ts'])
  expect(report).toMatchObject({
    passed: 3,
    unstable: [{ file: 'shaky.test.ts', name: 'two' }],
    failures: [{ file: 'broken.test.ts', name: 'three' }],
  })
  const printed = []
  printReport(report, (line) => printed.push(line))
  expect(printed.join('\n')).toContain(
    'Unstable: failed once, passed alone\n\n? shaky.test.ts\n  two\n\n    two took too long',
  )
  expect(printed.join('\n')).toContain('✗ broken.test.ts\n  three')
})

test('many failed files have a common cause and are final', async () => {
  const files = Array.from({ length: 9 }, (_, index) => `${index}.test.ts`)
  const report = reportOf({ cases: files.map((file) => failing(file, 'fails')), files, exitCode: 1 })
  const run = () => expect.unreachable()
  expect(await tryAgain(report, { files, run })).toBe(report)
})

test('an error outside of a test is blamed on the file that was running, so that it can run again', () => {
  const output = ['steady.test.ts:', '(pass) works', '# Unhandled error between tests', 'error: late', 'other.test.ts:']
  const cases = [passing('steady.test.ts', 'works')]
  const { failures } = reportOf({ cases, files: ['steady.test.ts'], exitCode: 1, output })
  expect(failures).toMatchObject([{ file: 'steady.test.ts', name: 'the run itself' }])
})

test('only the long form has a second try', () => {
  expect(hasSecondTry(readOptions([]))).toBe(false)
  expect(hasSecondTry(readOptions(['--busy', 'sale']))).toBe(false)
  expect(hasSecondTry(readOptions(['--all']))).toBe(true)
})
