import { describe, expect, test } from 'bun:test'
import { type Analytics, analytics, CONVERSION_TIMES, type Cohorts, cohorts } from '@tributary/contract'
import { expectRefusal, givenClick, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, type PayingProgram } from '../support/money.ts'
import { seeded } from '../support/seeded.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { REWARD, trafficOf } from './given-traffic.ts'

const service = await startTestService({}, { tampers: true })
const { clock, pool, db } = service
const { rolledUp } = trafficOf(service)

const read = async ({ owner, api }: PayingProgram, query: string): Promise<Analytics> =>
  analytics.parse((await owner.call('GET', `${api}/analytics?${query}`)).body.data)
const readCohorts = async ({ owner, api }: PayingProgram, query = ''): Promise<Cohorts> =>
  cohorts.parse((await owner.call('GET', `${api}/analytics/cohorts${query}`)).body.data)

type Sale = {
  day: string
  at: Date
  currency: string
  cents: number
  refunded: number
  clickId: string
  clickedAt: Date
}

/** Everything recomputed from all rows, in plain code. */
const expectExact = async (program: PayingProgram) => {
  const { rows: sales } = await pool.query<Sale>(
    `SELECT day::text, sold_at AS at, currency, amount_cents::int AS cents,
       (SELECT coalesce(sum(amount_cents), 0)::int FROM refunds WHERE refunds.program_id = sales.program_id AND sale_id = sales.id) AS refunded,
       sales.click_id AS "clickId", first_clicked_at AS "clickedAt"
     FROM sales JOIN customers USING (program_id, click_id) WHERE program_id = $1 AND voided_at IS NULL ORDER BY sold_at, id`,
    [program.id],
  )
  const { rows: leads } = await pool.query<{ took: number }>(
    `SELECT extract(epoch FROM settled_at - first_clicked_at)::float8 AS took
     FROM leads JOIN customers USING (program_id, click_id) WHERE program_id = $1 AND settled_at IS NOT NULL`,
    [program.id],
  )
  const firsts = new Map<string, Sale>()
  for (const sale of sales) if (!firsts.has(sale.clickId)) firsts.set(sale.clickId, sale)
  const isFirst = (sale: Sale) => firsts.get(sale.clickId) === sale
  const revenue = (some: Sale[]) =>
    [...new Set(some.map(({ currency }) => currency))].toSorted().map((currency) => ({
      currency,
      amountCents: some.filter((sale) => sale.currency === currency).reduce((sum, { cents }) => sum + cents, 0),
    }))
  const partsOf = (some: Sale[]) => {
    const [first, renewals] = [some.filter(isFirst), some.filter((sale) => !isFirst(sale))]
    return {
      first: { sales: first.length, revenue: revenue(first) },
      renewals: { sales: renewals.length, revenue: revenue(renewals) },
    }
  }
  const bucketsOf = (took: number[]) =>
    [0, ...CONVERSION_TIMES].map(
      (from, index) => took.filter((time) => time >= from && time < (CONVERSION_TIMES[index] ?? Infinity)).length,
    )
  const shown = await read(program, 'period=all')
  expect(shown.sales).toEqual(partsOf(sales))
  expect(shown.funnel).toMatchObject({ leads: leads.length, customers: firsts.size })
  for (const { date, ...parts } of shown.days) expect(parts).toEqual(partsOf(sales.filter(({ day }) => day === date)))
  expect(shown.timeToLead.map(({ conversions }) => conversions)).toEqual(bucketsOf(leads.map(({ took }) => took)))
  const seconds = ({ at, clickedAt }: Sale) => (at.getTime() - clickedAt.getTime()) / 1000
  expect(shown.timeToSale.map(({ conversions }) => conversions)).toEqual(bucketsOf([...firsts.values()].map(seconds)))

  const { rows } = await readCohorts(program)
  expect(rows).toHaveLength(12)
  const months = rows.map(({ month }) => month).toReversed()
  for (const row of rows) {
    const members = sales.filter(({ clickId }) => firsts.get(clickId)?.day.startsWith(row.month))
    expect(row.customers).toBe(new Set(members.map(({ clickId }) => clickId)).size)
    const byMonth = (read: (sale: Sale) => number) =>
      months
        .filter((month) => month >= row.month)
        .map((month) =>
          members
            .filter(({ day, currency }) => day.startsWith(month) && currency === 'USD')
            .reduce((sum, sale) => sum + read(sale), 0),
        )
    expect(row.revenueCents).toEqual(byMonth(({ cents }) => cents))
    expect(row.refundedCents).toEqual(byMonth(({ refunded }) => refunded))
  }
  return shown
}

const voidSale = (program: PayingProgram, invoiceId: string) =>
  pool.query(
    `WITH gone AS (UPDATE sales SET voided_at = now() WHERE program_id = $1 AND invoice_id = $2 RETURNING program_id, day)
     INSERT INTO changed_days (program_id, day) SELECT * FROM gone`,
    [program.id, invoiceId],
  )

const { seed, random } = seeded()

const ZONES = sized({ short: ['Pacific/Auckland'], long: ['Pacific/Auckland', 'America/New_York'] })

