import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openPool } from '../src/database/connect.ts'
import { binaryArrays, type Element, type ElementType } from '../src/database/sql/binary-arrays.ts'
import { createTestDatabase } from './support/postgres.ts'
import { sized } from './support/size.ts'

const pool = openPool(await createTestDatabase(), { max: 1, name: 'test' })
afterAll(() => pool.end())

const storable = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', '').toWellFormed())
const row = fc.record({
  integer: fc.option(fc.integer()),
  bigint: fc.option(fc.maxSafeInteger()),
  date: fc.option(
    fc
      .date({ min: new Date('1901-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  ),
  jsonb: fc.option(storable.map((text) => JSON.stringify({ text, list: [1, null] }))),
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
const TYPES: ElementType[] = ['integer', 'bigint', 'date', 'jsonb', 'text', 'uuid', 'bytea', 'timestamptz']
const AS_TEXT: ElementType[] = ['bytea', 'jsonb']
const COLUMNS = TYPES.map((type) => ({ type, of: (one: Row) => one[type] }))

test('raw bytes are accepted too', async () => {
  const bytes = [new Uint8Array([0, 255, 7]), null, new Uint8Array()]
  const values = binaryArrays(bytes, [{ type: 'bytea', of: (one) => one }])
  const { rows } = await pool.query({ text: 'SELECT unnest($1::bytea[])::text AS bytes', values })
  expect(rows.map(({ bytes }) => bytes)).toEqual(['\\x00ff07', null, '\\x'])
})

test('Postgres reads the arrays exactly as they were written, for any values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const { rows: read } = await pool.query({
        text: `SELECT ${TYPES.map((type, index) => `unnest($${index + 1}::${type}[])${AS_TEXT.includes(type) ? '::text' : ''} AS ${type}`)}`,
        values: binaryArrays<Row>(rows, COLUMNS),
      })
      const parsed = ({ jsonb, ...rest }: Row) => ({
        ...rest,
        jsonb: jsonb && JSON.parse(String(jsonb)),
      })
      expect(read.map(parsed)).toEqual(rows.map(parsed))
    }),
    { numRuns: sized({ short: 60, long: 300 }) },
  )
})
