import { sql } from 'kysely'

/** The records that a searched word names: a click ID itself, or the one of the customer with that key. */
export const recordsOf = (programId: number, word: string) => sql<string>`(
  SELECT ${word}::text COLLATE "C"
  UNION ALL SELECT click_id FROM customer_keys WHERE program_id = ${programId} AND customer_key = ${word})`
