import { expect, test } from 'bun:test'
import { readBreakdown } from '../../src/events/overview/breakdown.ts'
import { oneAtATime } from '../../src/events/overview/one-at-a-time.ts'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findMark } from '../../src/events/roll-up/roll-up-marks.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { writeClicks } from '../../src/tracking/clicks/write-clicks.ts'
import { clickRow } from '../support/click-row.ts'
import { givenLink, givenProgram, unique } from '../support/given.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService()
const { db, pool, clock } = service
const MINUTE_MS = 60_000

/** A program of one link that was rolled up just now. */
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

test('a roll-up of some minutes ago is read at once with what came since, and caught up behind the answer', async () => {
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

test('where thousands came since, whoever asks at once is answered with all of them, or without and told so', async () => {
  const { visit, ask } = await givenRolledUp()
  for (let batch = 0; batch < 6; batch++) await visit(1_000)
  clock.advance(9 * MINUTE_MS)
  // A roll-up that ends just after somebody gave up waiting for it is in their answer, which then says less than it has.
  for (const { clicks, untilNow } of await Promise.all(Array.from({ length: 8 }, ask)))
    expect(untilNow ? [6_003] : [3, 6_003]).toContain(clicks ?? 0)
  while (!(await ask()).untilNow) await Bun.sleep(20)
})

test('work on one thing is done once for all who want it at the same time, and again for those who come later', async () => {
  const once = oneAtATime()
  let done = 0
  const work = () => Bun.sleep(20).then(() => ++done)
  expect(await Promise.all([once(db, 'a', work), once(db, 'b', work), once(db, 'a', work)])).toEqual([1, 2, 1])
  expect(await once(db, 'a', work)).toBe(3)
  const failing = once(db, 'a', () => Promise.reject(new Error('bad weather')))
  await expect(failing).rejects.toThrow('bad weather')
  expect(await once(db, 'a', work)).toBe(4)
})
