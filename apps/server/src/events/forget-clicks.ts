import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

/**
 * Erases what identifies the visitor. The click itself, its time and its link stay, because counts and decisions refer to it.
 * Country and device type stay too: they are not personal, and crawlers are recognized by device.
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
