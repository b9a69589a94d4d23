import { describe, expect, test } from 'bun:test'
import { announcePayable } from '../../src/money/commissions/announce-payable.ts'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { eventsOf } from './given-events.ts'

const service = await givenService()
const announce = () => announcePayable({ db: service.db, clock: service.clock.now })

const givenShop = async (holdDays: number) => {
  const reward = { lead: { amountCents: 500 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays }
  const program = await givenPayingProgram(service, reward)
  return { ...program, events: eventsOf(service, program.key) }
}

const payable = (events: { type: string }[]) => events.filter(({ type }) => type === 'commission.payable').length

describe('a hold period that ended while the partner was suspended', () => {
  for (const how of ['one', 'bulk'] as const)
    test(`is announced when the partner is reinstated: ${how}`, async () => {
      const shop = await givenShop(30)
      const clickId = await givenClick(service, shop.link)
      await shop.lead({ customer_key: 'ada', click_id: clickId })
      const [{ id }] = (await shop.owner.call('GET', `${shop.api}/partners`)).body.data
      const bulk = (action: string) => shop.owner.call('POST', `${shop.api}/partners/bulk`, { ids: [id], action })
      expect((await bulk('suspend')).body.data.done).toBe(1)
      service.clock.advance(31 * DAY_MS)
      await announce()
      service.clock.advance(2 * DAY_MS)
      await announce()
      const patched = () => shop.owner.call('PATCH', `${shop.api}/partners/${id}`, { status: 'approved' })
      expect((await (how === 'bulk' ? bulk('reinstate') : patched())).status).toBe(200)
      await announce()
      expect(payable(await shop.events())).toBe(1)
    })
})

describe('a clock that was a day ahead for one run', () => {
  test('does not lose later ends of hold periods', async () => {
    const shop = await givenShop(0)
    const lead = async (key: string) => shop.lead({ customer_key: key, click_id: await givenClick(service, shop.link) })
    await lead('first')
    await shop.events()
    await announce()
    expect(payable(await shop.events())).toBe(1)
    await announcePayable({ db: service.db, clock: () => new Date(service.clock.now().getTime() + DAY_MS) })
    await lead('second')
    service.clock.advance(60_000)
    await announce()
    service.clock.advance(2 * DAY_MS)
    await announce()
    expect(payable(await shop.events())).toBe(2)
  })
})
