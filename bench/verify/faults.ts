import type pg from 'pg'
import type { Book } from '../rounds.ts'

const CHUNK = 50_000

type Count = (sentence: string, query: string, values?: unknown[], allowed?: number) => Promise<void>

/** A service, and the names of everything it has acknowledged since a time. */
export type Acknowledged = {
  service: { pool: pg.Pool; program: { id: number } }
  since: Date
  clicks: Book
  leads: Book
  sales: Book
  webhooks: Book
}

/**
 * Loads the acknowledged names into a temporary table; `count` reports the number of wrong rows if it exceeds the
 * allowed one.
 */
export const lookForFaults = async (pool: pg.Pool, { names }: Book, look: (count: Count) => Promise<void>) => {
  const client = await pool.connect()
  const faults: string[] = []
  try {
    await client.query('CREATE TEMP TABLE acknowledged (name text COLLATE "C")')
    for (let done = 0; done < names.length; done += CHUNK)
      await client.query('INSERT INTO acknowledged SELECT unnest($1::text[])', [names.slice(done, done + CHUNK)])
    await client.query('ANALYZE acknowledged')
    await look(async (sentence, query, values = [], allowed = 0) => {
      const { rows } = await client.query<{ found: number }>(`SELECT count(*) AS found FROM (${query}) fault`, values)
      const found = rows[0]?.found ?? 0
      if (found > allowed) faults.push(`${found} ${sentence}`)
    })
    await client.query('DROP TABLE acknowledged')
  } finally {
    client.release()
  }
  return faults
}
