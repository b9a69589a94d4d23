import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

/**
 * What describes the visitor goes; that there was a click, when and on whose link, stays: it is counted, and decisions name it.
 * Country and kind of device stay as well, for they describe a crowd; a crawler is told by its device.
 */
export const forgetClicks = async (tx: Tx, { programId, clickId }: { programId: number; clickId: string | null }) => {
  if (clickId === null) return 0
  const { numAffectedRows } = await sql`
    UPDATE click_events SET page_url = NULL, page_title = NULL, referrer_url = NULL, session_id = NULL,
      screen_resolution = NULL, viewport_size = NULL, language = NULL, timezone = NULL, region = NULL, city = NULL,
      browser = NULL, operating_system = NULL, visitor_hash = NULL
    WHERE program_id = ${programId} AND click_id = ${clickId}
      AND num_nonnulls(page_url, page_title, referrer_url, session_id, screen_resolution, viewport_size, language, timezone,
        region, city, browser, operating_system, visitor_hash) > 0`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
