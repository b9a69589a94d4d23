import { type Insertable, sql } from 'kysely'
import { changedFields, recordAudit } from '../audit/audit-log.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { ensurePartitions } from '../database/schema/partitions.ts'
import { anyOfTexts } from '../database/sql/columns.ts'
import type { DB } from '../database/tables.ts'
import { beforeCommit, inTransaction, type Tx } from '../database/transaction.ts'
import { insertTestEvent } from '../events/test-events.ts'
import { markRead } from '../notifications/inbox.ts'
import { notify } from '../notifications/notify.ts'
import { forgetHistory } from '../outbox/purge-events.ts'
import { createDefaultGroup } from '../partners/groups.ts'
import { changePartner, createPartner } from '../partners/partners.ts'
import { changePayoutDetails } from '../partners/payout-details.ts'
import { createLink } from '../partners/referral-links.ts'
import { createApiKey, touchApiKey } from '../programs/api-keys.ts'
import { createProgram, type Program } from '../programs/programs.ts'
import { createDemoAccount, createDemoPartner } from './demo-account.ts'
import { APPLICANT, PARTNERS, PORTAL_PARTNER, PROGRAM, SUSPENDED_DAYS_AGO } from './demo-data.ts'
import { ensureDemoSignIn } from './demo-sign-in.ts'
import { createEarnings } from './earnings.ts'
import { makePurchases, makeSignUps } from './outcomes.ts'
import { createPartnerContent } from './partner-content.ts'
import { createPayouts } from './payouts.ts'
import { seededRandom } from './random.ts'
import { type LinkRows, trafficRows } from './traffic-rows.ts'
import { demoPeriod, makeVisitors } from './visits.ts'

const SEED = 20_260_301
const DAY_MS = 86_400_000
/** How long the account and its program have existed. */
const PROGRAM_DAYS = 112

type Options = { clock: Clock; dataDir: string; hashKey: string; cell?: string }

/**
 * Seeds a demo workspace once per instance, and only if the instance is unused. One transaction, with the marker row first:
 * a second process that starts concurrently waits for it and then skips.
 */
export const seedDemo = (db: Database, { clock, dataDir, hashKey, cell = '' }: Options): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const now = clock()
    const decision = await tx
      .insertInto('demoSeed')
      .values({ id: true, decidedAt: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!decision || (await isInUse(tx))) return false

    const { start, end } = demoPeriod(now)
    const signIn = ensureDemoSignIn(dataDir)
    const { userId, workspaceId } = await createDemoAccount(tx, signIn, daysBefore(end, PROGRAM_DAYS))
    const program = await createProgram(tx, { ...PROGRAM, workspaceId, createdAt: daysBefore(end, PROGRAM_DAYS) })
    await createDefaultGroup(tx, { programId: program.id, createdAt: program.createdAt })
    const links = await createPartners(tx, program.id, end)
    const appliedAt = daysBefore(end, 2)
    await createDemoPartner(tx, { programId: program.id, code: PORTAL_PARTNER, signIn, at: start })
    await createDemoPartner(tx, { programId: program.id, code: APPLICANT, signIn, at: appliedAt })
    await createTestEvents(tx, program.id, start)
    await createServerKey(tx, { programId: program.id, userId, at: program.createdAt, usedAt: end, cell })

    const random = seededRandom(SEED)
    const visitors = makeVisitors(random, { end })
    const signUps = makeSignUps(random, { visitors, end })
    const purchases = makePurchases(random, { visitors, signUps, start, end })
    await ensurePartitions(tx, { since: start, at: now })
    const rows = trafficRows({ visitors, signUps, purchases }, { programId: program.id, links, hashKey, cell })
    await writeTraffic(tx, program.id, rows)
    const { clickOfInvoice } = rows
    const suspension = {
      at: daysBefore(end, SUSPENDED_DAYS_AGO),
      run: () => suspendPartners(tx, { program, userId, end }),
    }
    await createEarnings(tx, {
      program,
      userId,
      hashKey,
      clickOfInvoice,
      since: program.createdAt,
      until: now,
      suspension,
    })

    await showReviews(tx, { programId: program.id, userId, at: now })
    await createPartnerContent(tx, { program, links, appliedAt, at: now })
    await createPayouts(tx, { program, userId, links, at: now })

    // After the changes above have been published.
    beforeCommit(tx, () => forgetHistory(tx, { programId: program.id, at: now }))
    await tx.updateTable('demoSeed').set({ programId: program.id }).execute()
    return true
  })

const daysBefore = (at: Date, days: number) => new Date(at.getTime() - days * DAY_MS)

const isInUse = async (tx: Tx) => {
  const user = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
  const program = await tx.selectFrom('programs').select('id').limit(1).executeTakeFirst()
  return user !== undefined || program !== undefined
}

const createPartners = async (tx: Tx, programId: number, end: Date): Promise<LinkRows> => {
  const rows: LinkRows = new Map()
  for (const { links, joinedDaysAgo, payTo, ...partner } of PARTNERS) {
    const createdAt = daysBefore(end, joinedDaysAgo)
    const status = partner.status === 'suspended' ? 'approved' : partner.status
    const { id: partnerId } = await createPartner(tx, { ...partner, status, programId, createdAt })
    if (payTo)
      await changePayoutDetails(tx, {
        programId,
        partnerId,
        at: createdAt,
        hasEarned: false,
        ...payTo,
        holder: partner.name,
        note: null,
      })
    for (const { aff, destinationUrl, active = true } of links) {
      const link = await createLink(tx, { programId, partnerId, aff, destinationUrl, active, createdAt })
      rows.set(aff, { linkId: link.id, partnerId })
    }
  }
  return rows
}

