import { sql } from 'kysely'

/** One of these numbers, as one parameter: a list of any length is the same text, of which a connection keeps one plan. */
export const anyOf = (ids: number[]) => sql<number>`any(${ids}::integer[])`
