import { expect, test } from 'bun:test'
import { chartOf } from '../report/chart.ts'
import { figuresOf } from '../report/figures.ts'
import { HEADINGS, markdownTable, rowsOf, textTable } from '../report/table.ts'
import { growthOf, judge } from '../report/targets.ts'
import { givenLine } from './given-lines.ts'

const floor = givenLine('floor: bare JSON echo', 'floor', [1_000, 500, 2_000], { serviceMicros: 10, postgresMicros: 0 })

const NOTHING_ELSE = { soak: null, deliveries: null }

test('a round is compared with the floor of the same round, not with the overall median', () => {
  const click = givenLine('click: one link', 'empty', [500, 250, 1_000], { serviceMicros: 15, postgresMicros: 5 })
  const [, figures] = figuresOf([floor, click])
  expect(figures).toMatchObject({ perSecond: 500, ofFloor: 0.5, cpuOfFloor: 2, ofEmpty: null, memoryMb: 100 })
})

test('the filled database is compared with the empty one of the same scenario and connections', () => {
  const lines = [
    floor,
    givenLine('sale', 'empty', [100, 100, 100]),
    givenLine('sale', 'filled', [80, 90, 95]),
    givenLine('sale', 'empty', [10, 10, 10], { connections: 512 }),
  ]
  expect(figuresOf(lines).map(({ ofEmpty }) => ofEmpty)).toEqual([null, null, 0.9, null])
})

test('each group has the floor that precedes it', () => {
  const lines = [
    floor,
    givenLine('a', 'empty', [100, 100, 100]),
    givenLine('floor', 'floor', [200, 200, 200]),
    givenLine('b', 'empty', [100, 100, 100]),
  ]
  expect(figuresOf(lines).map(({ ofFloor }) => ofFloor)).toEqual([1, 0.1, 1, 0.5])
})

test('tables have a row for each line, and a dash for missing measurements', () => {
  const figures = figuresOf([
    floor,
    givenLine('sale with commission', 'empty', [12_345], { serviceMicros: Number.NaN }),
  ])
  const text = textTable(HEADINGS, rowsOf(figures)).split('\n')
  expect(text.length).toBe(3)
  expect(text[2]).toMatch(/^sale with commission +empty +64 +12,345 .* – /)
  expect(
    new Set(
      markdownTable(HEADINGS, rowsOf(figures))
        .split('\n')
        .map((line) => line.split('|').length),
    ).size,
  ).toBe(1)
})

test('a target is reached or missed by the slowest kind of click, the filled database and the memory of one process', () => {
  const judged = judge(
    figuresOf([
      givenLine('floor', 'floor', [1_000]),
      givenLine('click: one link, new visitors', 'empty', [700]),
      givenLine('click: 10,000 links, some return', 'empty', [590]),
      givenLine('sale with commission', 'empty', [1_500]),
      givenLine('sale with commission', 'filled', [1_300], { rssBytes: 201 * 2 ** 20 }),
      givenLine('overview: days', 'empty', [100]),
      givenLine('overview: days', 'filled', [60]),
    ]),
    NOTHING_ELSE,
  )
  const verdicts = Object.fromEntries(judged.map(({ target, reached }) => [target, reached]))
  expect(verdicts).toEqual({
    'clicks vs floor, 64 connections, slowest kind': false,
    'click CPU vs floor, 64 connections, most expensive kind': true,
    'sales with commission per second': true,
    'sale with commission, 64 connections: filled vs empty': false,
    'overview: days, 64 connections: filled vs empty': true,
    'memory of the largest process, MB': false,
  })
})

test('memory is flat if the end of a soak equals its beginning, whatever the first minutes took', () => {
  expect(growthOf({ samplesMb: [40, 90, 100, 100, 100, 100, 100, 100, 100] })).toBe(1)
  expect(growthOf({ samplesMb: [100, 100, 110, 120, 130, 140, 150, 160, 170] })).toBeGreaterThan(1.1)
})

test('the chart is one picture with a bar and its number for every line', () => {
  const svg = chartOf(
    figuresOf([floor, givenLine('click: a & b', 'empty', [4_321]), givenLine('lead', 'filled', [99])]),
    'a <machine>',
  )
  expect(svg.match(/<rect /g)?.length).toBe(3)
  for (const text of ['4,321', '>99<', 'a &amp; b (empty)', 'a &lt;machine&gt;']) expect(svg).toContain(text)
})

test('the bare insert appears once next to the clicks with as many connections, and has no target', () => {
  const figures = figuresOf([
    floor,
    givenLine('insert: a bare row, committed', 'bare', [800], { rssBytes: 900 * 2 ** 20 }),
    givenLine('click: one link', 'empty', [400]),
    floor,
    givenLine('lead', 'empty', [99]),
  ])
  expect(figures.map(({ ofEmpty }) => ofEmpty)).toEqual([null, null, null, null, null])
  expect(judge(figures, NOTHING_ELSE).find(({ target }) => target.startsWith('memory'))?.reached).toBe(true)
  const bars = [...chartOf(figures, '').matchAll(/class="(\w+)"\/>/g)].map(([, place]) => place)
  expect(bars).toEqual(['floor', 'bare', 'empty', 'empty'])
})
