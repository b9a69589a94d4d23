import { expect, test } from 'bun:test'
import { MAX_LIVE_EVENTS } from '@tributary/contract'
import { createKeptAnswers } from '../../src/events/overview/kept-answers.ts'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const MINUTE_MS = 60_000
const service = await givenService()
const { clock } = service

/** A program that was rolled up with this many clicks, twenty days ago. */
const givenOverview = async (clicks: number) => {
  const program = await givenPayingProgram(service, {})
  await service.pool.query(
    `INSERT INTO daily_breakdowns (program_id, dimension, day, value, clicks, leads, sales)
     VALUES ($1, 'device', $2::timestamptz::date - 20, 'desktop', $3, 0, 0)`,
    [program.id, clock.now(), clicks],
  )
  const read = async (path: string) => {
    const { data } = (await program.owner.call('GET', path)).body
    return {
      clicks: (data.totals ?? data.funnel ?? data.rows[0]).clicks as number,
      kept: data.kept as boolean,
      asOf: new Date(data.asOf).getTime(),
    }
  }
  return {
    click: () => givenClick(service, program.link),
    reads: (period: string) => [
      () => read(`/api/tracking/performance/${program.id}?period=${period}`),
      () => read(`/api/tracking/breakdown/${program.id}?by=link&period=${period}`),
      () => read(`${program.api}/analytics?period=${period}`),
    ],
  }
}

test.each([
  ['7d', 10 * MAX_LIVE_EVENTS],
  ['30d', MAX_LIVE_EVENTS],
])('a report about at most 100,000 events is always live (%s)', async (period, clicks) => {
  const { click, reads } = await givenOverview(clicks)
  await click()
  const before = await Promise.all(reads(period).map((read) => read()))
  await click()
  const requestedAt = clock.now().getTime()
  const after = await Promise.all(reads(period).map((read) => read()))
  for (const [index, answer] of after.entries()) {
    expect(answer.clicks).toBe((before[index]?.clicks ?? 0) + 1)
    expect(answer.kept).toBe(false)
    expect(answer.asOf).toBeGreaterThanOrEqual(requestedAt)
  }
})

test('a report about more events is kept with its time, and recomputed in the background', async () => {
  const { click, reads } = await givenOverview(MAX_LIVE_EVENTS + 1)
  for (const read of reads('30d')) {
    await click()
    const first = await read()
    expect(first.kept).toBe(true)
    await click()
    clock.advance(9 * MINUTE_MS)
    expect(await read()).toEqual(first)
    let renewed = first
    while (renewed.asOf === first.asOf) renewed = await read()
    expect(renewed).toMatchObject({ clicks: first.clicks + 1, kept: true })
  }
})

test('no kept report is older than ten minutes', async () => {
  const { click, reads } = await givenOverview(MAX_LIVE_EVENTS + 1)
  const [, links = Promise.reject] = reads('30d')
  await click()
  await links()
  await click()
  clock.advance(11 * MINUTE_MS)
  const requestedAt = clock.now().getTime()
  const answer = await links()
  expect(answer.clicks).toBe(2)
  expect(answer.asOf).toBeGreaterThanOrEqual(requestedAt)
})

const SECONDS_5 = 5_000

/** Kept answers on a clock of their own; `computed` lists the keys that were computed. */
const givenAnswers = () => {
  let now = Date.now()
  const computed: string[] = []
  const answers = createKeptAnswers({ clock: () => new Date(now) })
  return {
    computed,
    advance: (milliseconds: number) => {
      now += milliseconds
    },
    ask: <Answer>(key: string, answer: () => Promise<Answer>, page = 'page') =>
      answers({
        page,
        key,
        compute: () => {
          computed.push(key)
          return answer()
        },
      }),
  }
}

test('one recomputation runs at a time, and a failed one keeps the answer', async () => {
  const { ask, advance, computed } = givenAnswers()
  let next = Promise.withResolvers<number>()
  const read = () => ask('key', () => next.promise)
  const first = Promise.all([read(), read()])
  next.resolve(1)
  expect(await first).toEqual([1, 1])
  expect(computed).toHaveLength(1)
  next = Promise.withResolvers()
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  expect(computed).toHaveLength(1)
  advance(SECONDS_5)
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  await Bun.sleep(0)
  expect(computed).toHaveLength(2)
  next.reject(new Error('the database is away'))
  await Bun.sleep(0)
  next = Promise.withResolvers()
  expect(await read()).toBe(1)
  await Bun.sleep(0)
  expect(computed).toHaveLength(3)
  next.resolve(3)
  await Bun.sleep(0)
  expect(await read()).toBe(3)
})

test('all answers of a page are replaced together, except those that nobody reads any more', async () => {
  const { ask, advance, computed } = givenAnswers()
  let round = 1
  let links = Promise.resolve('links 1')
  const tiles = () => ask('tiles', async () => `tiles ${round}`)
  const top = () => ask('top', () => links)
  await tiles()
  await top()
  await ask('closed tab', async () => 'closed tab')
  round = 2
  const slow = Promise.withResolvers<string>()
  links = slow.promise
  advance(SECONDS_5)
  expect([await tiles(), await top()]).toEqual(['tiles 1', 'links 1'])
  await Bun.sleep(0)
  expect([await tiles(), await top()]).toEqual(['tiles 1', 'links 1'])
  slow.resolve('links 2')
  await Bun.sleep(0)
  expect([await tiles(), await top()]).toEqual(['tiles 2', 'links 2'])
  computed.length = 0
  advance(SECONDS_5)
  await tiles()
  await top()
  await Bun.sleep(0)
  expect(computed.toSorted()).toEqual(['tiles', 'top'])
})

test('one answer that fails does not hold back the others of its page', async () => {
  const { ask, advance } = givenAnswers()
  let round = 1
  const tiles = () => ask('tiles', async () => round)
  const top = () =>
    ask('top', async () => {
      if (round > 1) throw new Error('too slow')
      return round
    })
  await tiles()
  await top()
  round = 2
  advance(SECONDS_5)
  expect([await tiles(), await top()]).toEqual([1, 1])
  await Bun.sleep(0)
  expect([await tiles(), await top()]).toEqual([2, 1])
})

test('of many reports of one page, the oldest are dropped', async () => {
  const { ask, computed } = givenAnswers()
  for (let partner = 1; partner <= 60; partner++) await ask(`partner ${partner}`, async () => partner)
  computed.length = 0
  await ask('partner 60', async () => 60)
  await ask('partner 1', async () => 1)
  expect(computed).toEqual(['partner 1'])
})

test('the background recomputes one answer at a time, across all pages', async () => {
  const { ask, advance } = givenAnswers()
  let [running, most] = [0, 0]
  const pages = ['a', 'b', 'c', 'd']
  const read = (page: string) =>
    ask(
      'key',
      async () => {
        most = Math.max(most, ++running)
        await Bun.sleep(5)
        running--
      },
      page,
    )
  for (const page of pages) await read(page)
  advance(SECONDS_5)
  await Promise.all(pages.map(read))
  do await Bun.sleep(5)
  while (running > 0)
  expect(most).toBe(1)
})
