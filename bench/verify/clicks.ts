import { type Acknowledged, lookForFaults } from './faults.ts'

/** Faults as sentences: acknowledged clicks that are missing or stored too often. */
export const findClickFaults = ({ service, clicks, since }: Acknowledged) =>
  lookForFaults(service.pool, clicks, async (count) => {
    // A returning visitor keeps the click_id, so it is acknowledged, and must have events, more than once.
    const timesRecorded = `
      (SELECT name AS click_id, count(*) AS times FROM acknowledged GROUP BY name) expected
      FULL JOIN (SELECT click_id, count(*) AS times FROM click_events WHERE clicked_at >= $1 GROUP BY click_id) kept USING (click_id)`
    await count(
      'acknowledged clicks are lost',
      `SELECT FROM ${timesRecorded} WHERE coalesce(kept.times, 0) < expected.times`,
      [since],
    )
    await count(
      'clicks were recorded but never acknowledged',
      `SELECT FROM ${timesRecorded} WHERE kept.times > coalesce(expected.times, 0)`,
      [since],
      clicks.doubtful,
    )
    await count(
      'acknowledged clicks have no customer record',
      'SELECT FROM (SELECT DISTINCT name FROM acknowledged) expected WHERE NOT EXISTS (SELECT FROM customers WHERE program_id = $1 AND click_id = name)',
      [service.program.id],
    )
  })
