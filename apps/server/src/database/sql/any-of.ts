import { sql } from 'kysely'

/**
 * One of these numbers, as one parameter: a list of any length is the same text, of which a connection keeps one plan. An `in`
 * would be another text for every length, and there is room for so many and no more (prepared.ts).
 */
export const anyOf = (ids: number[]) => sql<number>`any(${ids}::bigint[])`

/** One of these texts, likewise. */
export const anyOfTexts = (texts: string[]) => sql<string>`any(${texts}::text[])`
