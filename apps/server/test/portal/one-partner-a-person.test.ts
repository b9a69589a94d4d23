import { expect, test } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { migrate, migrateTo } from '../../src/database/migrate.ts'
import { createTestDatabase } from '../support/postgres.ts'

/** A database as the version before had it, in which Ada is three partners of one program and Ben is one. */
const givenDoubles = async () => {
  const pool = openPool(await createTestDatabase('template1'), { max: 1, unhurried: true })
  const db = openDatabase(pool)
  await migrateTo(db, ['0016-messages-without-a-report'])
  await pool.query(`
    INSERT INTO users (id, name, email) VALUES ('ada', 'Ada', 'ada@example.com'), ('ben', 'Ben', 'ben@example.com');
    INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w');
    INSERT INTO programs (workspace_id, name, created_at) VALUES ('w', 'P', now()), ('w', 'Q', now());
    INSERT INTO partners (program_id, name, code, status, created_at)
      SELECT program.id, code, code, status, now() FROM programs AS program,
        (VALUES (1, 'rejected'), (2, 'pending'), (3, 'approved'), (4, 'pending'), (5, 'pending')) AS p(n, status),
        LATERAL (SELECT 'p' || n AS code) AS named ORDER BY program.id, n;
    INSERT INTO referral_links (aff, program_id, partner_id, active, created_at)
      SELECT 'q5', program_id, partners.id, true, now() FROM partners JOIN programs ON programs.id = program_id
      WHERE programs.name = 'Q' AND code = 'p5';
    INSERT INTO partner_users (program_id, partner_id, user_id, created_at)
      SELECT program_id, partners.id, CASE code WHEN 'p2' THEN 'ben' ELSE 'ada' END, now()
      FROM partners JOIN programs ON programs.id = program_id
      WHERE programs.name = 'P' AND code < 'p5' OR programs.name = 'Q' AND code IN ('p1', 'p4', 'p5')`)
  return { pool, db }
}

test('who was two partners of one program stays the one whom the merchant works with, and the log names the others', async () => {
  const { pool, db } = await givenDoubles()
  expect(await migrate(db)).toContain('0017-one-partner-a-person')
  const kept = await pool.query(`
    SELECT programs.name || ' ' || code || ' ' || user_id AS kept FROM partner_users
    JOIN partners ON partners.id = partner_id JOIN programs ON programs.id = partners.program_id ORDER BY 1`)
  expect(kept.rows.map((row) => row.kept)).toEqual(['P p2 ben', 'P p3 ada', 'Q p5 ada'])
  const log = await pool.query(`
    SELECT programs.name || ' ' || code || ' ' || (before ->> 'userId') AS removed FROM audit_entries
    JOIN programs ON programs.id = program_id
    JOIN partners ON subject = 'partner ' || partners.id WHERE action = 'account of partner removed' ORDER BY 1`)
  expect(log.rows.map((row) => row.removed)).toEqual(['P p1 ada', 'P p4 ada', 'Q p1 ada', 'Q p4 ada'])
  expect((await pool.query('SELECT 1 FROM partners')).rowCount).toBe(10)
  await pool.end()
})
