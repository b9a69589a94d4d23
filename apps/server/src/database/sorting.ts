import { type RawBuilder, sql } from 'kysely'

/** `-clicks` is most first. The last column decides between equals, so that pages never overlap. */
export const orderBy = (sort: string, columns: Record<string, string>, last: string): RawBuilder<unknown> => {
  const name = sort.replace(/^-/, '')
  const column = columns[name]
  if (!column) throw new RangeError(`nothing is sorted by ${name}`)
  const way = sort.startsWith('-') ? 'DESC' : 'ASC'
  return sql.raw(`ORDER BY ${column} ${way}, ${last} ${way}`)
}

/** The word as it is: neither `%` nor `_` stands for anything else. */
export const containing = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