type Suspension = { program: Program; userId: string; end: Date }

/** Suspends partners who were approved until then, so that only later commissions are in review. */
const suspendPartners = async (tx: Tx, { program: { id: programId }, userId, end }: Suspension) => {
  const at = daysBefore(end, SUSPENDED_DAYS_AGO)
  const codes = PARTNERS.filter(({ status }) => status === 'suspended').map(({ code }) => code)
  const named = tx.selectFrom('partners').select('id').where('programId', '=', programId)
  const rows = await named.where('code', '=', anyOfTexts(codes)).execute()
  for (const { id } of rows) {
    const changed = await changePartner(tx, { programId, id, status: 'suspended', at })
    const changes = changed && changedFields(changed.before, changed.after)
    if (changes)
      await recordAudit(tx, { programId, userId, action: 'partner changed', subject: `partner ${id}`, ...changes, at })
  }
}

type ServerKey = { programId: number; userId: string; at: Date; usedAt: Date; cell: string }

/** The key of the server that reports the demo's leads and sales. No one knows its secret. */
const createServerKey = async (tx: Tx, { programId, userId, at, usedAt, cell }: ServerKey) => {
  const { id, name, key } = await createApiKey(tx, { programId, name: 'Web server', createdAt: at, cell })
  await touchApiKey(tx, { key, at: usedAt })
  await recordAudit(tx, {
    programId,
    userId,
    action: 'API key created',
    subject: `API key ${id}`,
    after: { id, name },
    at,
  })
}

/** The owner has read that commissions are in review; unread is what the sidebar's badges count. */
const showReviews = async (tx: Tx, { programId, userId, at }: { programId: number; userId: string; at: Date }) => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM commission_reviews WHERE program_id = ${programId} AND decision IS NULL`.execute(tx)
  await notify(tx, { programId, kind: 'review_waiting', subject: 'demo', details: { count: rows[0]?.count ?? 0 }, at })
  await markRead(tx, { programId, userId, ids: undefined, at })
}

/** Test events from the integration check. The demo's sales come from its server. */
const createTestEvents = async (tx: Tx, programId: number, start: Date) => {
  const pageUrl = 'https://acme-analytics.example/?aff=maya'
  const click = { eventType: 'click', origin: 'browser', details: { aff: 'maya', page_url: pageUrl } } as const
  const lead = {
    eventType: 'lead',
    origin: 'server',
    details: { from: 'server', customer_key: 'test-user', click_id: null },
  } as const
  for (const [index, event] of [click, click, lead, click, lead].entries()) {
    const minutesBefore = 60 - index * 7
    await insertTestEvent(tx, { programId, ...event, createdAt: new Date(start.getTime() - minutesBefore * 60_000) })
  }
}

const CLICK_SLOT = 0

/**
 * Inserts in bulk, because tracking fourteen weeks of events one by one would take many seconds. Click counts are derived from the
 * events, so they cannot differ; leads and sales are rolled up as usual.
 */
const writeTraffic = async (tx: Tx, programId: number, rows: ReturnType<typeof trafficRows>) => {
  await bulkInsert(tx, 'customers', rows.customers)
  await bulkInsert(tx, 'customerKeys', rows.customerKeys)
  await sql`
    INSERT INTO customer_emails (program_id, email_hash, click_id)
    SELECT program_id, email_hash, click_id FROM customers
    WHERE program_id = ${programId} AND email_hash IS NOT NULL`.execute(tx)
  await bulkInsert(tx, 'clickEvents', rows.clickEvents)
  await bulkInsert(tx, 'leads', rows.leads)
  await bulkInsert(tx, 'sales', rows.sales)
  await sql`
    INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
    SELECT program_id, link_id, partner_id, day, ${CLICK_SLOT}, count(*), max(clicked_at)
    FROM click_events WHERE program_id = ${programId} GROUP BY program_id, link_id, partner_id, day`.execute(tx)
  await sql`
    INSERT INTO changed_days (program_id, day)
    SELECT program_id, day FROM leads WHERE program_id = ${programId} AND state = 'settled'
    UNION SELECT program_id, day FROM sales WHERE program_id = ${programId} AND credit_source IS NOT NULL`.execute(tx)
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Inserts any number of rows in one statement. They are sent as one JSON value, because a statement is limited to 65,535
 * parameters.
 */
const bulkInsert = async <Table extends keyof DB & string>(tx: Tx, table: Table, rows: Insertable<DB[Table]>[]) => {
  const [first] = rows
  if (!first) return
  const target = sql.raw(snakeCase(table))
  const names = sql.raw(Object.keys(first).map(snakeCase).join(', '))
  const values = JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]))),
  )
  await sql`INSERT INTO ${target} (${names})
    SELECT ${names} FROM jsonb_populate_recordset(NULL::${target}, ${values}::jsonb)`.execute(tx)
}
