import { expect, test } from 'bun:test'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const { db, pool, clock } = service
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' } }
const HOUR_MS = 3_600_000
const PERIODS = ['7d', '30d', '90d', 'all']

/** Advances the clock to the next day at this time in UTC. */
const waitUntil = (hours: number) => {
  const since = clock.now().getTime() % DAY_MS
  clock.advance(hours * HOUR_MS - since + (since > hours * HOUR_MS ? DAY_MS : 0))
}

const givenTraffic = async (timezone: string) => {
  const program = await givenPayingProgram(service, REWARD, { timezone })
  const customer_key = await program.customer()
  await program.sale({ customer_key, amount: 2000, invoice_id: unique('invoice') })
  return { ...program, partner: await givenPortal(service).givenPartner(program) }
}
type Program = Awaited<ReturnType<typeof givenTraffic>>

const move = async (program: PayingProgram, timezone: string) =>
  expect((await program.owner.call('PATCH', program.api, { timezone })).status).toBe(200)

/** As the housekeeping job does. */
const rolledUp = async ({ id }: PayingProgram) => {
  const program = await findProgram(db, id)
  if (!program) throw new Error('no program')
  while (!(await rollUp(db, { program, at: clock.now() })));
}

const read = async ({ owner, id }: PayingProgram, path: string, query: string) =>
  (await owner.call('GET', `/api/tracking/${path}/${id}?${query}`)).body.data

/** Every figure of a period that any page shows. */
const figuresOf = async (program: Program, period: string) => {
  const one = `period=${period}&partnerId=${program.link.partnerId}`
  const portal = `/api/portal/programs/${program.id}/overview?period=${period}`
  const rows = async (query: string) => (await read(program, 'breakdown', query)).rows
  return {
    program: (await read(program, 'performance', `period=${period}`)).totals,
    partner: (await read(program, 'performance', one)).totals,
    portal: (await program.partner.call('GET', portal)).body.data.performance.totals,
    links: await rows(`by=link&period=${period}`),
    partners: await rows(`by=partner&period=${period}`),
    devices: await rows(`by=device&period=${period}`),
  }
}
const everyPeriod = async (program: Program): Promise<Record<string, Awaited<ReturnType<typeof figuresOf>>>> =>
  Object.fromEntries(await Promise.all(PERIODS.map(async (period) => [period, await figuresOf(program, period)])))

test('events stay in every period when the program moves west, even by two dates', async () => {
  // Half past midnight of the next day on Kiritimati, half past eleven at night of the day before in Pago Pago.
  waitUntil(10.5)
  const program = await givenTraffic('Pacific/Kiritimati')
  const before = await everyPeriod(program)
  expect(before.all?.program).toMatchObject({ clicks: 1, leads: 1, sales: 1 })
  for (const zone of ['UTC', 'Pacific/Pago_Pago']) {
    await move(program, zone)
    expect(await everyPeriod(program)).toEqual(before)
    expect((await read(program, 'performance', 'period=7d')).days).toHaveLength(7)
  }
  clock.advance(10 * 60_000)
  await rolledUp(program)
  expect(await everyPeriod(program)).toEqual(before)
  const from = (await read(program, 'performance', 'period=7d')).dateFrom
  expect((await read(program, 'performance', `dateFrom=${from}`)).totals).toEqual(before.all?.program)
})

test('a past day that starts again counts clicks immediately', async () => {
  waitUntil(9)
  const program = await givenTraffic('Pacific/Kiritimati')
  waitUntil(11.5)
  await givenClick(service, program.link)
  clock.advance(10 * 60_000)
  await rolledUp(program)
  await move(program, 'UTC')
  await givenClick(service, program.link)
  for (const period of Object.values(await everyPeriod(program)))
    for (const figures of Object.values(period).flat()) expect(figures).toMatchObject({ clicks: 3, leads: 1, sales: 1 })
  clock.advance(10 * 60_000)
  await rolledUp(program)
  expect((await verifyProgram(db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
  expect((await everyPeriod(program)).all?.program).toMatchObject({ clicks: 3 })
})

test('a clock that was ahead extends no period beyond the latest date of any time zone', async () => {
  const program = await givenTraffic('UTC')
  const { dateTo } = await read(program, 'performance', 'period=30d')
  await pool.query(
    `INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks)
     SELECT program_id, link_id, partner_id, day + 300, slot, 1 FROM daily_counts WHERE program_id = $1`,
    [program.id],
  )
  for (const period of PERIODS)
    expect(await read(program, 'performance', `period=${period}`)).toMatchObject({ dateTo, totals: { clicks: 1 } })
  await pool.query('DELETE FROM daily_counts WHERE program_id = $1 AND day > $2', [program.id, dateTo])
})
