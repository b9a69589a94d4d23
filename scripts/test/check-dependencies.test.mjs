import { expect, test } from 'bun:test'
import { dangersIn, problemsIn } from '../check-dependencies.mjs'

const integrity = 'sha512-x'

test('run-time dependencies need a permissive license, tools may have a few more, and all are pinned', () => {
  const problems = problemsIn({
    '': { license: 'not ours' },
    'packages/sdk': {},
    'node_modules/ours': { link: true },
    'node_modules/free': { license: 'MIT', integrity },
    'node_modules/freer': { license: 'MIT-0', integrity },
    'node_modules/either': { license: 'GPL-3.0 OR MIT', integrity },
    'node_modules/both': { license: 'MIT AND GPL-3.0', integrity },
    'node_modules/tool': { license: 'MPL-2.0', integrity, dev: true },
    'node_modules/runs': { license: 'MPL-2.0', integrity },
    'node_modules/a/node_modules/@b/silent': { integrity },
    'node_modules/loose': { license: 'ISC' },
  })
  expect(problems).toEqual([
    'both: its license is MIT AND GPL-3.0.',
    'runs: its license is MPL-2.0.',
    '@b/silent: its license is not given.',
    'loose: the lock file has no integrity for it.',
  ])
})

test('a high or critical vulnerability at run time is a failure, a lesser one is not', () => {
  expect(dangersIn(undefined)).toEqual([])
  expect(
    dangersIn({
      a: { name: 'a', severity: 'moderate', range: '<2' },
      b: { name: 'b', severity: 'high', range: '<3' },
      c: { name: 'c', severity: 'critical', range: '*' },
    }),
  ).toEqual([
    'b <3: a high vulnerability is known. Run npm audit for details.',
    'c *: a critical vulnerability is known. Run npm audit for details.',
  ])
})
