import { expect, test } from 'bun:test'
import { isPartial, readOptions } from '../options.mjs'
import { testFiles } from '../test-files.mjs'

test('arguments are parsed, and an unknown option is rejected with the list of options', () => {
  expect(readOptions(['sale', '-t', 'twice', '--changed=main', '--watch'])).toEqual({
    patterns: ['sale'],
    name: 'twice',
    changedSince: 'main',
    watch: true,
    long: false,
    busy: false,
    help: false,
  })
  expect(readOptions(['--changed']).changedSince).toBe('HEAD')
  expect(isPartial(readOptions([]))).toBe(false)
  expect(isPartial(readOptions(['--all']))).toBe(false)
  expect(isPartial(readOptions(['--changed']))).toBe(true)
  expect(() => readOptions(['--chnaged'])).toThrow('Unknown option: --chnaged.')
  expect(() => readOptions(['-t'])).toThrow('-t needs a name.')
})

test('the long run has every file, the short one all but the long ones, and a named file always runs', () => {
  const paths = ['a/sale.test.ts', 'a/sale.ts', 'a/orders.long.test.ts', 'b/page.test.mjs']
  expect(testFiles(paths, { patterns: [], long: false })).toEqual(['a/sale.test.ts', 'b/page.test.mjs'])
  expect(testFiles(paths, { patterns: [], long: true })).toEqual([
    'a/sale.test.ts',
    'a/orders.long.test.ts',
    'b/page.test.mjs',
  ])
  expect(testFiles(paths, { patterns: ['./a/orders'], long: false })).toEqual(['a/orders.long.test.ts'])
})
