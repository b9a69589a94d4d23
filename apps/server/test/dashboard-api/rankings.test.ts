import { expect, test } from 'bun:test'
import { dropOldClicks } from '../../src/database/retention.ts'
import { breakdownOf } from '../../src/events/breakdown.ts'
import { performanceOf } from '../../src/events/performance.ts'
import { rollUp } from '../../src/events/roll-up.ts'
import { sumPeriods } from '../../src/events/sum-periods.ts'
import { verifyProgram } from '../../src/money/verify-ledger.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { writeClicks } from '../../src/tracking/write-clicks.ts'
import { clickRow } from '../support/click-row.ts'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { isLongRun, sized } from '../support/size.ts'

const service = await startTestService()
const { db, pool, clock } = service
const MINUTE_MS = 60_000
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }
const KINDS = ['partner', 'link'] as const
const SORTS = ['clicks', 'leads', 'sales'] as const
const RANKED_LINKS = { by: 'link', sort: 'clicks', limit: 100, period: '7d' } as const
const PERIODS = ['7d', '30d', '90d', 'all'] as const
/** Within a day, over a day, and until the clicks of a whole month are past their attribution window and can be dropped. */
const WAITS = sized({
  short: [MINUTE_MS, 2 * DAY_MS, 100 * DAY_MS],
  long: [MINUTE_MS, 2 * DAY_MS, 1.3 * DAY_MS, 9 * DAY_MS, 25 * DAY_MS, 70 * DAY_MS],
})

/** More partners and links than a ranking has entries, none much better than the others. */
const givenManyLinks = async () => {
  const paying = await givenPayingProgram(service, REWARD, {
    cookieWindowDays: 60,
    timezone: 'America/New_York',
  })
  await pool.query(
    `WITH partner AS (
      INSERT INTO partners (program_id, name, code, status, created_at)
      SELECT $1, 'Partner ' || n, 'p' || n, 'approved', $2 FROM generate_series(1, 170) n RETURNING id)
    INSERT INTO referral_links (aff, program_id, partner_id, created_at)
    SELECT 'many-' || $1 || '-' || partner.id || '-' || n, $1, partner.id, $2 FROM partner, generate_series(1, 1 + (partner.id % 5 = 0)::int) n`,
    [paying.id, clock.now()],
  )
  const { rows } = await pool.query<{ aff: string }>(
    'SELECT aff FROM referral_links WHERE program_id = $1 ORDER BY id',
    [paying.id],
  )
  const program = await findProgram(db, paying.id)
  if (!program) throw new Error('no program')
  return { ...paying, program, affs: rows.map(({ aff }) => aff) }
}
type Many = Awaited<ReturnType<typeof givenManyLinks>>

/** So many clicks within the last minutes on links that `pick` chooses; answers their click_ids. */
const visit = async ({ affs }: Many, clicks: number, pick: () => number, apartMs = 1_000) => {
  const now = clock.now().getTime()
  const rows = Array.from({ length: clicks }, (_, n) =>
    clickRow(affs[pick() % affs.length] ?? '', unique('token'), {
      clickedAt: new Date(now - n * apartMs),
      device: n % 17 === 0 ? 'bot' : 'desktop',
    }),
  )
  const written = await writeClicks(pool, rows, 0)
  return written.flatMap((row, n) => (row.refusal || n % 17 === 0 ? [] : (row.click_id ?? [])))
}

/** As housekeeping does it, for a program whose counts are many. */
const rolledUp = async ({ program }: Many) => {
  while (!(await rollUp(db, { program, at: clock.now() })));
  while (!(await sumPeriods(db, program.id)));
  await pool.query('UPDATE roll_ups SET rows_lately = 1000000 WHERE program_id = $1', [program.id])
}

const rankingsOf = async ({ program }: Many) => {
  const { rows } = await pool.query<{ made: Date }>(
    'SELECT counted_until AS made FROM rankings WHERE program_id = $1 ORDER BY kind, sort, days',
    [program.id],
  )
  return rows.map(({ made }) => made.getTime())
}

