import { expect, test } from 'bun:test'
import type { BreakdownQuery } from '@tributary/contract'
import { dropOldClicks } from '../../src/database/schema/retention.ts'
import { readBreakdown } from '../../src/events/overview/breakdown.ts'
import { readPerformance } from '../../src/events/overview/performance.ts'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { writeClicks } from '../../src/tracking/clicks/write-clicks.ts'
import { clickRow } from '../support/click-row.ts'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { isLongRun, sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const { db, pool, clock } = service
const MINUTE_MS = 60_000
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }
const KINDS = ['partner', 'link'] as const
const SORTS = ['clicks', 'leads', 'sales'] as const
const PERIODS = sized<('7d' | '30d' | '90d' | 'all')[]>({ short: ['30d', 'all'], long: ['7d', '30d', '90d', 'all'] })
/** Within a day, over a day, and until a whole month of clicks is past its attribution window and can be dropped. */
const WAITS = sized({
  short: [MINUTE_MS, 2 * DAY_MS, 100 * DAY_MS],
  long: [MINUTE_MS, 2 * DAY_MS, 1.3 * DAY_MS, 9 * DAY_MS, 25 * DAY_MS, 70 * DAY_MS],
})

/** Many partners and links with similar results. */
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

/** Records `clicks` clicks within the last minutes on links that `pick` chooses; returns their click_ids. */
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

const rolledUp = async ({ program }: Many) => {
  while (!(await rollUp(db, { program, at: clock.now() })));
}

type ShownRow = { value: string; clicks: number; leads: number; sales: number; revenue: number }

/** The same figures without the service's sums, except the daily clicks, which outlive their events. */
const directRows = async ({ id }: Many, kind: 'partner' | 'link', { sort, limit }: BreakdownQuery, days: string[]) => {
  const { rows } = await pool.query<ShownRow>(
    `SELECT ${kind}_id::text AS value, sum(clicks)::int AS clicks, sum(leads)::int AS leads, sum(sales)::int AS sales, sum(cents)::int AS revenue
     FROM (
       SELECT program_id, link_id, partner_id, day, clicks, 0 AS leads, 0 AS sales, 0 AS cents FROM daily_counts
       UNION ALL SELECT program_id, link_id, partner_id, day, 0, 1, 0, 0 FROM leads WHERE state = 'settled'
       UNION ALL SELECT program_id, link_id, partner_id, day, 0, 0, 1, amount_cents FROM sales WHERE click_id IS NOT NULL) event
     WHERE program_id = $1 AND day BETWEEN $2 AND $3
     GROUP BY 1 ORDER BY ${sort} DESC, clicks DESC, 1 LIMIT ${limit}`,
    [id, ...days],
  )
  return rows
}

const expectSameAsEvents = async (many: Many, limit: number) => {
  const { program } = many
  const at = clock.now()
  for (const by of KINDS)
    for (const sort of SORTS)
      for (const period of PERIODS) {
        const query = { by, sort, limit, period }
        const { rows, dateFrom, dateTo } = await readBreakdown(db, { program, query, at })
        const shown = rows.map(({ value, clicks, leads, sales, revenue }) => ({
          value: value ?? '',
          clicks,
          leads,
          sales,
          revenue: revenue.reduce((sum, { amountCents }) => sum + amountCents, 0),
        }))
        expect({ ...query, shown }).toEqual({ ...query, shown: await directRows(many, by, query, [dateFrom, dateTo]) })
      }
  const { days, totals } = await readPerformance(db, { program, query: { period: 'all' }, at })
  expect(totals.clicks).toBe(days.reduce((sum, day) => sum + day.clicks, 0))
  const direct = await directRows(many, 'link', { by: 'link', sort: 'clicks', limit: 1_000, period: 'all' }, [
    '2000-01-01',
    '2100-01-01',
  ])
  for (const name of ['clicks', 'leads', 'sales'] as const)
    expect(totals[name]).toBe(direct.reduce((sum, row) => sum + row[name], 0))
  expect((await verifyProgram(db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
}

test('partners and links of every period equal the sums of the events, whatever was credited late', async () => {
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
    // Clicks of the last minutes, and a sale that waited for its lead: it counts on a past day.
    await visit(many, 40, random)
    const late = waiting.shift()
    if (late) await many.lead(late)
    await expectSameAsEvents(many, 100)
    clock.advance(5 * MINUTE_MS)
    await rolledUp(many)
    if (isLongRun) await expectSameAsEvents(many, 7)
  }
  // Counts remain after clicks are dropped.
  const clicks = async () =>
    (await pool.query('SELECT FROM click_events WHERE program_id = $1', [many.id])).rowCount ?? 0
  const before = await clicks()
  await dropOldClicks(db, { days: 1, at: clock.now() })
  expect(await clicks()).toBeLessThan(before)
  await rolledUp(many)
  await expectSameAsEvents(many, 7)
}, 300_000)
