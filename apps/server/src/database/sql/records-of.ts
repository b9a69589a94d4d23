import { sql } from 'kysely'

/** The click records a search term matches: a click ID, or the record of the customer with that key. */
export const recordsOf = (programId: number, word: string) => sql<string>`(
  SELECT ${word}::text COLLATE "C"
  UNION ALL SELECT click_id FROM customer_keys WHERE program_id = ${programId} AND customer_key = ${word})`
