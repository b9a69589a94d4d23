import { expect } from 'bun:test'
import { readBreakdown } from '../../src/events/overview/breakdown.ts'
import { linksWithFigures } from '../../src/events/overview/figures.ts'
import { readPerformance } from '../../src/events/overview/performance.ts'
import { writeClicks } from '../../src/tracking/clicks/write-clicks.ts'
import type { Reward } from '../money/given-money.ts'
import { clickRow } from '../support/click-row.ts'
import { unique } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { givenPayments, type Ledger, type Payments } from './given-payments.ts'

const COUNTRIES = ['DE', 'FR', null]
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' as const }, lead: { amountCents: 50 } }

type Amounts = { currency: string; amountCents: number }[]
const cents = (amounts: Amounts) => amounts.reduce((sum, { amountCents }) => sum + amountCents, 0)
export const converted = (row: { leads: number; sales: number; revenue: Amounts; commissions: Amounts }) => ({
  leads: row.leads,
  sales: row.sales,
  revenue: cents(row.revenue),
  commissions: cents(row.commissions),
})

export type Shop = Payments & { customers: { programId: number; customerKey: string; clickId: string }[] }

/** Programs on one ledger, and a check that their figures equal the sums of their rows. */
export const givenFigures = (ledger: Ledger) => {
  const givenShop = async (reward: Partial<Reward> = REWARD) => {
    const shop = await givenPayments(ledger, reward, 2)
    // Clicks of the previous days, so that a payment can be reported long after it was made.
    const customers: Shop['customers'] = []
    for (const country of COUNTRIES)
      for (const { aff } of shop.links) {
        const clickedAt = new Date(shop.clock.now().getTime() - 5 * DAY_MS)
        const row = clickRow(aff, unique('token'), { clickedAt, country, device: 'desktop' })
        const [written] = await writeClicks(ledger.pool, [row], 0)
        if (!written || written.refusal) throw new Error('the click was refused')
        customers.push({ programId: shop.programId, customerKey: unique('customer'), clickId: written.click_id })
      }
    return { ...shop, customers }
  }

  /** The figures of the overview, computed directly from sales, leads, commissions and clicks. */
  const directSum = async ({ programId }: Shop, key: 'link' | 'country') => {
    const { rows } = await ledger.pool.query(
      `WITH event AS (
      SELECT click_id, link_id, 'sale' AS type, id, amount_cents FROM sales WHERE program_id = $1 AND click_id IS NOT NULL AND voided_at IS NULL
      UNION ALL SELECT click_id, link_id, 'lead', id, 0 FROM leads WHERE program_id = $1 AND state = 'settled')
    SELECT ${key === 'link' ? 'event.link_id::text' : "coalesce(click.country, '')"} AS value,
      count(*) FILTER (WHERE type = 'lead')::int AS leads, count(*) FILTER (WHERE type = 'sale')::int AS sales,
      sum(event.amount_cents)::int AS revenue,
      sum((SELECT coalesce(sum(amount_cents), 0) FROM commissions
        WHERE program_id = $1 AND CASE event.type WHEN 'sale' THEN sale_id ELSE lead_id END = event.id))::int AS commissions
    FROM event JOIN customers customer ON customer.program_id = $1 AND customer.click_id = event.click_id
    JOIN click_events click ON click.program_id = $1 AND click.link_id = event.link_id AND click.clicked_at = customer.credited_click_at
      AND click.click_id = event.click_id
    GROUP BY 1 ORDER BY 1`,
      [programId],
    )
    return rows
  }

  const expectSame = async (shop: Shop) => {
    const { inboxProgram: program } = shop
    const at = shop.clock.now()
    for (const by of ['link', 'country'] as const) {
      const query = { period: '30d', by, sort: 'clicks', limit: 50 } as const
      const { rows } = await readBreakdown(ledger.db, { program, query, at })
      expect(rows.filter(({ clicks, leads, sales }) => clicks + leads + sales === 0)).toEqual([])
      const seen = rows
        .map((row) => ({ value: row.value ?? '', ...converted(row) }))
        .filter(({ leads, sales }) => leads + sales > 0)
        .toSorted((a, b) => (a.value < b.value ? -1 : 1))
      expect(seen).toEqual(await directSum(shop, by))
    }
    const sums = await directSum(shop, 'link')
    const total = (name: string) => sums.reduce((sum, row) => sum + row[name], 0)
    const { totals } = await readPerformance(ledger.db, { program, query: { period: '30d' }, at })
    expect(converted(totals)).toEqual({
      leads: total('leads'),
      sales: total('sales'),
      revenue: total('revenue'),
      commissions: total('commissions'),
    })
    const links = await linksWithFigures(ledger.db, { programId: program.id, sort: 'createdAt', page: 1, pageSize: 10 })
    const listed = links.rows.map((row) => ({ value: String(row.id), ...converted(row) }))
    expect(
      listed.filter(({ sales, leads }) => sales + leads > 0).toSorted((a, b) => (a.value < b.value ? -1 : 1)),
    ).toEqual(sums)
  }

  return { givenShop, expectSame }
}
