import { afterAll, describe, expect, test } from 'bun:test'
import { givenService } from '../support/shared-service.ts'
import { CALLS_THAT_READ } from './calls-that-read.ts'
import { givenProgramOfSize, type SizedProgram } from './given-program-of-size.ts'
import { readsDuring, rowsProcessed } from './rows-processed.ts'

const service = await givenService()

/** From now on no table is analyzed: ANALYZE and autovacuum need this lock. */
const keepStatistics = async () => {
  const { rows } = await service.pool.query(
    `SELECT string_agg(format('%I', relname), ', ') AS names FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  )
  const client = await service.pool.connect()
  await client.query(`BEGIN; LOCK TABLE ${rows[0].names} IN SHARE UPDATE EXCLUSIVE MODE`)
  return async () => {
    await client.query('ROLLBACK; ANALYZE')
    client.release()
  }
}

/** The worst that statistics can say: each program has one row of everything, as if all others were empty. */
const expectOneRowPerProgram = async () => {
  const { rows } = await service.pool.query(
    `SELECT string_agg(format('ALTER TABLE %s ALTER program_id SET (n_distinct = -1)', attrelid::regclass), ';') AS settings
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE attname = 'program_id' AND relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  )
  await service.pool.query(rows[0].settings)
}

const GROWTH = 4
/** Joining all rows with all grows by GROWTH squared. Less, because a list's page is full only in the larger program. */
const MAX_GROWTH = 3 * GROWTH
/**
 * Look up each row's sales or commission by a complete key. If Postgres expects one row per program, it may use another index of the
 * program for that (docs/decisions/0020); every other way would make large exports slower.
 */
const ROW_BY_ROW = ['/api/programs/{programId}/export/customers.csv', '/api/programs/{programId}/export/sales.csv']
const maxGrowthOf = (template: string) => (ROW_BY_ROW.includes(template) ? GROWTH ** 2 : MAX_GROWTH)
/** Fewer rows are those of one page: each of its rows looked up in the whole program. */
const FEW_ROWS = 60_000

await givenProgramOfSize(service, 2)
await expectOneRowPerProgram()
await service.pool.query('ANALYZE')
const release = await keepStatistics()
const small = await givenProgramOfSize(service, 3)
const large = await givenProgramOfSize(service, 3 * GROWTH)

const rowsFor = async (program: SizedProgram, caller: string, address: string) => {
  const url = address.replace(/\{(\w+)\}/g, (_, name) => String(program.names[name] ?? `no ${name}`))
  const { cookie } = caller === 'partner' ? program.partner : program.owner
  const statements = await readsDuring(async () => {
    const response = await fetch(service.url + url, { headers: { cookie } })
    const text = await response.text()
    expect([url, response.status === 200 ? 200 : text]).toEqual([url, 200])
  })
  let rows = 0
  for (const statement of statements) rows += await rowsProcessed(service.pool, statement)
  return rows
}

describe('in a program of which the statistics know nothing, Postgres reads in proportion to its size', () => {
  // What every test checks at its end reads much.
  afterAll(release)

  for (const { caller, template, queries } of CALLS_THAT_READ)
    test(`GET ${template}`, async () => {
      const grown = []
      for (const query of queries) {
        const address = query ? `${template}?${query}` : template
        const few = await rowsFor(small, caller, address)
        const many = await rowsFor(large, caller, address)
        if (many > FEW_ROWS && many > maxGrowthOf(template) * few) grown.push([address, few, many])
      }
      expect(grown).toEqual([])
    })
})
