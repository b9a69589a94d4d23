import { type RawBuilder, sql } from 'kysely'

/** `-clicks` is most first. The last column decides between equals, so that pages never overlap. */
export const orderBy = (sort: string, columns: Record<string, string>, last: string): RawBuilder<unknown> => {
  const name = nameOf(sort)
  const column = columns[name]
  if (!column) throw new RangeError(`nothing is sorted by ${name}`)
  const way = wayOf(sort)
  return sql.raw(`ORDER BY ${column} ${way}, ${last} ${way}`)
}

/** `-clicks` is sorted by clicks. */
export const nameOf = <Sort extends string>(sort: Sort) =>
  sort.replace(/^-/, '') as Sort extends `-${infer Name}` ? Name : Sort

export const wayOf = (sort: string) => (sort.startsWith('-') ? 'desc' : 'asc')

/** The word as it is: neither `%` nor `_` stands for anything else. */
export const containing = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