test.each(ZONES)(`a random history is exact at every moment (%s, seed ${seed})`, async (timezone) => {
  const program = await givenPayingProgram(service, null, { timezone })
  const customers: string[] = []
  const invoices: string[] = []
  const any = <Item>(items: Item[]) => items[Math.floor(random() * items.length)]
  for (let step = 0; step < 24; step++) {
    clock.advance(Math.ceil(random() * 9 * DAY_MS))
    const click_id = await givenClick(service, program.link)
    clock.advance(Math.ceil(Math.exp(random() * 16) * 50))
    const customer_key = step % 3 === 0 ? unique('customer') : (any(customers) ?? unique('customer'))
    // Every sixth sale comes before its lead and is credited later, on its own day.
    const late = !customers.includes(customer_key) && step % 6 === 0
    const sell = async () => {
      const invoice_id = unique('invoice')
      const currency = step % 7 === 0 ? 'EUR' : 'USD'
      await program.sale({ customer_key, amount: 100 + step, currency, invoice_id })
      invoices.push(invoice_id)
    }
    if (late) await sell()
    if (late) clock.advance(2 * DAY_MS)
    if (!customers.includes(customer_key)) await program.lead({ customer_key, click_id })
    customers.push(customer_key)
    await sell()
    const gone = any(invoices)
    if (step % 5 === 4 && gone) await voidSale(program, gone)
    if (step % 4 === 3) await program.refund({ invoice_id: any(invoices), amount: 10, refund_id: unique('refund') })
    if (step % 6 === 2) await rolledUp(program)
    if (step % 9 === 4) await expectExact(program)
  }
  // 15:00 UTC: no day ends in either time zone before the last comparison.
  clock.advance(DAY_MS - ((clock.now().getTime() - (15 / 24) * DAY_MS) % DAY_MS))
  const before = await expectExact(program)
  expect(before.sales.renewals.sales).toBeGreaterThan(0)
  // Marks of days that changed with a first sale are left for the next pass.
  for (let pass = 0; pass < 2; pass++) await rolledUp(program)
  expect((await pool.query('SELECT FROM changed_days WHERE program_id = $1', [program.id])).rowCount).toBe(0)
  expect({ ...(await expectExact(program)), asOf: '' }).toEqual({ ...before, asOf: '' })
})

test('when a first sale is voided, the next one becomes the first immediately and after the roll-up', async () => {
  const program = await givenPayingProgram(service, null)
  const customer_key = await program.customer()
  const invoices = ['first', 'second'].map((name) => unique(name))
  for (const invoice_id of invoices) {
    await program.sale({ customer_key, amount: 1000, invoice_id })
    clock.advance(40 * DAY_MS)
  }
  await rolledUp(program)
  const shown = async () => {
    const { sales, days } = await expectExact(program)
    return [sales.first.sales, sales.renewals.sales, days.findLast(({ first }) => first.sales > 0)?.date]
  }
  const [first, renewals, firstDay] = await shown()
  expect([first, renewals]).toEqual([1, 1])
  await voidSale(program, invoices[0] ?? '')
  const after = await shown()
  expect(after.slice(0, 2)).toEqual([1, 0])
  expect(after[2]).not.toBe(firstDay)
  for (let pass = 0; pass < 2; pass++) {
    await rolledUp(program)
    expect(await shown()).toEqual(after)
  }
})

test('ledger:verify notices wrong analytics', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const customer_key = await program.customer()
  const invoice_id = unique('invoice')
  await program.sale({ customer_key, amount: 1000, invoice_id })
  await program.refund({ invoice_id, amount: 300 })
  clock.advance(2 * DAY_MS)
  await rolledUp(program)
  const differences = async () => (await verifyProgram(db, { programId: program.id, sealedBefore: null })).differences
  expect(await differences()).toEqual([])
  await pool.query('UPDATE daily_customers SET renewals = 1 WHERE program_id = $1', [program.id])
  for (const table of ['hourly_clicks', 'hourly_partner_clicks'])
    await pool.query(`UPDATE ${table} SET clicks = clicks + 1 WHERE program_id = $1`, [program.id])
  await pool.query('UPDATE daily_refunds SET refunded_cents = 1 WHERE program_id = $1', [program.id])
  await pool.query("UPDATE daily_conversion_times SET conversions = 5 WHERE program_id = $1 AND step = 'sale'", [
    program.id,
  ])
  expect(await differences()).toEqual([
    expect.stringContaining('first sales/renewals in USD'),
    expect.stringContaining('conversion times of sales'),
    expect.stringContaining('clicks by hour on'),
    expect.stringContaining('clicks by hour of partner'),
    expect.stringContaining('refunds in USD'),
  ])
})

describe('the routes', () => {
  const PATHS = ['/analytics', '/analytics/cohorts']

  test('are for members with tracking:read', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const [billing, stranger] = [await givenUser(service), await givenUser(service)]
    await givenRole(service, program.workspaceId, billing, 'billing')
    for (const path of PATHS) {
      expectRefusal(await service.call('GET', program.api + path), 401, 'unauthenticated')
      expectRefusal(await billing.call('GET', program.api + path), 403, 'forbidden')
      const refused = await stranger.call('GET', program.api + path)
      expect(refused).toMatchObject({ status: (await stranger.call('GET', `${program.api}/set-up`)).status })
      expect((await program.owner.call('GET', program.api + path)).status).toBe(200)
    }
  })

  const wrong = ['/analytics?period=1y', '/analytics?dateFrom=2001-01-01', '/analytics/cohorts?months=25']
  test.each([...wrong, '/analytics/cohorts?months=0'])('400 for %s', async (path) => {
    const program = await givenPayingProgram(service, REWARD)
    expectRefusal(await program.owner.call('GET', program.api + path), 400, 'invalid_request')
  })
})
