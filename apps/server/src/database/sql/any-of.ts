import { sql } from 'kysely'

/**
 * Matches a list of numbers passed as one parameter. The statement's text is the same for every length, so it needs one slot in
 * the prepared statement cache (prepared.ts); `in` would need one per length.
 */
export const anyOf = (ids: number[]) => sql<number>`any(${ids}::bigint[])`

/** The same for text. */
export const anyOfTexts = (texts: string[]) => sql<string>`any(${texts}::text[])`
