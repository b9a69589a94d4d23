import { expect, test } from 'bun:test'
import { compare } from '../report/baseline.ts'
import { figuresOf } from '../report/figures.ts'
import { givenLine } from './given-lines.ts'

const run = (floorRate: number, rate: number, more = {}) =>
  figuresOf([givenLine('floor', 'floor', [floorRate]), givenLine('sale', 'empty', [rate], more)])

test('two machines are compared by the share of their own floor', () => {
  const [change] = compare(run(10_000, 1_000), run(40_000, 4_100))
  expect(change).toMatchObject({ scenario: 'sale', before: 0.1, now: 0.1025, note: '' })
})

test('a tenth slower or faster is reported, less is noise', () => {
  expect(compare(run(1_000, 100), run(1_000, 89))[0]?.note).toBe('slower')
  expect(compare(run(1_000, 100), run(1_000, 111))[0]?.note).toBe('faster')
  expect(compare(run(1_000, 100), run(1_000, 92))[0]?.note).toBe('')
})

test('more expensive is distinguished from slower', () => {
  const [change] = compare(run(1_000, 100), run(1_000, 100, { serviceMicros: 25 }))
  expect(change).toMatchObject({ rate: 1, cpu: 2, note: '' })
})

test('a scenario that only one of the two runs has is left out', () => {
  expect(
    compare(run(1_000, 100), figuresOf([givenLine('floor', 'floor', [1_000]), givenLine('lead', 'empty', [5])])),
  ).toEqual([])
})
