import { afterEach, expect, test } from 'bun:test'
import { sized } from '../support/size.ts'
import { cleanUp, givenService, isReady, killIfAlive, type Service, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { familyOf, isAlive } from './processes.ts'

afterEach(cleanUp)

type Shop = { cookie: string; programId: number; affiliateUrl: string; key: string }

const callerOf =
  (service: Service, headers: Record<string, string> = {}) =>
  async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://localhost:${service.port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

const givenShop = async (service: Service): Promise<Shop> => {
  const account = { name: 'Owner', email: 'owner@example.com', password: 'a long password' }
  const { headers } = await callerOf(service)('POST', '/api/auth/sign-up/email', account)
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const owner = callerOf(service, { cookie })
  await owner('POST', '/api/workspaces', { name: 'W' })
  const programId = (await owner('POST', '/api/programs', { name: 'P' })).body.data.id
  const partnerId = (await owner('POST', `/api/programs/${programId}/partners`, { name: 'Partner' })).body.data.id
  const { aff } = (await owner('POST', `/api/programs/${programId}/links`, { partnerId })).body.data
  const { key } = (await owner('POST', `/api/programs/${programId}/api-keys`)).body.data
  return { cookie, programId, key, affiliateUrl: `https://shop.example/?aff=${aff}` }
}

/** Callers pause between attempts, so that the service gets the CPU. */
const PAUSE_MS = 100

/** Visitors who click, sign up and buy until stopped, and a list of everything the service acknowledged. */
const startVisitors = (service: Service, { affiliateUrl, key }: Shop) => {
  const acknowledged = { clicks: 0, leads: 0, sales: 0 }
  const statuses = new Set<number>()
  let stopped = false
  const keyed = callerOf(service, { authorization: `Bearer ${key}` })
  const note = ({ status, headers }: { status: number; headers: Headers }) => {
    statuses.add(status)
    if (status === 503 && !headers.has('retry-after')) throw new Error('a 503 without Retry-After')
    return status === 200 ? null : Bun.sleep(PAUSE_MS)
  }
  const visitor = async () => {
    while (!stopped) {
      try {
        const click = await callerOf(service)('POST', '/api/v1/track/click', { affiliate_url: affiliateUrl })
        await note(click)
        if (click.status !== 200) continue
        acknowledged.clicks++
        const customer_key = crypto.randomUUID()
        const lead = await keyed('POST', '/api/v1/track/lead', { click_id: click.body.click_id, customer_key })
        await note(lead)
        if (lead.status !== 200) continue
        acknowledged.leads++
        const sale = await keyed('POST', '/api/v1/track/sale', { customer_key, amount: 100, invoice_id: customer_key })
        await note(sale)
        if (sale.status === 200) acknowledged.sales++
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        await Bun.sleep(PAUSE_MS) // no response, so nothing was acknowledged
      }
    }
  }
  const visitors = Array.from({ length: sized({ short: 8, long: 24 }) }, visitor)
  const stop = async () => {
    stopped = true
    await Promise.all(visitors)
    return { acknowledged, statuses }
  }
  const untilSold = (count: number) => until(() => acknowledged.sales >= count)
  return { sales: () => acknowledged.sales, untilSold, stop }
}

const numbersOf = async (service: Service, { cookie, programId }: Shop) => {
  const owner = callerOf(service, { cookie })
  const performance = await owner('GET', `/api/tracking/performance/${programId}?period=all`)
  expect(performance).toMatchObject({ status: 200 })
  const { totals } = performance.body.data
  /** Reads page by page to the end: the total of a long list is not exact. */
  const listed = async (type: string) => {
    const path = `/api/tracking/events/${programId}?eventType=${type}&dateFrom=${new Date().getUTCFullYear()}-01-01&pageSize=100`
    let total = 0
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await owner('GET', cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path)
      expect(status).toBe(200)
      total += body.data.length
      cursor = body.meta.nextCursor
    }
    return total
  }
  return { totals, events: { clicks: await listed('click'), leads: await listed('lead'), sales: await listed('sale') } }
}

const expectNothingLost = async (
  service: Service,
  shop: Shop,
  acknowledged: { clicks: number; leads: number; sales: number },
) => {
  const { totals, events } = await numbersOf(service, shop)
  for (const name of ['clicks', 'leads', 'sales'] as const) {
    expect(events[name]).toBeGreaterThanOrEqual(acknowledged[name])
    expect(totals[name]).toBe(events[name]) // counts equal events in every case
  }
  return events
}

const SALES = sized({ short: 8, long: 400 })

test('under load, kill -9 of Postgres and then of everything loses nothing acknowledged, and counts still equal events', async () => {
  const DATA_DIR = await givenPreparedDataDir('migrated', { isOnDisk: true })
  const env = { DATA_DIR, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const service = await givenService({ env })
  const shop = await givenShop(service)
  const trade = startVisitors(service, shop)
  await trade.untilSold(SALES)
  const { server } = familyOf(service.pid)
  process.kill(server, 'SIGKILL')
  await until(() => !isAlive(server))
  // 503 with Retry-After during the restart, then automatic recovery.
  await until(() => isReady(service))
  await trade.untilSold(trade.sales() + SALES)
  const withoutPostgres = await trade.stop()
  expect([...withoutPostgres.statuses].filter((status) => ![200, 503].includes(status))).toEqual([])
  const before = await expectNothingLost(service, shop, withoutPostgres.acknowledged)

  const more = startVisitors(service, shop)
  await more.untilSold(SALES)
  const { watchdog, server: next, backends } = familyOf(service.pid)
  for (const pid of [service.pid, watchdog, next, ...backends]) killIfAlive(pid)
  await service.ended()
  const { acknowledged } = await more.stop()
  for (const name of ['clicks', 'leads', 'sales'] as const) acknowledged[name] += before[name]
  await expectNothingLost(await givenService({ env }), shop, acknowledged)
})
