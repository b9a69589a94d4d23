import { expect, test } from 'bun:test'
import { createSlowAnswerCache } from '../../src/events/overview/slow-answers.ts'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'

const MINUTE_MS = 60_000

const givenOverview = async (slowAnswerMs: number) => {
  const service = await startTestService({}, { slowAnswerMs })
  const program = await givenPayingProgram(service, {})
  const read = async (path: string) => {
    const { data } = (await program.owner.call('GET', `/api/tracking/${path}`)).body
    return { clicks: (data.totals ?? data.rows[0]).clicks as number, asOf: new Date(data.asOf).getTime() }
  }
  return {
    clock: service.clock,
    click: () => givenClick(service, program.link),
    chart: () => read(`performance/${program.id}?period=7d`),
    links: () => read(`breakdown/${program.id}?by=link&period=7d`),
  }
}

test('a fast response is computed for every request', async () => {
  const { click, chart, links, clock } = await givenOverview(Number.POSITIVE_INFINITY)
  for (let clicks = 1; clicks < 4; clicks++) {
    await click()
    const requestedAt = clock.now().getTime()
    for (const answer of [await chart(), await links()]) {
      expect(answer.clicks).toBe(clicks)
      expect(answer.asOf).toBeGreaterThanOrEqual(requestedAt)
    }
  }
})

test('a slow response is served from cache with its time, and recomputed in the background', async () => {
  const { click, chart, links, clock } = await givenOverview(0)
  for (const read of [chart, links]) {
    await click()
    const first = await read()
    await click()
    clock.advance(9 * MINUTE_MS)
    expect(await read()).toEqual(first)
    let renewed = first
    while (renewed.asOf === first.asOf) renewed = await read()
    expect(renewed.clicks).toBe(first.clicks + 1)
  }
})

test('no response is older than ten minutes', async () => {
  const { click, chart, clock } = await givenOverview(0)
  await click()
  await chart()
  await click()
  clock.advance(11 * MINUTE_MS)
  const requestedAt = clock.now().getTime()
  const answer = await chart()
  expect(answer.clicks).toBe(2)
  expect(answer.asOf).toBeGreaterThanOrEqual(requestedAt)
})

test('one recomputation runs at a time, and a failed one keeps the cached response', async () => {
  let computed = 0
  let next = Promise.withResolvers<number>()
  const answers = createSlowAnswerCache({ clock: () => new Date(), slowMs: 0 })
  const ask = () =>
    answers('key', () => {
      computed++
      return next.promise
    })
  const first = ask()
  next.resolve(1)
  expect(await first).toBe(1)
  next = Promise.withResolvers()
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  expect(computed).toBe(2)
  next.reject(new Error('the database is away'))
  await Bun.sleep(0)
  next = Promise.withResolvers()
  expect(await ask()).toBe(1)
  expect(computed).toBe(3)
  next.resolve(3)
  await Bun.sleep(0)
  expect(await ask()).toBe(3)
})

test('the background recomputes one response at a time, across all keys', async () => {
  let [running, most] = [0, 0]
  const answers = createSlowAnswerCache({ clock: () => new Date(), slowMs: 0 })
  const ask = (key: string) =>
    answers(key, async () => {
      most = Math.max(most, ++running)
      await Bun.sleep(5)
      running--
      return key
    })
  const keys = ['a', 'b', 'c', 'd']
  for (const key of keys) await ask(key)
  await Promise.all(keys.map(ask))
  do await Bun.sleep(5)
  while (running > 0)
  expect(most).toBe(1)
})
