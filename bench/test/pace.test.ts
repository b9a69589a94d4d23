import { expect, test } from 'bun:test'
import { makePace } from '../load/pace.ts'

test('requests are due at even intervals from the start', () => {
  const pace = makePace(100, 5_000, 1)
  expect(pace.total).toBe(100)
  expect(pace.take(4_999)).toEqual([])
  expect(pace.take(5_000)).toEqual([5_000])
  expect(pace.take(5_025)).toEqual([5_010, 5_020])
  expect(pace.take(5_025)).toEqual([])
})

test('after a stall every missed request is due, each with its own due time', () => {
  const pace = makePace(1_000, 0, 1)
  pace.take(10)
  const late = pace.take(510)
  expect(late.length).toBe(500)
  expect([late[0], late.at(-1)]).toEqual([11, 510])
})

test('it ends with the last request, however late it is polled', () => {
  const pace = makePace(50, 0, 2)
  expect(pace.take(1_000_000).length).toBe(100)
  expect(pace.isOver()).toBe(true)
  expect(pace.take(2_000_000)).toEqual([])
})
