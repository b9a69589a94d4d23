import { type RawBuilder, sql } from 'kysely'

/** Common table expressions by name. Modules contribute parts to one statement, so that an event is written in one round trip. */
export type Parts = Record<string, RawBuilder<unknown>>

export const withParts = (parts: Parts) =>
  sql`WITH ${sql.join(Object.entries(parts).map(([name, part]) => sql`${sql.raw(name)} AS (${part})`))}`
