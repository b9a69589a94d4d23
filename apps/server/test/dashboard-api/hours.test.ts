import { expect, test } from 'bun:test'
import { type Performance, performance } from '@tributary/contract'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { seeded } from '../support/seeded.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { REWARD, trafficOf } from './given-traffic.ts'

const service = await givenService()
const { clock, pool } = service
const { rolledUp } = trafficOf(service)
const HOUR_MS = 3_600_000

const dayIn = (timezone: string, time: number) =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: timezone }).format(time)
const clockIn = (timezone: string, time: number) =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone }).format(time)

/** The next time the clocks change. */
const nextChange = (timezone: string) => {
  const name = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset', hour: 'numeric' })
  const offset = (time: number) => name.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value
  let time = Math.ceil(clock.now().getTime() / HOUR_MS) * HOUR_MS + 2 * DAY_MS
  while (offset(time) === offset(time + HOUR_MS)) time += HOUR_MS
  return time
}

type Event = { kind: 'click' | 'lead' | 'sale'; at: Date; cents: number; earned: number }

const eventsOf = async (program: PayingProgram): Promise<Event[]> =>
  (
    await pool.query(
      `SELECT 'click' AS kind, clicked_at AS at, 0 AS cents, 0 AS earned FROM click_events WHERE program_id = $1 AND device IS DISTINCT FROM 'bot'
       UNION ALL SELECT 'lead', settled_at, 0, coalesce(amount_cents, 0)::int FROM leads
         LEFT JOIN commissions ON commissions.program_id = leads.program_id AND lead_id = leads.id
         WHERE leads.program_id = $1 AND settled_at IS NOT NULL
       UNION ALL SELECT 'sale', sold_at, sales.amount_cents::int, coalesce(commissions.amount_cents, 0)::int FROM sales
         LEFT JOIN commissions ON commissions.program_id = sales.program_id AND sale_id = sales.id
         WHERE sales.program_id = $1 AND click_id IS NOT NULL AND voided_at IS NULL`,
      [program.id],
    )
  ).rows

const countsOf = (events: Event[]) => {
  const count = (kind: Event['kind']) => events.filter((event) => event.kind === kind).length
  const sum = (name: 'cents' | 'earned') => {
    const amountCents = events.reduce((total, event) => total + event[name], 0)
    return amountCents > 0 ? [{ currency: 'USD', amountCents }] : []
  }
  return {
    clicks: count('click'),
    leads: count('lead'),
    sales: count('sale'),
    revenue: sum('cents'),
    commissions: sum('earned'),
  }
}

