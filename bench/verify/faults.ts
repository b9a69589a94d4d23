import type pg from 'pg'

const CHUNK = 50_000

/** A service, and the names of all that it has acknowledged since a moment. */
export type Told = {
  service: { pool: pg.Pool; program: { id: number } }
  since: Date
  clicks: string[]
  leads: string[]
  sales: string[]
  webhooks: string[]
}

/** Names that were acknowledged, in a table beside those that are stored; `count` says in a sentence how many rows are wrong. */
export const lookForFaults = async (
  pool: pg.Pool,
  acknowledged: string[],
  look: (count: (sentence: string, query: string, values?: unknown[]) => Promise<void>) => Promise<void>,
) => {
  const client = await pool.connect()
  const faults: string[] = []
  try {
    await client.query('CREATE TEMP TABLE acknowledged (name text COLLATE "C")')
    for (let done = 0; done < acknowledged.length; done += CHUNK)
      await client.query('INSERT INTO acknowledged SELECT unnest($1::text[])', [acknowledged.slice(done, done + CHUNK)])
    await client.query('ANALYZE acknowledged')
    await look(async (sentence, query, values = []) => {
      const { rows } = await client.query<{ found: number }>(`SELECT count(*) AS found FROM (${query}) fault`, values)
      if (rows[0]?.found) faults.push(`${rows[0].found} ${sentence}`)
    })
    await client.query('DROP TABLE acknowledged')
  } finally {
    client.release()
  }
  return faults
}
