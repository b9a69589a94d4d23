import { expect, test } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { migrate, migrateTo } from '../../src/database/migrate.ts'
import { breakdownOf } from '../../src/events/overview/breakdown.ts'
import { performanceOf } from '../../src/events/overview/performance.ts'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { verifyProgram } from '../../src/money/verify/verify-ledger.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { createTestDatabase, dropTestDatabase } from '../support/postgres.ts'

const AT = new Date('2026-11-10T12:00:00Z')

/**
 * A database as the version before had it. One program is rolled up to noon of 8 November, with a sale of 7 November that was
 * credited on the 9th; another never was. Each customer has a click, a lead and a sale.
 */
const givenEarlier = async () => {
  const databaseUrl = await createTestDatabase('template1')
  const pool = openPool(databaseUrl, { max: 2, unhurried: true })
  const db = openDatabase(pool)
  await migrateTo(db, ['0028-set-up-by-index'])
  await pool.query(`
    INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w');
    INSERT INTO programs (workspace_id, name, created_at) VALUES ('w', 'P', '2026-11-01'), ('w', 'Q', '2026-11-01');
    INSERT INTO partners (program_id, name, code, status, created_at) SELECT id, 'Ada', 'ada', 'approved', now() FROM programs;
    INSERT INTO referral_links (aff, program_id, partner_id, created_at) SELECT 'l' || program_id, program_id, id, now() FROM partners;
    CREATE TEMP TABLE customer AS
      SELECT link.program_id, link.id AS link_id, link.partner_id, program_id || '_' || n AS name, at::timestamptz AS at, credited_at::timestamptz
      FROM referral_links link, (VALUES (1, '2026-11-06 09:00+00', '2026-11-06 09:00+00'), (2, '2026-11-07 09:00+00', '2026-11-09 09:00+00'),
        (3, '2026-11-09 10:00+00', '2026-11-09 10:00+00')) made(n, at, credited_at);
    INSERT INTO customers (program_id, click_id, customer_status, customer_key, link_id, partner_id, credited_click_at, first_clicked_at, last_clicked_at)
      SELECT program_id, name, 'customer', name, link_id, partner_id, at, at, at FROM customer;
    INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, country, device)
      SELECT program_id, gen_random_uuid(), at, at::date, name, link_id, partner_id, false, 'DE', 'desktop' FROM customer;
    INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
      SELECT program_id, link_id, partner_id, at::date, 0, 1, at FROM customer;
    INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, leads, sales)
      SELECT program_id, link_id, partner_id, at::date, -3, 1, 1 FROM customer;
    INSERT INTO leads (program_id, click_id, state, settled_by, link_id, partner_id, created_at, settled_at, day)
      SELECT program_id, name, 'settled', 'server', link_id, partner_id, at, at, at::date FROM customer;
    INSERT INTO sales (program_id, invoice_id, customer_key, amount_cents, currency, request_hash, sold_at, day, click_id, link_id, partner_id, credited_at)
      SELECT program_id, name, name, 1000, 'USD', '\\x00', at, at::date, name, link_id, partner_id, credited_at FROM customer;
    INSERT INTO roll_ups (program_id, counted_until, checked_day) SELECT min(id), '2026-11-08 12:00+00', '2026-11-07' FROM programs;
    INSERT INTO daily_breakdowns (program_id, dimension, day, value, clicks, leads, sales)
      SELECT program_id, dimension, day, CASE dimension WHEN 'country' THEN 'DE' WHEN 'device' THEN 'desktop' ELSE '' END, 1, 1, sales
      FROM roll_ups, (VALUES ('2026-11-06'::date, 1), ('2026-11-07', 0)) rolled(day, sales),
        (VALUES ('country'), ('device'), ('browser'), ('os'), ('referrer'), ('landing')) every(dimension);
    INSERT INTO daily_money (program_id, dimension, day, value, currency, revenue_cents)
      SELECT program_id, dimension, day, value, 'USD', 1000 FROM daily_breakdowns WHERE sales > 0
      UNION ALL SELECT program_id, 'link', '2026-11-06', (SELECT id FROM referral_links link WHERE link.program_id = roll_ups.program_id)::text, 'USD', 1000 FROM roll_ups`)
  return { databaseUrl, pool, db }
}

test('figures of an earlier version are the same after the upgrade, and after the first roll-up', async () => {
  const { databaseUrl, pool, db } = await givenEarlier()
  expect(await migrate(db)).toEqual(['0029-reporting-outside-the-write-path'])
  const { rows: marked } = await pool.query('SELECT program_id, day::text FROM changed_days ORDER BY program_id, day')
  expect(marked.map(({ program_id, day }) => `${program_id} ${day}`)).toEqual([
    ...['1 2026-11-07', '1 2026-11-09', '2 2026-11-06', '2 2026-11-07', '2 2026-11-09'],
  ])
  const expectThree = async (id: number) => {
    const program = await findProgram(db, id)
    if (!program) throw new Error('no program')
    const three = { clicks: 3, leads: 3, sales: 3, revenue: [{ currency: 'USD', amountCents: 3000 }] }
    const { totals, days } = await performanceOf(db, { program, query: { period: '7d' }, at: AT })
    expect(totals).toMatchObject(three)
    expect(days.map(({ sales }) => sales)).toEqual([0, 0, 1, 1, 0, 1, 0])
    for (const by of ['link', 'partner', 'country', 'landing'] as const) {
      const query = { by, period: '7d', sort: 'sales', limit: 5 } as const
      expect((await breakdownOf(db, { program, query, at: AT })).rows).toMatchObject([three])
    }
    const { differences } = await verifyProgram(db, { programId: id, sealedBefore: null })
    expect(differences).toEqual([])
    return program
  }
  for (const id of [1, 2]) {
    const program = await expectThree(id)
    while (!(await rollUp(db, { program, at: AT })));
    await expectThree(id)
  }
  expect((await pool.query('SELECT FROM changed_days')).rowCount).toBe(0)
  await pool.end()
  await dropTestDatabase(databaseUrl)
})
