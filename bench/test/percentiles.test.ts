import { expect, test } from 'bun:test'
import { median, percentile, summaryOf } from '../report/percentiles.ts'

test('a percentile is a measured value, by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([0.5, 0.99, 0.999, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100, 100])
  expect(percentile([7], 0.5)).toBe(7)
  expect(percentile([], 0.5)).toBeNaN()
})

test('one round on a busy machine does not decide', () => {
  expect(median([10, 11, 900])).toBe(11)
  expect(median([3, 1, 2])).toBe(2)
})

test('a round is summarized as responses per second and latencies, in any order of measurement', () => {
  const latencies = Array.from({ length: 2_000 }, (_, index) => 2_000 - index)
  expect(summaryOf(latencies, 4)).toEqual({ perSecond: 500, p50: 1_000, p99: 1_980, p999: 1_998 })
})
