import { describe, expect, test } from 'bun:test'
import { givenClick, givenLink, givenProgram } from './support/given.ts'
import { clickEventsOf, countsOf, customerOf } from './support/records.ts'
import { DAY_MS, startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

describe('existing_click_id', () => {
  test('that matches reuses the customer record, and the click event belongs to the link just followed', async () => {
    const { id, link } = await givenProgram(service)
    const other = await givenLink(service, id)
    const clickId = await givenClick(service, link)
    expect(await givenClick(service, other, { existing_click_id: clickId })).toBe(clickId)
    expect(await clickEventsOf(service, other.id)).toMatchObject([{ clickId, reused: true }])
    const { total } = await service.db
      .selectFrom('customers')
      .select((e) => e.fn.countAll<number>().as('total'))
      .where('programId', '=', id)
      .executeTakeFirstOrThrow()
    expect(total).toBe(1)
  })

  test('under last_click moves an unsettled record to the newest link', async () => {
    const { id, link } = await givenProgram(service, { attributionModel: 'last_click' })
    const other = await givenLink(service, id)
    const clickId = await givenClick(service, link)
    await givenClick(service, other, { existing_click_id: clickId })
    expect(await customerOf(service, clickId)).toMatchObject({ linkId: other.id, partnerId: other.partnerId })
  })

  test('under first_click keeps the first link', async () => {
    const { id, link } = await givenProgram(service, { attributionModel: 'first_click' })
    const other = await givenLink(service, id)
    const clickId = await givenClick(service, link)
    await givenClick(service, other, { existing_click_id: clickId })
    expect(await customerOf(service, clickId)).toMatchObject({ linkId: link.id, partnerId: link.partnerId })
  })

  test('of a settled lead binds permanently', async () => {
    const program = await givenProgram(service)
    const other = await givenLink(service, program.id)
    const clickId = await givenClick(service, program.link)
    await program.lead({ click_id: clickId, customer_key: 'bound' })
    await givenClick(service, other, { existing_click_id: clickId })
    expect(await customerOf(service, clickId)).toMatchObject({
      linkId: program.link.id,
      partnerId: program.link.partnerId,
    })
    expect((await countsOf(service, { linkId: other.id })).clicks).toBe(1)
  })

  test('that is unknown, or of another program, creates a new record without an error', async () => {
    const [here, elsewhere] = [await givenProgram(service), await givenProgram(service)]
    const foreign = await givenClick(service, elsewhere.link)
    const forged = `${here.id}_${foreign.split('_')[1]}`
    for (const existing_click_id of [foreign, forged, 'made up'])
      expect(await givenClick(service, here.link, { existing_click_id })).not.toBe(existing_click_id)
    expect((await customerOf(service, foreign))?.linkId).toBe(elsewhere.link.id)
  })
})

describe('the attribution window', () => {
  test('a click_id is valid for cookie_window_days from the latest click that used it', async () => {
    const local = await startTestService()
    const program = await givenProgram(local, { cookieWindowDays: 10 })
    const clickId = await givenClick(local, program.link)
    local.clock.advance(9 * DAY_MS)
    expect(await givenClick(local, program.link, { existing_click_id: clickId })).toBe(clickId)
    local.clock.advance(9 * DAY_MS)
    expect(await givenClick(local, program.link, { existing_click_id: clickId })).toBe(clickId)
    local.clock.advance(10 * DAY_MS + 1_000)
    expect(await givenClick(local, program.link, { existing_click_id: clickId })).not.toBe(clickId)
  })
})
