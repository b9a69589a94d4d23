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
