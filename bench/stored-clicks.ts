import type { BenchedService } from './service.ts'

const CHUNK = 250_000
const SAMPLE = 20_000

/** Years of traffic in minutes: rows as the service writes them, of new visitors, spread over this month in time order. */
export const storeClicks = async ({ pool }: BenchedService, total: number, progress: (text: string) => void) => {
  for (let done = 0; done < total; done += CHUNK) {
    await pool.query(STORE, [done, Math.min(done + CHUNK, total), total])
    progress(`stored ${Math.min(done + CHUNK, total).toLocaleString('en')} of ${total.toLocaleString('en')} clicks`)
  }
  // With traffic that really took so long, autovacuum and checkpoints had long been here.
  progress('vacuum and checkpoint')
  for (const command of ['VACUUM (ANALYZE) customers', 'VACUUM (ANALYZE) click_events', 'CHECKPOINT'])
    await pool.query(command)
}

/** Some of those who may come back. */
export const sampleClickIds = async ({ pool }: BenchedService) => {
  const { rows } = await pool.query<{ click_id: string }>(
    'SELECT click_id FROM customers TABLESAMPLE BERNOULLI (1) ORDER BY random() LIMIT $1',
    [SAMPLE],
  )
  return rows.map((row) => row.click_id)
}

const STORE = `
WITH click AS MATERIALIZED (
  SELECT n, moment, moment::date AS day, link.id AS link_id, link.partner_id, link.program_id,
    -- 31 characters behind the program, of which the first ones grow with time: as click-ids.ts makes them.
    link.program_id || '_0' || to_hex(extract(epoch FROM moment)::bigint) || md5(n::text || 'bench')::char(22) AS click_id
  FROM generate_series($1::bigint, $2::bigint - 1) n
  CROSS JOIN LATERAL (
    SELECT date_trunc('month', now()) + (now() - date_trunc('month', now())) * (n::float8 / $3::bigint) AS moment) at
  JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS links FROM referral_links) link
    ON link.place = n % link.links
), customer AS (
  INSERT INTO customers (program_id, click_id, link_id, partner_id, credited_click_at, first_clicked_at, last_clicked_at)
  SELECT program_id, click_id, link_id, partner_id, moment, moment, moment FROM click ORDER BY n
), event AS (
  INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, page_url, page_title,
    referrer_url, session_id, screen_resolution, viewport_size, language, timezone, country, device, browser,
    operating_system, visitor_hash)
  SELECT program_id, gen_random_uuid(), moment, day, click_id, link_id, partner_id, false,
    'https://shop.example.com/pricing/plan-' || n % 200, 'Pricing: plan ' || n % 200 || ' | Example Shop',
    'https://news.example.org/best-tools-of-the-year', gen_random_uuid(), '1920x1080', '1440x900', 'en-GB',
    'Europe/London', 'GB', 'desktop', 'Chrome', 'Windows', decode(md5(n::text), 'hex')
  FROM click ORDER BY n
)
INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
SELECT program_id, link_id, partner_id, day, 0, count(*), max(moment) FROM click GROUP BY program_id, link_id, partner_id, day
ON CONFLICT (program_id, link_id, partner_id, day, slot) DO UPDATE SET
  clicks = daily_counts.clicks + excluded.clicks, last_clicked_at = excluded.last_clicked_at`
