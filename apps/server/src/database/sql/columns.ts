import { type RawBuilder, sql } from 'kysely'
import { binaryArrays, type Element, type ElementType } from './binary-arrays.ts'

/** A buffer that turns out too small is copied, one that is too large only made. */
const ELEMENT_BYTES = 100

/** Rows as parameters of a statement, for `unnest`: what all of them say under one name, as an array of that type. */
export const columnsOf =
  <Row>(rows: Row[]) =>
  <Name extends keyof Row>(name: Row[Name] extends Element ? Name : never, type: ElementType): RawBuilder<unknown> => {
    const [array] = binaryArrays(rows, [{ type, of: (row) => row[name] as Element }], ELEMENT_BYTES)
    return sql`${array}::${sql.raw(type)}[]`
  }
