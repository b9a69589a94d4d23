import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { readMoney } from '../../../../scripts/release/create-release-data.ts'
import { compareHeads, readExpectedHeads } from '../../src/commands/expected-heads.ts'
import { readConfig } from '../../src/config/config.ts'
import { openBackup, readBackup } from '../../src/database/backup/read-backup.ts'
import type { Database } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import { asOwner } from '../../src/database/start/as-owner.ts'
import { startService } from '../../src/service.ts'
import { verifyEverything } from '../../src/tracking/payments/verify-payments.ts'
import { asService, createTestDatabase, dropTestDatabase } from '../support/postgres.ts'
import { cleanUp, givenDataDir, ROOT } from './given-service.ts'

const RELEASES = join(ROOT, 'docs/releases')
const releases = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

afterAll(cleanUp)

/** The schema of a release, from its own text, and its data. */
const givenReleasedDatabase = async (version: string) => {
  const databaseUrl = await createTestDatabase('template1')
  afterAll(() => dropTestDatabase(databaseUrl))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL);
    CREATE TABLE kysely_migration_lock (id varchar(255) PRIMARY KEY, is_locked integer NOT NULL DEFAULT 0);
    INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0)`)
  const text = readFileSync(join(RELEASES, version, 'schema.sql'), 'utf8')
  for (const [, name, statements = ''] of text.matchAll(
    /^-- migration (\S+)\n([\s\S]*?)(?=^-- migration |$(?![\s\S]))/gm,
  )) {
    await client.query(statements)
    await client.query('INSERT INTO kysely_migration VALUES ($1, $2)', [name, '2026-11-01T00:00:00.000Z'])
  }
  await client.end()
  const backup = await openBackup(join(RELEASES, version, 'data.backup'), null)
  await readBackup(databaseUrl, backup, () => {})
  return { databaseUrl, secrets: backup.secrets }
}

/** The service of this version on that database, at the time at which the release's numbers were read. */
const givenUpgradedService = async (
  { databaseUrl, secrets }: Awaited<ReturnType<typeof givenReleasedDatabase>>,
  at: Date,
) => {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: givenDataDir(),
    DEMO: 'false',
    LOG_LEVEL: 'silent',
  })
  const urls = { databaseUrl: await asService(databaseUrl), ownerUrl: databaseUrl }
  const service = await startService({ config, secrets, ...urls, clock: () => at })
  afterAll(service.stop)
  return service
}

const signIn = async (url: string, { email, password }: { email: string; password: string }) => {
  const body = JSON.stringify({ email, password })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/auth/sign-in/email`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Columns, constraints and indexes, as Postgres describes them. Partitions depend on the date. */
const schemaOf = async (db: Database) => {
  const { rows } = await sql<{ line: string }>`
    SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name !~ '^click_events_|^kysely'
    UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ '^click_events_|^kysely'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename !~ '^click_events_|^kysely'
    ORDER BY 1`.execute(db)
  return rows.map(({ line }) => line)
}

