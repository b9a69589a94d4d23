import { type RawBuilder, sql } from 'kysely'
import { binaryArrays, type Element, type ElementType } from './binary-arrays.ts'

/** Generous, because growing a buffer means copying it. */
const ELEMENT_BYTES = 100

/** Turns one property of all rows into an array parameter for `unnest`. */
export const columnsOf =
  <Row>(rows: Row[]) =>
  <Name extends keyof Row>(name: Row[Name] extends Element ? Name : never, type: ElementType): RawBuilder<unknown> => {
    const [array] = binaryArrays(rows, [{ type, of: (row) => row[name] as Element }], ELEMENT_BYTES)
    return sql`${array}::${sql.raw(type)}[]`
  }

/**
 * Matches a list of numbers passed as one parameter. The statement's text is the same for every length, so it needs one slot in
 * the prepared statement cache (prepared.ts); `in` would need one per length.
 */
export const anyOf = (ids: number[]) => sql<number>`any(${ids}::bigint[])`

/** The same for text. */
export const anyOfTexts = (texts: readonly string[]) => sql<string>`any(${texts}::text[])`

/** Common table expressions by name. Modules contribute parts to one statement, so that an event is written in one round trip. */
export type Parts = Record<string, RawBuilder<unknown>>

export const withParts = (parts: Parts) =>
  sql`WITH ${sql.join(Object.entries(parts).map(([name, part]) => sql`${sql.raw(name)} AS (${part})`))}`
