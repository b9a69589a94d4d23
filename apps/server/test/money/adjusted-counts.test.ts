import { expect, test } from 'bun:test'
import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { type Adjusted, givenAdjusted } from './given-adjustments.ts'

const service = await givenService()
// The day must not end between a sale and its report.
service.clock.stop()

const rolledUp = async ({ id }: Adjusted) => {
  const program = await findProgram(service.db, id)
  if (!program) throw new Error('no program')
  while (!(await rollUp(service.db, { program, at: service.clock.now() })));
}

const usd = (amountCents: number) => (amountCents === 0 ? [] : [{ currency: 'USD', amountCents }])

/** What every report says about the program or one partner: sales, revenue and commissions. */
const reports = async (program: Adjusted, partnerId?: number) => {
  const read = async (path: string) => (await program.owner.call('GET', path)).body.data
  const tracking = (kind: string, query: string) => read(`/api/tracking/${kind}/${program.id}?${query}`)
  const owner = partnerId === undefined ? '' : `&partnerId=${partnerId}`
  const pick = (counts: { sales: number; revenue: object; commissions: object } | undefined) =>
    counts && [counts.sales, counts.revenue, counts.commissions]
  const month = await tracking('performance', `period=30d${owner}`)
  const day = month.days.at(-1).date
  const today = await tracking('performance', `dateFrom=${day}&dateTo=${day}${owner}`)
  const hours = today.hours.reduce((sum: number, hour: { sales: number }) => sum + hour.sales, 0)
  if (partnerId === undefined) return { totals: pick(month.totals), hours }
  const ranked = await tracking('breakdown', 'by=partner&period=30d&sort=revenue')
  const partners = await read(`${program.api}/partners?sort=-revenue`)
  const listed = await read(`${program.api}/partners`)
  const isPartner = ({ id }: { id: number }) => id === partnerId
  return {
    totals: pick(month.totals),
    leaderboard: pick(ranked.rows.find(({ value }: { value: string }) => value === String(partnerId))),
    sorted: pick(partners.find(isPartner)),
    listed: pick(listed.find(isPartner)),
    hours,
  }
}

const everywhere = (sales: number, revenueCents: number, commissionCents: number, hours: number) => {
  const counts = [sales, usd(revenueCents), usd(commissionCents)]
  return { totals: counts, leaderboard: counts, sorted: counts, listed: counts, hours }
}

test("partners' numbers follow what members decide manually, before and after a roll-up", async () => {
  const program = await givenAdjusted(service)
  const [anna, ben] = [program.link.partnerId, program.ben.partnerId]
  const { sale_id } = await program.soldByPartner(1_000)
  const stranger = await program.soldByNoOne(3_000)
  await rolledUp(program)
  const move = await program.adjust({ type: 'move', saleId: sale_id, partnerId: ben })
  await program.adjust({ type: 'credit', saleId: stranger.sale_id, partnerId: ben })
  const bonus = await program.adjust({ type: 'bonus', partnerId: anna, amountCents: 700 })
  expect(await reports(program, anna)).toMatchObject({ totals: [0, [], usd(700)], listed: [0, [], usd(700)], hours: 0 })
  expect(await reports(program, ben)).toEqual(everywhere(2, 4_000, 400, 2))
  // The moved sale counts once.
  expect(await reports(program)).toEqual({ totals: [2, usd(4_000), usd(1_100)], hours: 2 })
  expect(await program.differences()).toEqual([])

  await program.undo(move.id)
  await program.undo(bonus.id)
  service.clock.advance(DAY_MS)
  await rolledUp(program)
  expect(await reports(program, anna)).toEqual(everywhere(1, 1_000, 100, 0))
  expect(await reports(program, ben)).toEqual(everywhere(1, 3_000, 300, 0))
  expect(await program.differences()).toEqual([])
})
