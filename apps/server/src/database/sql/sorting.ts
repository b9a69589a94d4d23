import { type RawBuilder, sql } from 'kysely'

/** `-clicks` sorts descending. The last column breaks ties, so pages never overlap. */
export const orderBy = (sort: string, columns: Record<string, string>, last: string): RawBuilder<unknown> => {
  const name = sortField(sort)
  const column = columns[name]
  if (!column) throw new RangeError(`cannot sort by ${name}`)
  const direction = directionOf(sort)
  return sql.raw(`ORDER BY ${column} ${direction}, ${last} ${direction}`)
}

/** `-clicks` sorts by `clicks`. */
export const sortField = <Sort extends string>(sort: Sort) =>
  sort.replace(/^-/, '') as Sort extends `-${infer Name}` ? Name : Sort

export const directionOf = (sort: string) => (sort.startsWith('-') ? 'desc' : 'asc')

/** Escapes `%` and `_`, so that they match literally. */
export const containing = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
