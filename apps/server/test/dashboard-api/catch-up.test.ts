import { expect, test } from 'bun:test'
import { readBreakdown } from '../../src/events/overview/breakdown.ts'
import { oneAtATime } from '../../src/events/roll-up/catch-up.ts'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findMark } from '../../src/events/roll-up/roll-up-marks.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { writeClicks } from '../../src/tracking/clicks/write-clicks.ts'
import { clickRow } from '../support/click-row.ts'
import { givenLink, givenProgram, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { db, pool, clock } = service
const MINUTE_MS = 60_000

/** A program with one link that was just rolled up. */
const givenRolledUp = async () => {
  const { id } = await givenProgram(service)
  const link = await givenLink(service, id)
  const program = await findProgram(db, id)
  if (!program) throw new Error('no program')
  const visit = (clicks: number) =>
    writeClicks(
      pool,
      Array.from({ length: clicks }, () =>
        clickRow(link.aff, unique('token'), { clickedAt: clock.now(), device: 'tv' }),
      ),
      0,
    )
  await visit(3)
  clock.advance(2 * MINUTE_MS)
  while (!(await rollUp(db, { program, at: clock.now() })));
  const ask = async () => {
    const query = { by: 'device', sort: 'clicks', limit: 10, period: '7d' } as const
    const at = clock.now()
    const { rows, asOf } = await readBreakdown(db, { program, query, at })
    return { clicks: rows[0]?.clicks, untilNow: asOf === at.toISOString() }
  }
  const markedAt = async () => (await findMark(db, program.id))?.countedUntil.getTime()
  return { program, visit, ask, markedAt }
}

test('a roll-up from minutes ago is served with newer events added, and catches up in the background', async () => {
  const { program, visit, ask, markedAt } = await givenRolledUp()
  const before = await markedAt()
  await visit(4)
  clock.advance(9 * MINUTE_MS)
  const another = await pool.connect()
  await another.query('BEGIN')
  await another.query('SELECT FROM roll_ups WHERE program_id = $1 FOR UPDATE', [program.id])
  const all = { clicks: 7, untilNow: true }
  expect(await ask()).toEqual(all)
  expect(await markedAt()).toBe(before)
  await another.query('COMMIT')
  another.release()
  while ((await markedAt()) === before) {
    expect(await ask()).toEqual(all)
    await Bun.sleep(20)
  }
  expect(await ask()).toEqual(all)
})

test('after thousands of new events, concurrent readers get all of them', async () => {
  const { visit, ask } = await givenRolledUp()
  for (let batch = 0; batch < 6; batch++) await visit(1_000)
  clock.advance(9 * MINUTE_MS)
  const answers = await Promise.all(Array.from({ length: 8 }, ask))
  expect(answers).toEqual(answers.map(() => ({ clicks: 6_003, untilNow: true })))
})

test('concurrent requests for the same work share one run; later requests start another', async () => {
  const once = oneAtATime()
  let done = 0
  const work = () => Bun.sleep(20).then(() => ++done)
  expect(await Promise.all([once(db, 'a', work), once(db, 'b', work), once(db, 'a', work)])).toEqual([1, 2, 1])
  expect(await once(db, 'a', work)).toBe(3)
  const failing = once(db, 'a', () => Promise.reject(new Error('transient error')))
  await expect(failing).rejects.toThrow('transient error')
  expect(await once(db, 'a', work)).toBe(4)
})
