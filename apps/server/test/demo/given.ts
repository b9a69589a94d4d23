import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase, openPool } from '../../src/database/connect.ts'
import { createTestDatabase } from '../support/postgres.ts'

export const givenFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A migrated, empty database. */
export const givenDatabase = async () => {
  const pool = openPool(await createTestDatabase(), { max: 4, noTimeouts: true })
  afterAll(() => pool.end())
  return openDatabase(pool)
}

export const rowsOf = async <Row>(db: Database, query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows

export const countRows = async (db: Database) => {
  const [people] = await rowsOf(db, sql<Record<string, number>>`SELECT count(*) AS users FROM users`)
  const [row] = await rowsOf(
    db,
    sql<Record<string, number>>`
      SELECT (SELECT count(*) FROM programs) AS programs,
        (SELECT count(*) FROM customers) AS customers, (SELECT count(*) FROM click_events) AS clicks,
        (SELECT count(*) FROM leads) AS leads, (SELECT count(*) FROM sales) AS sales`,
  )
  return { ...people, ...row }
}
