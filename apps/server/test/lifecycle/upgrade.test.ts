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

/** Links, codes and sign-ins to which no name in the directory leads. */
const unnamedRows = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(`
    SELECT count(*)::int AS count FROM (
      SELECT aff FROM referral_links link WHERE program_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM link_names name WHERE (name.aff, name.program_id) = (link.aff, link.program_id))
      UNION ALL SELECT code FROM partners partner WHERE NOT EXISTS (
        SELECT FROM partner_codes name
        WHERE (name.code, name.program_id, name.partner_id) = (partner.code, partner.program_id, partner.id))
      UNION ALL SELECT user_id FROM partner_users WHERE NOT EXISTS (
        SELECT FROM partner_sign_ins name WHERE (name.user_id, name.program_id) = (partner_users.user_id, partner_users.program_id))
    ) unnamed`)
  await client.end()
  return rows[0]?.count
}

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
    expect(await unnamedRows(released.databaseUrl)).toBe(0)
    expect(await schemaOf(db)).toEqual(await asOwner(fresh, schemaOf))
  })
})
