import { expect, test } from 'bun:test'
import { z } from '@tributary/contract'
import { operations } from '@tributary/contract/declarations'
import { runs } from '../../src/platform/runs.ts'

const part = z.strictObject({ id: z.int() })
const about = { path: '/api/things', summary: 'Things', description: 'Things.' }
const THINGS = operations({
  list: { method: 'get', ...about, list: part },
  get: { method: 'get', ...about, answer: z.strictObject({ name: z.string(), parts: z.array(part) }) },
  make: { method: 'post', ...about, answer: part },
})
const list = async () => [{ id: 1 }]
const get = async () => ({ name: 'Gold', parts: [{ id: 1 }] })
const make = async () => ({ id: 1 })

test('a run that returns a field that its declaration lacks does not compile', () => {
  const secret = 'not for callers'
  const all = [
    runs(THINGS, {}, { list, get, make }),
    // @ts-expect-error
    runs(THINGS, {}, { list: async () => [{ id: 1, secret }], get, make }),
    // @ts-expect-error
    runs(THINGS, {}, { list, get: async () => ({ name: 'Gold', parts: [{ id: 1, secret }] }), make }),
    // @ts-expect-error
    runs(THINGS, {}, { list, get, make: { run: async () => ({ id: 1, secret }) } }),
    // @ts-expect-error
    runs(THINGS, {}, { list, get, make: { ownTransactions: async () => ({ id: 1, secret }) } }),
  ]
  expect(all.map((each) => each.length)).toEqual([3, 3, 3, 3, 3])
})
