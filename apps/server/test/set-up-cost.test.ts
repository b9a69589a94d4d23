import { expect, test } from 'bun:test'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type { DB } from '../src/database/tables.ts'
import { findProgram } from '../src/programs/programs.ts'
import { setUpSteps } from '../src/tracking/set-up/set-up.ts'
import { givenClick } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const MANY = 5_000
/** The page searches this many of the latest leads for a hint. */
const HINTS = 1_000

type Plan = { 'Relation Name'?: string; Plans?: Plan[] } & Record<string, unknown>

/** How many rows of each table the statements of a call read, according to Postgres, filtered rows included. */
const rowsRead = async (read: (db: Kysely<DB>) => Promise<unknown>) => {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: service.pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: ({ query }) => void statements.push(query),
  })
  await read(db)
  const rows = new Map<string, number>()
  const visit = (node: Plan) => {
    const table = node['Relation Name']
    const looked = Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)
    if (table) rows.set(table, (rows.get(table) ?? 0) + looked * Number(node['Actual Loops']))
    for (const child of node.Plans ?? []) visit(child)
  }
  for (const { sql, parameters } of statements) {
    const { rows: plans } = await service.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...parameters])
    visit(plans[0]['QUERY PLAN'][0].Plan)
  }
  return rows
}

/** Inserts many copies of a row, each with these changes. */
const copyRows = (table: string, where: string, changes: string) =>
  service.pool.query(`
    INSERT INTO ${table} SELECT copy.* FROM ${table} original CROSS JOIN generate_series(1, ${MANY}) AS copy_number
    CROSS JOIN LATERAL jsonb_populate_record(original, jsonb_build_object('id', 1000000 + copy_number, ${changes})) copy
    WHERE original.${where}`)

test('the setup page reads a few rows, however many leads and sales of other kinds there are', async () => {
  const program = await givenPayingProgram(service, null)
  const click_id = await givenClick(service, program.link)
  await program.lead({ customer_key: 'ada', click_id })
  await program.sale({ customer_key: 'ada', amount: 100, invoice_id: 'one' })
  // Of the leads by payments, the page looks for the latest. Sales by a processor that is not connected do not complete a step.
  await service.pool.query(`UPDATE leads SET settled_by = 'processor' WHERE program_id = ${program.id}`)
  await service.pool.query(`UPDATE sales SET reported_by = 'processor' WHERE program_id = ${program.id}`)
  for (const table of ['customers', 'leads'])
    await copyRows(
      table,
      `click_id = '${click_id}'`,
      `'click_id', original.click_id || copy_number, 'customer_key', 'customer-' || copy_number`,
    )
  await copyRows('sales', `program_id = ${program.id}`, `'invoice_id', 'other' || copy_number`)
  await service.pool.query('ANALYZE leads, sales, customers')

  const found = await findProgram(service.db, program.id)
  if (!found) throw new Error('no program')
  const at = service.clock.now()
  const ofServer = { ...found, leadAuth: 'browser_allowed' as const, paymentTrackingMode: 's2s' as const }
  const read = await rowsRead((db) => setUpSteps(db, { program: ofServer, at }))
  expect(read.get('leads')).toBe(HINTS + 1)
  expect(read.get('sales')).toBe(1)
})
