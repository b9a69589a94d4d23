import { expect, test } from 'bun:test'
import { givenClick, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { sized } from '../support/size.ts'

/** In the long form, slower than any report was on the machine where they were measured. */
const service = await startTestService({}, { databaseDelayMs: sized({ short: 15, long: 60 }) })
const MINUTE_MS = 60_000

const givenFigures = async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
  const read = async (path: string) => {
    const { status, body } = await program.owner.call('GET', path)
    expect(status).toBe(200)
    return body.data
  }
  const breakdown = async (by: string, period: string) => {
    const { rows } = await read(`/api/tracking/breakdown/${program.id}?by=${by}&${period}`)
    return rows.map(({ clicks, leads, sales }: Record<string, number>) => [clicks, leads, sales])
  }
  /** Clicks, leads and sales of the overview's tiles, funnel and cards. */
  const figures = async (period = 'period=7d') => {
    const { totals } = await read(`/api/tracking/performance/${program.id}?${period}`)
    const { funnel } = await read(`${program.api}/analytics?${period}`)
    const { rows } = await read(`${program.api}/analytics/cohorts?months=2`)
    return {
      tiles: [totals.clicks, totals.leads, totals.sales],
      funnel: [funnel.clicks, funnel.leads, funnel.customers],
      customers: rows.reduce((sum: number, { customers }: { customers: number }) => sum + customers, 0),
      partners: await breakdown('partner', period),
      devices: await breakdown('device', period),
    }
  }
  return { ...program, figures }
}

test('on a slow machine, every figure of a small program has every event that was answered', async () => {
  const program = await givenFigures()
  const none = [0, 0, 0]
  expect(await program.figures()).toEqual({ tiles: none, funnel: none, customers: 0, partners: [], devices: [] })
  for (let round = 1; round < 3; round++) {
    const customer_key = await program.customer()
    await program.sale({ customer_key, amount: 2_900, invoice_id: unique('invoice') })
    const all = [round, round, round]
    const expected = { tiles: all, funnel: all, customers: round, partners: [all], devices: [all] }
    expect(await program.figures()).toEqual(expected)
    service.clock.advance(MINUTE_MS)
    expect(await program.figures('period=all')).toEqual(expected)
  }
})

test('a click after days without a roll-up is in every figure', async () => {
  const program = await givenFigures()
  await givenClick(service, program.link)
  await program.figures()
  service.clock.advance(2 * DAY_MS)
  await givenClick(service, program.link)
  const { tiles, partners, devices } = await program.figures()
  expect({ tiles, partners, devices }).toEqual({ tiles: [2, 0, 0], partners: [[2, 0, 0]], devices: [[2, 0, 0]] })
})
