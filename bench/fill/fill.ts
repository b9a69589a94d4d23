import pg from 'pg'
import { type Database, openDatabase, openPool } from '../../apps/server/src/database/connect.ts'
import { ensurePartitions } from '../../apps/server/src/database/schema/partitions.ts'
import { rollUpAll } from '../../apps/server/src/events/roll-up/catch-up.ts'
import { rollUp } from '../../apps/server/src/events/roll-up/roll-up.ts'
import { LAG_MS } from '../../apps/server/src/events/roll-up/roll-up-marks.ts'
import { sealAll } from '../../apps/server/src/money/ledger/seal.ts'
import { termsAt } from '../../apps/server/src/money/rewards/reward-terms.ts'
import { toTermsFacts } from '../../apps/server/src/money/rewards/rewards.ts'
import { findProgram } from '../../apps/server/src/programs/programs.ts'
import { copyRows } from './copy.ts'
import { countsOf } from './counts.ts'
import { findLinks, reserveIds } from './links.ts'
import { clickRows, customerRows, type FillContext, writeOutcomes } from './rows.ts'
import { DESCRIBED } from './visitors.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const CHUNK = 100_000

export type Amounts = { clicks: number; leads: number; sales: number }
type Options = Amounts & {
  databaseUrl: string
  programId: number
  hashKey: string
  progress: (text: string) => void
  until?: Date
}

const CUSTOMERS =
  'customers (program_id, click_id, customer_status, customer_key, link_id, partner_id, credited_click_at, first_clicked_at, last_clicked_at, email_hash, email_masked)'
const CLICKS = `click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, ${DESCRIBED})`

/**
 * Months of traffic in minutes: the rows that the service would have written, by COPY, on two connections. Clicks are
 * counted on the way; the service's own code does roll-ups and seals afterwards.
 */
export const fill = async ({ databaseUrl, programId, hashKey, progress, until = new Date(), ...amounts }: Options) => {
  const pool = openPool(databaseUrl, { max: 2, name: 'bench fill', noTimeouts: true })
  const db = openDatabase(pool)
  const since = new Date(until.getTime() - DAYS * DAY_MS)
  try {
    await ensurePartitions(db, { since, at: until })
    const context = await prepare(db, { programId, hashKey, amounts, since, until })
    await withClients(databaseUrl, async (one, other) => {
      await writeEvents(one, other, context, progress)
      await context.counts.write(one, programId)
    })
    await finishFill(db, pool, { programId, progress })
  } finally {
    await pool.end()
  }
}

type PrepareOptions = { programId: number; hashKey: string; amounts: Amounts; since: Date; until: Date }

const prepare = async (
  db: Database,
  { programId, hashKey, amounts, since, until }: PrepareOptions,
): Promise<FillContext> => {
  const program = await findProgram(db, programId)
  const terms = await termsAt(db, { programId, partnerId: null, at: since })
  if (!program || !terms) throw new Error('the program to fill has no terms in force at the first click')
  const links = await findLinks(db, programId)
  const calendar = { seed: Math.floor(Math.random() * 2 ** 30), total: amounts.clicks, since, until }
  const ids = {
    leads: await reserveIds(db, 'leads', amounts.leads),
    sales: await reserveIds(db, 'sales', amounts.sales),
    commissions: await reserveIds(db, 'commissions', 2 * amounts.leads),
  }
  const counts = countsOf(links, since, until)
  return { rules: { program, terms: toTermsFacts(terms), hashKey }, amounts, calendar, links, ids, counts }
}

const withClients = async (url: string, work: (one: pg.Client, other: pg.Client) => Promise<void>) => {
  const clients = [1, 2].map(
    () => new pg.Client({ connectionString: url, options: '-c timezone=UTC -c synchronous_commit=off' }),
  )
  try {
    for (const client of clients) await client.connect()
    await work(...(clients as [pg.Client, pg.Client]))
  } finally {
    for (const client of clients) await client.end()
  }
}

const writeEvents = async (
  one: pg.Client,
  other: pg.Client,
  context: FillContext,
  progress: (text: string) => void,
) => {
  const { clicks } = context.amounts
  const started = performance.now()
  for (let from = 0; from < clicks; from += CHUNK) {
    const to = Math.min(from + CHUNK, clicks)
    const clicked = copyRows(other, CLICKS, clickRows(context, from, to))
    await copyRows(one, CUSTOMERS, customerRows(context, from, to))
    await writeOutcomes(one, context, from, to)
    await clicked
    const perSecond = to / ((performance.now() - started) / 1000)
    progress(
      `filled ${to.toLocaleString('en')} of ${clicks.toLocaleString('en')} clicks, ${Math.round(perSecond).toLocaleString('en')} a second`,
    )
  }
}

/** Another process may have started a roll-up while the history was being written. */
const finishFill = async (
  db: Database,
  pool: pg.Pool,
  { programId, progress }: Pick<Options, 'programId' | 'progress'>,
) => {
  progress('vacuum and analyze')
  await pool.query('VACUUM (ANALYZE)')
  for (const table of [
    'roll_ups',
    'daily_breakdowns',
    'daily_money',
    'daily_conversions',
    'weekly_clicks',
    'hourly_clicks',
    'first_sales',
    'daily_customers',
    'daily_conversion_times',
  ])
    await pool.query(`DELETE FROM ${table} WHERE program_id = $1`, [programId])
  const program = await findProgram(db, programId)
  for (let steps = 1; program && !(await rollUp(db, { program, at: new Date() })); steps++)
    if (steps % 25 === 0) progress(`rolled up about ${(steps * 20_000).toLocaleString('en')} clicks`)
  await catchUp({ db, pool, progress })
}

type CatchUpOptions = { db: Database; pool: pg.Pool; progress: (text: string) => void }

/** Clicks of the last minutes are not rolled up yet. After a previous run they are an unrealistic burst. */
export const untilQuiet = async ({ pool, progress }: Pick<CatchUpOptions, 'pool' | 'progress'>) => {
  const { rows } = await pool.query<{ at: Date | null }>(`
    SELECT greatest((SELECT max(last_clicked_at) FROM daily_counts), (SELECT max(settled_at) FROM leads), (SELECT max(credited_at) FROM sales)) AS at`)
  const rest = (rows[0]?.at?.getTime() ?? 0) + LAG_MS - Date.now()
  if (rest <= 0) return
  progress(`waiting ${Math.ceil(rest / 1000)} s until the last run can be rolled up`)
  await Bun.sleep(rest)
}

/** Runs what would have happened over real months: roll-ups, seals, vacuum and checkpoints. */
export const catchUp = async ({ db, pool, progress }: CatchUpOptions) => {
  await rollUpAll(db, () => new Date())
  progress('sealing the ledger, vacuum, checkpoint')
  await sealAll(db, new Date())
  for (const command of ['VACUUM (ANALYZE)', 'CHECKPOINT']) await pool.query(command)
}
