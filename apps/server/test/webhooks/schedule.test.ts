import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { nextPauseMs } from '../../src/webhooks/delivery/schedule.ts'

const at = new Date('2026-11-18T10:00:00Z')
const pauseAfter = (tries: number, retryAfter: string | null = null, random = 0.5) =>
  nextPauseMs({ tries, retryAfter, at, random })
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GUIDE = join(import.meta.dir, '../../../../docs/guides/webhooks.md')
/** As the guide states them; the first attempt is made at once. */
const SCHEDULE_MS = [0, 5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)]

test('retries follow the schedule with a tenth of jitter, and end after ten attempts', () => {
  expect(SCHEDULE_MS.map((_, tries) => pauseAfter(tries))).toEqual(SCHEDULE_MS)
  expect([pauseAfter(4, null, 0), pauseAfter(4, null, 1)]).toEqual([6_480_000, 7_920_000])
  expect(pauseAfter(10)).toBeNull()
  expect(pauseAfter(10, '60')).toBeNull()
})

test('the guide states the schedule', async () => {
  const text = (await Bun.file(GUIDE).text()).replace(/\s+/g, ' ')
  expect(text).toContain('retried after waits of 5 seconds, 5 minutes, 30 minutes, then 2, 5, 10, 14, 20 and 24 hours')
})

test('Retry-After can lengthen a pause, up to a day, but not shorten it', () => {
  expect(pauseAfter(1, '120')).toBe(120_000)
  expect(pauseAfter(1, 'Wed, 18 Nov 2026 11:00:00 GMT')).toBe(HOUR_MS)
  expect(pauseAfter(1, '999999999')).toBe(24 * HOUR_MS)
  for (const useless of ['1', 'soon', '-5', 'Wed, 18 Nov 2020 11:00:00 GMT', '9'.repeat(400)])
    expect(pauseAfter(2, useless)).toBe(300_000)
})