const expectHours = (hours: Performance['hours'], events: Event[], timezone: string, day: string) => {
  const starts = (hours ?? []).map(({ startsAt }) => Date.parse(startsAt))
  expect(clockIn(timezone, starts[0] ?? 0)).toBe('00:00')
  expect(starts.map((start) => dayIn(timezone, start))).toEqual(starts.map(() => day))
  const ofDay = events.filter(({ at }) => dayIn(timezone, at.getTime()) === day)
  const expected = starts.map((start) =>
    countsOf(ofDay.filter(({ at }) => at.getTime() >= start && at.getTime() < start + HOUR_MS)),
  )
  expect(hours?.map(({ startsAt: _, ...counts }) => counts)).toEqual(expected)
  expect(expected.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(countsOf(ofDay).clicks)
  return starts.length
}

const read = async ({ owner, id }: PayingProgram, query: string) =>
  performance.parse((await owner.call('GET', `/api/tracking/performance/${id}?${query}`)).body.data)

const { seed, random } = seeded()

const ZONES: [zone: string, hours: number[]][] = [
  ['Australia/Lord_Howe', [24, 25]],
  ['Europe/Berlin', [23, 25]],
  ['Asia/Kathmandu', [24]],
]

test.each(
  sized({ short: ZONES.slice(0, 1), long: ZONES }),
)(`the hours of a day whose clocks change are exact (%s, seed ${seed})`, async (timezone, lengths) => {
  const change = lengths.length === 1 ? clock.now().getTime() + 2 * DAY_MS : nextChange(timezone)
  clock.advance(change - 26 * HOUR_MS - clock.now().getTime())
  const program = await givenPayingProgram(service, REWARD, { timezone })
  const idle = await givenLink(service, program.id)
  const partner = await givenPortal(service).givenPartner(program)
  const customer_key = await program.customer()
  const sell = (amount: number) => program.sale({ customer_key, amount, invoice_id: unique('invoice') })
  for (let step = 0; clock.now().getTime() < change + 8 * HOUR_MS; step++) {
    clock.advance(Math.ceil(random() * 2.5 * HOUR_MS))
    await givenClick(service, program.link)
    if (step % 3 === 0) await sell(100 + step)
    if (step % 5 === 0) await program.customer()
    if (step === 9) await rolledUp(program)
  }
  const events = await eventsOf(program)
  const check = async () => {
    const now = await read(program, 'period=today&compare=previous')
    const [today, yesterday] = [now.dateTo, now.previous?.dateTo ?? '']
    expect(today).toBe(dayIn(timezone, clock.now().getTime()))
    expect(lengths).toContain(expectHours(now.hours, events, timezone, today))
    expectHours(now.previous?.hours ?? null, events, timezone, yesterday)
    expect(now.days.map(({ date: _, ...day }) => day)).toEqual([now.totals])
    // The same wall-clock time of the day before, to the quarter hour.
    const wallClock = clockIn(timezone, Math.floor(clock.now().getTime() / 900_000) * 900_000)
    const toDate = events.filter(({ at }) => {
      const time = at.getTime()
      return dayIn(timezone, time) === yesterday && clockIn(timezone, time) < wallClock
    })
    expect(now.previous?.toDate).toEqual(countsOf(toDate))
    // The only partner with traffic has the same hours, also in the portal; another has none.
    const { asOf: _, ...same } = now
    for (const partnerId of [program.link.partnerId, idle.partnerId]) {
      const { asOf: _, ...own } = await read(program, `period=today&compare=previous&partnerId=${partnerId}`)
      if (partnerId === program.link.partnerId) expect(own).toEqual(same)
      else expect(own.hours?.map(({ clicks }) => clicks)).toEqual(now.hours?.map(() => 0) ?? [])
    }
    const overview = await partner.call('GET', `/api/portal/programs/${program.id}/overview?period=today`)
    expect(overview.body.data.performance.hours).toEqual(now.hours)
  }
  await check()
  await rolledUp(program)
  await check()
  expect((await verifyProgram(service.db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
})

test('a period that ends today compares with the same hours; one that is over does not', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const noon = 12.1 * HOUR_MS
  clock.advance(DAY_MS - (clock.now().getTime() % DAY_MS) + noon)
  await givenClick(service, program.link)
  clock.advance(6 * HOUR_MS)
  await givenClick(service, program.link)
  await rolledUp(program)
  clock.advance(7 * DAY_MS - 4 * HOUR_MS)
  const week = await read(program, 'period=7d')
  expect(week.previous).toMatchObject({ totals: { clicks: 2 }, toDate: { clicks: 1 }, days: null, hours: null })
  expect(week.hours).toBeNull()
  const compared = await read(program, 'period=7d&compare=previous')
  expect(compared.previous?.days).toHaveLength(7)
  expect(compared.previous?.days?.at(-1)).toMatchObject({ clicks: 2 })
  const ofPartner = await read(program, `period=7d&partnerId=${program.link.partnerId}`)
  expect(ofPartner.previous?.toDate).toMatchObject({ clicks: 1 })
  const day = week.previous?.dateTo
  const over = await read(program, `dateFrom=${day}&dateTo=${day}`)
  expect(over.previous?.toDate).toBeNull()
  expect(over.hours?.filter(({ clicks }) => clicks === 1)).toHaveLength(2)
  expectRefusal(
    await program.owner.call('GET', `/api/tracking/performance/${program.id}?compare=next`),
    400,
    'invalid_request',
  )
})
