import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DEMO_EMAIL } from '../../src/demo/demo-data.ts'
import { readDemoSignIn } from '../../src/demo/demo-sign-in.ts'
import { createApiKey } from '../../src/programs/api-keys.ts'
import { formatAnnouncement } from '../../src/startup/announcement.ts'
import { startTestService } from '../support/service.ts'
import { isLongRun } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { countRows, givenFolder, rowsOf } from './given.ts'

const dataDir = givenFolder()
const service = await startTestService({ demo: true, dataDir, openSignup: false })
const { db, call } = service

const signIn = async (as = {}) => {
  const { status, headers } = await call('POST', '/api/auth/sign-in/email', { ...readDemoSignIn(dataDir), ...as })
  expect(status).toBe(200)
  return { cookie: headers.getSetCookie().join('; ') }
}

describe('the first start', () => {
  test('creates an account that can sign in, with a password that only the owner of DATA_DIR can read', async () => {
    expect(readDemoSignIn(dataDir)).toEqual({ email: DEMO_EMAIL, password: expect.stringMatching(/^[\w-]{16}$/) })
    expect(statSync(join(dataDir, 'demo-sign-in.json')).mode & 0o777).toBe(0o600)
    const stored = await Bun.file(join(dataDir, 'demo-sign-in.json')).json()
    const { body } = await call('GET', '/api/workspaces', undefined, await signIn())
    expect(body.data).toMatchObject([{ name: 'Acme Analytics', role: 'owner' }])
    const partner = await call('GET', '/api/portal/programs', undefined, await signIn(stored.partner))
    expect(partner.body.data).toMatchObject([{ name: 'Maya Lindqvist', status: 'approved' }])
    const inbox = await call('GET', `/api/programs/1/notifications`, undefined, await signIn())
    expect(inbox.body.data.unread).toBe(2)
    const kinds = inbox.body.data.notifications.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['draft_ready', 'review_waiting', 'application_received'])
  })

  test('has fourteen weeks of growing traffic that end now', async () => {
    const cookie = await signIn()
    const read = async (query: string) =>
      (await call('GET', `/api/tracking/performance/1?${query}`, undefined, cookie)).body.data
    const { totals, days } = await read('period=all')
    const events = await countRows(db)
    expect(totals.clicks).toBe(events.clicks)
    expect(totals.clicks).toBeWithin(7_000, 13_000)
    expect(totals.leads).toBeWithin(150, 700)
    expect(totals.sales).toBeWithin(100, 900)
    expect(days.filter(({ clicks }: { clicks: number }) => clicks > 0).length).toBeWithin(98, 101)
    const [last] = await rowsOf(
      db,
      sql<{ minutes: number }>`
      SELECT extract(epoch FROM demo_seed.decided_at - (SELECT max(clicked_at) FROM click_events)) / 60 AS minutes
      FROM demo_seed`,
    )
    expect(Number(last?.minutes)).toBeWithin(0, 180)
  })

  test.each([
    '7d',
    '30d',
  ])('the last %s compare with a full earlier period, and no figure grew by more than 200%', async (period) => {
    const { totals, previous } = (
      await call('GET', `/api/tracking/performance/1?period=${period}`, undefined, await signIn())
    ).body.data
    const amount = ({ revenue }: { revenue: { amountCents: number }[] }) => revenue[0]?.amountCents ?? 0
    for (const [now, before] of [
      [totals.clicks, previous.totals.clicks],
      [totals.leads, previous.totals.leads],
      [totals.sales, previous.totals.sales],
      [amount(totals), amount(previous.totals)],
    ])
      expect(now / before).toBeWithin(0.3, 3)
  })

  test('has a complete set-up', async () => {
    const cookie = await signIn()
    const { body: status } = await call('GET', '/api/tracking/status/1', undefined, cookie)
    expect(status.data.stepStatuses).toEqual({ pageview: 'complete', referrals: 'complete', payments: 'complete' })
    const { body: setUp } = await call('GET', '/api/programs/1/set-up', undefined, cookie)
    expect(setUp.data).toMatchObject({ done: true, steps: { payments: { received: { test: false, from: 'server' } } } })
    expect(status.data.hasPartners).toBe(true)
  })

  test('shows groups, adjustments, a statement, a draft, an application and resources', async () => {
    const cookie = await signIn()
    const get = async (path: string) => (await call('GET', `/api/programs/1${path}`, undefined, cookie)).body.data
    const groups = await get('/groups')
    expect(groups).toMatchObject([
      { isDefault: true, tierRule: { after: { sales: 40 }, within: 'month' } },
      { name: 'Gold', partners: 1, reward: { own: true, sale: { percentBps: 2_500 } } },
    ])
    const adjustments: { type: string }[] = await get('/adjustments')
    expect(adjustments.map(({ type }) => type).toSorted()).toEqual(['bonus', 'move'])
    const [payout] = await get('/payouts')
    const { lines } = await get(`/payouts/${payout.id}`)
    expect(lines).toMatchObject([{ partnerName: 'Maya Lindqvist', status: 'paid' }])
    expect((await get(`/payouts/${payout.id}/lines/${lines[0].id}/statement`)).items.length).toBeGreaterThan(0)
    expect((await get('/payouts/draft')).lines.length).toBeGreaterThan(0)
    const [applicant] = await get('/partners?status=pending')
    expect(applicant.application.answers).toHaveLength(2)
    expect((await get(`/partners/${applicant.id}`)).hasAccount).toBe(true)
    expect(await get('/resources')).toHaveLength(2)
    expect(await get('/api-keys')).toMatchObject([{ name: 'Web server', revokedAt: null }])
    const [suspended] = await get('/partners?status=suspended')
    const { data: reviews } = (await call('GET', '/api/programs/1/commissions?state=review', undefined, cookie)).body
    expect(reviews.length).toBeGreaterThan(0)
    const late = Date.now() - 10 * 86_400_000
    for (const { partnerId, earnedAt } of reviews)
      expect([partnerId, Date.parse(earnedAt) > late]).toEqual([suspended.id, true])
  })

  test('prints a command that records a click as printed', async () => {
    const text = await formatAnnouncement({ db, baseUrl: service.url, dataDir, setupToken: 'token' })
    const command = /curl -s \S+\/track\/click[^']*'[^']*'[^']*'[^']*'/.exec(text)?.[0] ?? ''
    const answer = await Bun.$`bash -c ${command}`.json()
    expect(answer).toMatchObject({ success: true, partner_code: 'maya', cookie_window_days: 30 })
    expect(text).toContain(readDemoSignIn(dataDir)?.password ?? 'no password')
    expect(text).toMatch(/Demo partner +maya@lindqvist\.example, with the same password/)
    expect(text.trim().split('\n')[0]).toBe(`Open ${service.url} in your browser.`)
  })

  test('does not use up the first account: the first person still signs up without an invitation, the second does not', async () => {
    const person = (email: string) => ({ name: 'Sam Reed', email, password: 'a long password' })
    expect((await call('POST', '/api/auth/sign-up/email', person('one@example.com'))).status).toBe(200)
    expect((await call('POST', '/api/auth/sign-up/email', person('two@example.com'))).status).toBe(403)
  })
})

describe.skipIf(!isLongRun)('the demo data is what the tracking calls would have written', () => {
  test('clicks are counted for every link and day, and days with leads or sales are marked', async () => {
    const differences = await rowsOf(
      db,
      sql`SELECT * FROM (
          SELECT true AS counted, link_id, partner_id, day, sum(clicks) AS clicks, max(last_clicked_at) AS last
          FROM daily_counts GROUP BY 2, 3, 4) counts
        FULL JOIN (
          SELECT true AS happened, link_id, partner_id, day, count(*) AS clicks, max(clicked_at) AS last
          FROM click_events GROUP BY 2, 3, 4) events
        USING (link_id, partner_id, day, clicks)
        WHERE counted IS NULL OR happened IS NULL OR counts.last IS DISTINCT FROM events.last`,
    )
    expect(differences).toEqual([])
    const programs = await db.selectFrom('programs').select('id').execute()
    for (const { id: programId } of programs)
      expect((await verifyProgram(db, { programId, sealedBefore: null })).differences).toEqual([])
  })

  test('days are in the program’s time zone, and no event is in the future or on a disabled link', async () => {
    const wrong = await rowsOf(
      db,
      sql`SELECT event.id::text FROM click_events event JOIN programs ON programs.id = program_id
        WHERE day <> (clicked_at AT TIME ZONE programs.timezone)::date OR clicked_at > now()
        UNION ALL SELECT id::text FROM sales WHERE sold_at > now()
        UNION ALL SELECT id::text FROM leads WHERE settled_at > now() OR created_at > settled_at
        UNION ALL SELECT event.id::text FROM click_events event JOIN referral_links link ON link.id = link_id
          WHERE event.partner_id <> link.partner_id OR clicked_at < link.created_at
            OR NOT link.active AND clicked_at > now() - interval '14 days'`,
    )
    expect(wrong).toEqual([])
  })

  test('every lead and sale has a decision whose facts give the stored result', async () => {
    const wrong = await rowsOf(
      db,
      sql`SELECT 'lead ' || lead.id AS what FROM leads lead LEFT JOIN LATERAL (
          SELECT * FROM decisions WHERE lead_id = lead.id AND rule = 'lead' ORDER BY id DESC LIMIT 1) last ON true
        WHERE (last.outcome, (last.result->'winner'->>'partnerId')::int, (last.result->'winner'->>'linkId')::int)
          IS DISTINCT FROM (lead.state, lead.partner_id, lead.link_id)
        UNION ALL
        SELECT 'sale ' || sale.id FROM sales sale LEFT JOIN decisions decided ON decided.sale_id = sale.id AND decided.rule = 'sale'
        WHERE ((decided.result->'winner'->>'partnerId')::int, (decided.result->'winner'->>'linkId')::int,
            CASE WHEN sale.click_id IS NULL THEN decided.reason END)
          IS DISTINCT FROM (sale.partner_id, sale.link_id, sale.reason)
        UNION ALL
        SELECT 'first decision of ' || coalesce('lead ' || lead_id, 'sale ' || sale_id) FROM (
          SELECT DISTINCT ON (lead_id, sale_id) lead_id, sale_id, rule FROM decisions ORDER BY lead_id, sale_id, id) first
        WHERE rule NOT IN ('lead', 'sale')`,
    )
    expect(wrong).toEqual([])
    const cookie = await signIn()
    const { body } = await call('GET', '/api/programs/1/sales?pageSize=200', undefined, cookie)
    for (const { id } of body.data.slice(0, 20)) {
      const explained = (await call('GET', `/api/programs/1/sales/${id}/explain`, undefined, cookie)).body.data
      expect(explained.facts).not.toBeNull()
    }
  })

  test('a customer belongs to the last click before the lead settled, or else to the last click', async () => {
    const wrong = await rowsOf(
      db,
      sql`SELECT customer.click_id FROM customers customer
        LEFT JOIN leads lead ON lead.click_id = customer.click_id
        CROSS JOIN LATERAL (SELECT min(clicked_at) AS first, max(clicked_at) AS last, count(*) FILTER (WHERE NOT reused) AS begun
          FROM click_events WHERE click_id = customer.click_id) clicks
        CROSS JOIN LATERAL (SELECT link_id, clicked_at FROM click_events
          WHERE click_id = customer.click_id AND clicked_at <= coalesce(lead.settled_at, 'infinity')
          ORDER BY clicked_at DESC LIMIT 1) credited
        WHERE (customer.link_id, customer.credited_click_at, first_clicked_at, last_clicked_at, 1)
          IS DISTINCT FROM (credited.link_id, credited.clicked_at, clicks.first, clicks.last, clicks.begun)
          OR (customer_key IS NOT NULL) <> (lead.state IS NOT DISTINCT FROM 'settled')
          OR lead.state = 'settled' AND lead.link_id <> customer.link_id`,
    )
    expect(wrong).toEqual([])
    const [{ moved } = { moved: 0 }] = await rowsOf(
      db,
      sql<{
        moved: number
      }>`SELECT count(*) AS moved FROM (SELECT FROM click_events GROUP BY click_id HAVING count(DISTINCT partner_id) > 1) several`,
    )
    expect(moved).toBeGreaterThan(50)
  })

  test('a sale comes after its customer’s lead; unattributed sales have a reason', async () => {
    const wrong = await rowsOf(
      db,
      sql`SELECT sale.id FROM sales sale
        LEFT JOIN customers customer ON customer.click_id = sale.click_id
        LEFT JOIN leads lead ON lead.click_id = sale.click_id
        WHERE reason IS NULL AND sale.customer_key IS NOT NULL
          AND (sale.customer_key, sale.link_id, 'customer') IS DISTINCT FROM (customer.customer_key, customer.link_id, customer.customer_status)
          OR sold_at < lead.settled_at
          OR reason = 'customer_unknown' AND EXISTS (SELECT FROM customers WHERE customer_key = sale.customer_key)
          OR sale.customer_key IS NOT NULL AND NOT EXISTS (SELECT FROM customer_keys WHERE customer_key = sale.customer_key)`,
    )
    expect(wrong).toEqual([])
    const reasons = await db.selectFrom('sales').select('reason').distinct().orderBy('reason').execute()
    expect(reasons.map(({ reason }) => reason)).toEqual(['click_expired', 'customer_unknown', null])
    const states = await db.selectFrom('leads').select('state').distinct().orderBy('state').execute()
    expect(states.map(({ state }) => state)).toEqual(['provisional', 'settled'])
  })

  test('the log of events begins empty, and no hold that has ended is announced later', async () => {
    const events = sql`SELECT id FROM outbox_events WHERE occurred_at <= (SELECT decided_at FROM demo_seed)`
    expect(await rowsOf(db, events)).toEqual([])
    const ended = await rowsOf(
      db,
      sql<{ marked: boolean }>`SELECT EXISTS (SELECT FROM outbox_payable marked
          WHERE (marked.program_id, marked.commission_id) = (commission.program_id, commission.id)) AS marked
        FROM commissions commission WHERE payable_at <= (SELECT decided_at FROM demo_seed)`,
    )
    expect(ended.length).toBeGreaterThan(0)
    expect(ended.filter(({ marked }) => !marked)).toEqual([])
    // Without it, holds that end later would not be announced.
    expect(await rowsOf(db, sql`SELECT program_id FROM outbox_heads`)).toHaveLength(1)
  })

  test('the service recognizes demo customers and invoices', async () => {
    const { key } = await createApiKey(db, { programId: 1, name: 'test', createdAt: new Date() })
    const authorization = { authorization: `Bearer ${key}` }
    const sale = await db
      .selectFrom('sales')
      .selectAll()
      .where('customerKey', 'is not', null)
      .limit(1)
      .executeTakeFirstOrThrow()
    const again = await call(
      'POST',
      '/api/v1/track/sale',
      {
        customer_key: sale.customerKey,
        amount: sale.amountCents,
        invoice_id: sale.invoiceId,
        event_name: sale.eventName,
        subscription_id: sale.subscriptionId,
      },
      authorization,
    )
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ sale_id: sale.id, same_request: true })
    const lead = await db
      .selectFrom('customers')
      .select(['customerKey', 'clickId'])
      .where('customerStatus', '=', 'lead')
      .executeTakeFirstOrThrow()
    const known = await call('POST', '/api/v1/track/lead', { customer_key: lead.customerKey }, authorization)
    expect(known.body).toMatchObject({ success: true, duplicate: true, click_id: lead.clickId })
  })
})
