import { expect, test } from 'bun:test'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { db, pool, clock } = service
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' } }

const givenShop = async () => {
  const paying = await givenPayingProgram(service, REWARD)
  const program = await findProgram(db, paying.id)
  if (!program) throw new Error('no program')
  const customer_key = await paying.customer()
  const sell = (amount: number) => paying.sale({ customer_key, amount, invoice_id: unique('invoice') })
  const marks = async () => {
    const { rows } = await pool.query('SELECT count(*)::int AS marks FROM changed_days WHERE program_id = $1', [
      paying.id,
    ])
    return rows[0].marks as number
  }
  const rolledUp = async () => {
    clock.advance(10 * 60_000)
    while (!(await rollUp(db, { program, at: clock.now() })));
  }
  const partner = await givenPortal(service).givenPartner(paying)
  return { ...paying, program, sell, marks, rolledUp, partner }
}
type Shop = Awaited<ReturnType<typeof givenShop>>

/** Sales and revenue everywhere they are shown. */
const shown = async ({ id, api, owner, partner, link }: Shop) => {
  const read = async (path: string) => (await owner.call('GET', path)).body
  const figures = (row: { sales: number; revenue: { amountCents: number }[] }) => [
    row.sales,
    row.revenue[0]?.amountCents ?? 0,
  ]
  const { body } = await partner.call('GET', `/api/portal/programs/${id}/overview?period=7d`)
  return {
    chart: figures((await read(`/api/tracking/performance/${id}?period=7d`)).data.totals),
    partner: figures((await read(`/api/tracking/performance/${id}?period=7d&partnerId=${link.partnerId}`)).data.totals),
    breakdown: figures((await read(`/api/tracking/breakdown/${id}?by=link&period=7d`)).data.rows[0]),
    device: figures((await read(`/api/tracking/breakdown/${id}?by=device&period=7d`)).data.rows[0]),
    links: figures((await read(`${api}/links`)).data[0]),
    sorted: figures((await read(`${api}/links?sort=-sales`)).data[0]),
    partners: figures((await read(`${api}/partners/${link.partnerId}`)).data),
    portal: figures(body.data.performance.totals),
    events: [(await read(`/api/tracking/events/${id}?eventType=sale&test=false`)).meta.pagination.total, 0],
  }
}
const everywhere = (sales: number, cents: number) => ({
  chart: [sales, cents],
  partner: [sales, cents],
  breakdown: [sales, cents],
  device: [sales, cents],
  links: [sales, cents],
  sorted: [sales, cents],
  partners: [sales, cents],
  portal: [sales, cents],
  events: [sales, 0],
})

test('a sale shows everywhere immediately, before and after its day is rolled up', async () => {
  const shop = await givenShop()
  await shop.sell(1000)
  expect(await shown(shop)).toEqual(everywhere(1, 1000))
  await shop.rolledUp()
  expect(await shop.marks()).toBe(0)
  expect(await shown(shop)).toEqual(everywhere(1, 1000))
  await shop.sell(500)
  expect(await shop.marks()).toBe(1)
  expect(await shown(shop)).toEqual(everywhere(2, 1500))
  await shop.rolledUp()
  expect(await shown(shop)).toEqual(everywhere(2, 1500))
})

test('a sale does not wait for a roll-up, and its mark survives the roll-up', async () => {
  const shop = await givenShop()
  await shop.sell(1000)
  await shop.rolledUp()
  await shop.sell(500)
  const holding = await pool.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT FROM daily_conversions WHERE program_id = $1 FOR UPDATE', [shop.id])
  // It has read the marks and now waits for the held rows.
  const rollingUp = shop.rolledUp()
  const isWaiting = async () =>
    (await pool.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
      .rowCount !== 0
  while (!(await isWaiting())) await Bun.sleep(20)
  expect((await shop.sell(250)).status).toBe(200)
  await holding.query('COMMIT')
  holding.release()
  await rollingUp
  expect(await shop.marks()).toBe(1)
  expect(await shown(shop)).toEqual(everywhere(3, 1750))
})

test('a transaction that has marked a day does not block others from marking it', async () => {
  const shop = await givenShop()
  const writing = await pool.connect()
  await writing.query('BEGIN')
  await writing.query('INSERT INTO changed_days (program_id, day) VALUES ($1, $2)', [shop.id, clock.now()])
  expect((await shop.sell(1000)).status).toBe(200)
  await writing.query('ROLLBACK')
  writing.release()
  expect(await shown(shop)).toEqual(everywhere(1, 1000))
})