/** A period of one's own with the same days is always summed from the daily counts. */
const expectSameAsCounts = async ({ program }: Many, limit: number) => {
  const at = clock.now()
  for (const by of KINDS)
    for (const sort of SORTS)
      for (const period of PERIODS) {
        const asked = { by, sort, limit, period }
        const ranked = await breakdownOf(db, { program, query: asked, at })
        const days = { dateFrom: ranked.dateFrom, dateTo: ranked.dateTo }
        const summed = await breakdownOf(db, { program, query: { ...asked, ...days }, at })
        expect({ ...asked, rows: ranked.rows }).toEqual({ ...asked, rows: summed.rows })
      }
  const { days, totals } = await performanceOf(db, { program, query: { period: '7d' }, at })
  const { rows } = await pool.query(
    'SELECT day::text AS date, sum(clicks)::int AS clicks, sum(leads)::int AS leads, sum(sales)::int AS sales FROM daily_counts WHERE program_id = $1 GROUP BY day',
    [program.id],
  )
  for (const { date, clicks, leads, sales } of days)
    expect({ date, clicks, leads, sales }).toEqual(
      rows.find((row) => String(row.date) === date) ?? { date, clicks: 0, leads: 0, sales: 0 },
    )
  expect(totals.clicks).toBe(days.reduce((sum, day) => sum + day.clicks, 0))
  expect((await verifyProgram(db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
}

test('partners and links of every period are what the daily counts come to, whatever came when and was credited late', async () => {
  const many = await givenManyLinks()
  let seed = 7
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed >> 8
  }
  const waiting: { customer_key: string; click_id: string }[] = []
  for (const wait of WAITS) {
    const clickIds = await visit(many, 300, random)
    for (const click_id of clickIds.slice(0, 12)) {
      const customer = { customer_key: unique('customer'), click_id }
      if (random() % 3 > 0) await many.lead(customer)
      else waiting.push(customer)
      const invoice = { amount: 100 + (random() % 900), invoice_id: unique('invoice') }
      await many.sale({ customer_key: customer.customer_key, ...invoice, currency: random() % 4 ? 'USD' : 'EUR' })
    }
    clock.advance(wait)
    await rolledUp(many)
    // Of the last minutes, and a sale that waited for its sign-up: it counts on a day that is over.
    await visit(many, 40, random)
    const late = waiting.shift()
    if (late) await many.lead(late)
    await expectSameAsCounts(many, 100)
    // No day is over yet after a minute.
    if (wait > MINUTE_MS) {
      expect(await rankingsOf(many)).toHaveLength(KINDS.length * SORTS.length * PERIODS.length)
      expect((await pool.query('SELECT FROM open_days WHERE program_id = $1', [many.id])).rowCount).toBeGreaterThan(0)
    }
    clock.advance(5 * MINUTE_MS)
    await rolledUp(many)
    if (isLongRun) await expectSameAsCounts(many, 7)
  }
  // Counts stay where clicks are dropped.
  const clicks = async () =>
    (await pool.query('SELECT FROM click_events WHERE program_id = $1', [many.id])).rowCount ?? 0
  const before = await clicks()
  await dropOldClicks(db, { days: 1, at: clock.now() })
  expect(await clicks()).toBeLessThan(before)
  await rolledUp(many)
  await expectSameAsCounts(many, 7)
}, 300_000)

test('who was not among the first and is now comes up', async () => {
  const many = await givenManyLinks()
  await visit(many, 1_000, () => Math.floor(Math.random() * 150))
  clock.advance(2 * DAY_MS)
  await rolledUp(many)
  const first = async () => {
    const query = { by: 'link', sort: 'clicks', limit: 1, period: '30d' } as const
    return (await breakdownOf(db, { program: many.program, query, at: clock.now() })).rows[0]?.label
  }
  expect(many.affs.indexOf((await first()) ?? '')).toBeLessThan(150)
  const made = await rankingsOf(many)
  await visit(many, 60, () => many.affs.length - 1)
  expect(await first()).toBe(many.affs.at(-1) ?? '')
  expect(await rankingsOf(many)).toEqual(made)
})

test('nothing is ranked while somebody changes what was counted', async () => {
  const many = await givenManyLinks()
  await visit(many, 200, () => Math.floor(Math.random() * 170))
  clock.advance(2 * DAY_MS)
  await rolledUp(many)
  const changing = await pool.connect()
  await changing.query('BEGIN')
  await changing.query('SELECT FROM roll_ups WHERE program_id = $1 FOR UPDATE', [many.id])
  const isWaiting = async () =>
    (await pool.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
      .rowCount !== 0
  for (const read of [
    () => breakdownOf(db, { program: many.program, query: RANKED_LINKS, at: clock.now() }),
    () => performanceOf(db, { program: many.program, query: { period: '7d' }, at: clock.now() }),
  ]) {
    const reading = read()
    const ended = reading.then(() => true)
    let hasEnded = false
    while (!hasEnded && !(await isWaiting())) hasEnded = await Promise.race([ended, Bun.sleep(20).then(() => false)])
    expect(hasEnded).toBe(false)
    await changing.query('COMMIT')
    await reading
    await changing.query('BEGIN')
    await changing.query('SELECT FROM roll_ups WHERE program_id = $1 FOR UPDATE', [many.id])
  }
  await changing.query('COMMIT')
  changing.release()
  expect(await rankingsOf(many)).toHaveLength(1)
})

test('a ranking of some minutes ago is shown at once with what came since, and made anew for those who ask next', async () => {
  const many = await givenManyLinks()
  await visit(many, 300, () => Math.floor(Math.random() * 170))
  clock.advance(2 * DAY_MS)
  await rolledUp(many)
  const ask = () => breakdownOf(db, { program: many.program, query: RANKED_LINKS, at: clock.now() })
  await ask()
  const made = await rankingsOf(many)
  await visit(many, 200, () => Math.floor(Math.random() * 170), 100)
  clock.advance(6 * MINUTE_MS)
  await rolledUp(many)
  const changing = await pool.connect()
  await changing.query('BEGIN')
  await changing.query('SELECT FROM roll_ups WHERE program_id = $1 FOR UPDATE', [many.id])
  const ranked = await ask()
  expect(await rankingsOf(many)).toEqual(made)
  await changing.query('COMMIT')
  changing.release()
  const { dateFrom, dateTo } = ranked
  const query = { ...RANKED_LINKS, dateFrom, dateTo }
  expect(ranked.rows).toEqual((await breakdownOf(db, { program: many.program, query, at: clock.now() })).rows)
  while ((await rankingsOf(many))[0] === made[0]) {
    expect((await ask()).rows).toEqual(ranked.rows)
    await Bun.sleep(20)
  }
  expect((await ask()).rows).toEqual(ranked.rows)
})

test('where thousands of clicks came within the last minutes, the counts themselves are read', async () => {
  const many = await givenManyLinks()
  await visit(many, 200, () => Math.floor(Math.random() * 170))
  clock.advance(2 * DAY_MS)
  await rolledUp(many)
  for (let batch = 0; batch < 6; batch++) await visit(many, 1_000, () => Math.floor(Math.random() * 170), 10)
  const { rows } = await breakdownOf(db, { program: many.program, query: RANKED_LINKS, at: clock.now() })
  const counted = await pool.query<{ clicks: number }>(
    'SELECT sum(clicks)::int AS clicks FROM daily_counts WHERE program_id = $1 GROUP BY link_id ORDER BY 1 DESC LIMIT 100',
    [many.id],
  )
  expect(rows.map(({ clicks }) => clicks)).toEqual(counted.rows.map(({ clicks }) => clicks))
})
