import type { BenchedService } from './service.ts'

const CHUNK = 50_000

/** What is wrong, as sentences: acknowledged clicks that are not there, or there too often, and counts that are off. */
export const findFaults = async ({ pool }: BenchedService, acknowledged: string[], since: Date) => {
  await pool.query('CREATE TEMP TABLE acknowledged (click_id text COLLATE "C")')
  for (let done = 0; done < acknowledged.length; done += CHUNK)
    await pool.query('INSERT INTO acknowledged SELECT unnest($1::text[])', [acknowledged.slice(done, done + CHUNK)])

  const faults: string[] = []
  const count = async (sentence: string, query: string, values: unknown[] = []) => {
    const { rows } = await pool.query<{ found: number }>(`SELECT count(*) AS found FROM (${query}) fault`, values)
    if (rows[0]?.found) faults.push(`${rows[0].found} ${sentence}`)
  }
  // A returning visitor keeps the click_id, so it is acknowledged, and must have events, more than once.
  const timesRecorded = `
    (SELECT click_id, count(*) AS times FROM acknowledged GROUP BY click_id) told
    FULL JOIN (SELECT click_id, count(*) AS times FROM click_events WHERE clicked_at >= $1 GROUP BY click_id) kept USING (click_id)`
  await count(
    'acknowledged clicks are lost',
    `SELECT FROM ${timesRecorded} WHERE coalesce(kept.times, 0) < told.times`,
    [since],
  )
  await count(
    'clicks are recorded that nobody was told of',
    `SELECT FROM ${timesRecorded} WHERE kept.times > coalesce(told.times, 0)`,
    [since],
  )
  await count(
    'acknowledged clicks have no customer record',
    'SELECT click_id FROM acknowledged EXCEPT SELECT click_id FROM customers',
  )
  await count(
    'counters do not equal their events',
    `SELECT FROM
      (SELECT program_id, link_id, partner_id, day, sum(clicks) AS clicks, max(last_clicked_at) AS last FROM daily_counts GROUP BY 1, 2, 3, 4) counter
      FULL JOIN
      (SELECT program_id, link_id, partner_id, day, count(*) AS clicks, max(clicked_at) AS last FROM click_events GROUP BY 1, 2, 3, 4) event
      USING (program_id, link_id, partner_id, day)
    WHERE counter.clicks IS DISTINCT FROM event.clicks OR counter.last IS DISTINCT FROM event.last`,
  )
  return faults
}
