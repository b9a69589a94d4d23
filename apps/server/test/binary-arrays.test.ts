import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { binaryArrays, type Element, type ElementType } from '../src/database/binary-arrays.ts'
import { openPool } from '../src/database/connect.ts'
import { createTestDatabase } from './support/postgres.ts'

const pool = openPool(await createTestDatabase(), { max: 1, name: 'test' })
afterAll(() => pool.end())

const storable = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', '').toWellFormed())
const row = fc.record({
  text: fc.option(
    fc.oneof(
      storable,
      storable.map((text) => text.repeat(200)),
      fc.constantFrom('', 'NULL', '{"a"}', '\\x00'),
    ),
  ),
  uuid: fc.option(fc.uuid()),
  bytea: fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes) => `\\x${bytes.toHex()}`)),
  timestamptz: fc.option(fc.date({ min: new Date('1901-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })),
})
type Row = Record<ElementType, Element>
const TYPES: ElementType[] = ['text', 'uuid', 'bytea', 'timestamptz']
const COLUMNS = TYPES.map((type) => ({ type, of: (one: Row) => one[type] }))

test('Postgres reads from the arrays what was put into them, whatever that is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const { rows: read } = await pool.query({
        text: 'SELECT unnest($1::text[]) AS text, unnest($2::uuid[]) AS uuid, unnest($3::bytea[])::text AS bytea, unnest($4::timestamptz[]) AS timestamptz',
        values: binaryArrays<Row>(rows, COLUMNS),
      })
      expect(read).toEqual(rows)
    }),
    { numRuns: 300 },
  )
})