const queryOnce = async (connectionString: string, text: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Partners' codes that a click could not find. */
const CODES_NOT_FOUND = `
  SELECT code FROM partners partner WHERE NOT EXISTS (
    SELECT FROM partner_codes known
    WHERE (known.code, known.program_id, known.partner_id) = (partner.code, partner.program_id, partner.id))`

test.each(releases)('an upgrade from %s changes no cent, no count and no decision', async (version) => {
  const expected = JSON.parse(readFileSync(join(RELEASES, version, 'expected.json'), 'utf8'))
  const released = await givenReleasedDatabase(version)
  const service = await givenUpgradedService(released, new Date(expected.at))

  const cookie = await signIn(service.url, expected.owner)
  const call = async (method: string, path: string) =>
    (await (await fetch(service.url + path, { method, headers: { cookie } })).json()) as { data: unknown }
  for (const program of expected.programs) expect(await readMoney(call, program.id)).toEqual(program)

  await asOwner(released.databaseUrl, async (db) => {
    const { differences, lines } = await verifyEverything(db, { sealedBefore: null, onProgram: () => {} })
    expect({ differences, hasLines: lines > 20 }).toEqual({ differences: 0, hasLines: true })
    const heads = readExpectedHeads(expected.heads.flatMap((head: string) => ['--expect', head]))
    expect(await compareHeads(db, heads)).toEqual([])
    const fresh = await createTestDatabase()
    afterAll(() => dropTestDatabase(fresh))
    expect(await queryOnce(released.databaseUrl, CODES_NOT_FOUND)).toEqual([])
    expect(await queryOnce(released.databaseUrl, CREDITED_OTHERWISE)).toEqual([])
    expect(await schemaOf(db)).toEqual(await asOwner(fresh, schemaOf))
  })
})

/** Everything that was credited was credited by click, and nothing else. */
const CREDITED_OTHERWISE = `
  SELECT 'sale' AS kind, id::text FROM sales WHERE (click_id IS NULL) <> (credit_source IS NULL) OR credit_source <> 'click'
  UNION ALL SELECT 'lead', id::text FROM leads WHERE credit_source <> 'click' OR link_id IS NULL
  UNION ALL SELECT 'customer', click_id FROM customers WHERE credit_source <> 'click' OR link_id IS NULL`

/** Rows that 0.2.0 accepts although what they name does not exist. */
const ORPHANS = `
  INSERT INTO programs (id, workspace_id, name, created_at) VALUES (9001, 'gone', 'Kept', now());
  INSERT INTO processor_home_programs (workspace_id, program_id) VALUES ('gone', 9001);
  INSERT INTO audit_entries (workspace_id, action, subject, created_at) VALUES ('gone too', 'member left', 'member m', now());
  INSERT INTO partners (program_id, id, name, code, created_at) VALUES (9001, 9001, 'Kept', 'kept', now());
  INSERT INTO partner_users (program_id, partner_id, user_id, created_at) VALUES (9001, 9001, 'gone', now());
  INSERT INTO partner_codes (code, program_id, partner_id, since) VALUES ('kept', 9001, 9001, now()), ('lost', 9001, 9002, now());
  INSERT INTO api_keys (id, program_id, name, secret_hash, created_at) VALUES ('AAAAAAAAAAAA', 9002, 'Lost', 'x', now());
  INSERT INTO demo_seed (id, decided_at, program_id) VALUES (true, now(), 9002)
    ON CONFLICT (id) DO UPDATE SET program_id = 9002`

/** Each violates one of the foreign keys that 0.2.0 did not have. */
const VIOLATIONS = [
  "UPDATE programs SET workspace_id = 'nowhere' WHERE id = 9001",
  "UPDATE processor_home_programs SET workspace_id = 'nowhere' WHERE program_id = 9001",
  "INSERT INTO audit_entries (workspace_id, action, subject, created_at) VALUES ('nowhere', 'a', 's', now())",
  "INSERT INTO partner_users (program_id, partner_id, user_id, created_at) VALUES (9001, 9001, 'nobody', now())",
  "INSERT INTO partner_codes (code, program_id, partner_id, since) VALUES ('other', 9001, 9002, now())",
  "INSERT INTO api_keys (id, program_id, name, secret_hash, created_at) VALUES ('BBBBBBBBBBBB', 9002, 'n', 'x', now())",
  'UPDATE demo_seed SET program_id = 9002',
]

test('an upgrade from 0.2.0 restores the foreign keys, keeps programs and audit entries, and drops what leads nowhere', async () => {
  const { databaseUrl } = await givenReleasedDatabase('0.2.0')
  const query = (text: string) => queryOnce(databaseUrl, text)
  const count = async (table: string) => (await query(`SELECT count(*)::int FROM ${table}`))[0]?.count
  await query(ORPHANS)
  const before = {
    entries: await count('audit_entries'),
    users: await count('partner_users'),
    keys: await count('api_keys'),
  }
  await asOwner(databaseUrl, migrate)

  const workspaces = await query("SELECT id FROM workspaces WHERE name = 'Recovered workspace' ORDER BY id")
  expect(workspaces).toEqual([{ id: 'gone' }, { id: 'gone too' }])
  expect(await query('SELECT workspace_id FROM programs WHERE id = 9001')).toEqual([{ workspace_id: 'gone' }])
  expect(await query('SELECT code FROM partner_codes WHERE program_id = 9001')).toEqual([{ code: 'kept' }])
  expect(await query('SELECT program_id FROM demo_seed')).toEqual([{ program_id: null }])
  expect({
    entries: await count('audit_entries'),
    users: await count('partner_users'),
    keys: await count('api_keys'),
  }).toEqual({ ...before, users: before.users - 1, keys: before.keys - 1 })

  for (const statement of VIOLATIONS) await expect(query(statement)).rejects.toMatchObject({ code: '23503' })
  expect(await query("SELECT conname FROM pg_constraint WHERE contype = 'f' AND NOT convalidated")).toEqual([])
  const [signIn] = await query('SELECT user_id FROM partner_users LIMIT 1')
  await query(`DELETE FROM users WHERE id = '${signIn?.user_id}'`)
  expect(await query(`SELECT FROM partner_users WHERE user_id = '${signIn?.user_id}'`)).toEqual([])
})

/** Partners of 0.2.0 and their links: what a click on each code led to is what the new links must lead to. */
const PARTNERS_AND_LINKS = `
  INSERT INTO programs (id, workspace_id, name, created_at) SELECT id, (SELECT id FROM workspaces LIMIT 1), 'P' || id, now()
    FROM generate_series(9001, 9002) id;
  INSERT INTO partners (program_id, id, name, code, status, archived, created_at) VALUES
    (9001, 9001, 'Without links', 'plain', 'approved', false, now()),
    (9001, 9002, 'With another link', 'other', 'approved', false, now()),
    (9001, 9003, 'With this link', 'linked', 'approved', false, now()),
    (9001, 9004, 'With disabled links', 'off', 'approved', false, now()),
    (9001, 9005, 'Suspended', 'stopped', 'suspended', false, now()),
    (9001, 9006, 'Archived', 'gone', 'approved', true, now()),
    (9001, 9007, 'Code is a link of another', 'Bens-Link', 'approved', false, now()),
    (9002, 9008, 'Had the code later', 'PLAIN', 'approved', false, now()),
    (9002, 9009, 'Had the same code later', 'plain', 'approved', false, now());
  INSERT INTO partner_codes (code, program_id, partner_id, since)
    SELECT code, program_id, id, now() + id * interval '1 second' FROM partners WHERE program_id IN (9001, 9002);
  INSERT INTO referral_links (id, aff, program_id, partner_id, active, created_at) VALUES
    (9001, 'bens-link', 9001, 9002, true, now()),
    (9002, 'linked', 9001, 9003, true, now()),
    (9003, 'off-link', 9001, 9004, false, now()),
    (9004, 'unassigned', 9001, NULL, true, now());
  INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
    VALUES (9001, 9002, 9003, '2026-10-01', 0, 7, '2026-10-01T12:00:00Z')`

test('an upgrade from 0.2.0 gives partners the link of their code where it works, and moves no figures', async () => {
  const { databaseUrl } = await givenReleasedDatabase('0.2.0')
  const query = (text: string) => queryOnce(databaseUrl, text)
  await query(PARTNERS_AND_LINKS)
  const kept = 'SELECT id, aff, partner_id, active, destination_url, created_at FROM referral_links'
  const counts = 'SELECT * FROM daily_counts ORDER BY program_id, link_id, day, slot'
  const before = { links: await query(`${kept} ORDER BY id`), counts: await query(counts) }
  await asOwner(databaseUrl, migrate)

  const ids = before.links.map(({ id }) => id).join()
  expect(await query(`${kept} WHERE id IN (${ids}) ORDER BY id`)).toEqual(before.links)
  expect(await query(counts)).toEqual(before.counts)
  const made = `SELECT aff, partner_id, active FROM referral_links WHERE program_id >= 9001 AND id NOT IN (${ids}) ORDER BY partner_id`
  expect(await query(made)).toEqual([
    { aff: 'plain', partner_id: 9001, active: true },
    { aff: 'other', partner_id: 9002, active: true },
    { aff: 'stopped', partner_id: 9005, active: true },
    { aff: 'gone', partner_id: 9006, active: true },
  ])
  const strays = `SELECT FROM click_events click WHERE NOT EXISTS (
    SELECT FROM referral_links link WHERE (link.program_id, link.id) = (click.program_id, click.link_id))`
  expect(await query(strays)).toEqual([])
})

/** A connected program of 0.2.0 with one event and the payment of its sale. */
const PROCESSOR_DATA = `
  INSERT INTO programs (id, workspace_id, name, created_at) SELECT 9001, (SELECT id FROM workspaces LIMIT 1), 'P', now();
  INSERT INTO processor_connections (program_id, status, secret, secret_set_at) VALUES (9001, 'connected', 'sealed', now());
  INSERT INTO processor_events (program_id, processor, event_id, type, livemode, created_at, received_at, payload, fate, reason)
    VALUES (9001, 'stripe', 'evt_1', 'invoice.paid', true, now(), now(), '{}', 'ignored', 'no_metadata');
  INSERT INTO payments (program_id, id) VALUES (9001, 9001);
  INSERT INTO payment_references (program_id, reference, payment_id) VALUES (9001, 'pi_1', 9001), (9001, '1001', NULL)`

const addEvent = (processor: string) => `
  INSERT INTO processor_events (program_id, processor, event_id, type, livemode, created_at, received_at, payload, fate, reason)
  VALUES (9001, '${processor}', 'evt_1', 'paid', true, now(), now(), '{}', 'ignored', 'no_metadata')`

test('an upgrade from 0.2.0 keeps connections, events and references, and makes room for other processors', async () => {
  const { databaseUrl } = await givenReleasedDatabase('0.2.0')
  const query = (text: string) => queryOnce(databaseUrl, text)
  await query(PROCESSOR_DATA)
  const references = 'SELECT * FROM payment_references ORDER BY program_id, reference'
  const before = await query(references)
  await asOwner(databaseUrl, migrate)

  expect(await query(references)).toEqual(before)
  const connection = 'SELECT processor, status, next_secret FROM processor_connections WHERE program_id = 9001'
  expect(await query(connection)).toEqual([{ processor: 'stripe', status: 'connected', next_secret: null }])
  await expect(query(addEvent('stripe'))).rejects.toMatchObject({ code: '23505' })
  await query(addEvent('another'))
  await query("INSERT INTO processor_connections (program_id, processor, status) VALUES (9001, 'another', 'pending')")
  expect(await query(connection)).toHaveLength(2)
})
