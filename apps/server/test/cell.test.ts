import { describe, expect, test } from 'bun:test'
import { newClickToken } from '../src/tracking/clicks/click-ids.ts'
import { writeClicks } from '../src/tracking/clicks/write-clicks.ts'
import { clickRow } from './support/click-row.ts'
import { browserLead, givenClick, givenProgram, givenUser, unique } from './support/given.ts'
import { givenRole } from './support/money.ts'
import { leadsOf } from './support/records.ts'
import { startTestService } from './support/service.ts'

const service = await startTestService({ cell: 'eu1' })

/** A click as it was recorded before CELL was set. */
const givenEarlierClick = async (aff: string) => {
  const [written] = await writeClicks(service.pool, [clickRow(aff, newClickToken(service.clock.now()))], 0)
  if (!written || written.refusal !== null) throw new Error('the click was refused')
  return written.click_id
}

describe('a click_id', () => {
  test('starts with the cell, then the program, and works in calls with a key and from the browser', async () => {
    const program = await givenProgram(service)
    const [first, second] = [await givenClick(service, program.link), await givenClick(service, program.link)]
    expect(first).toMatch(new RegExp(`^eu1_${program.id}_[A-Za-z0-9_-]{31}$`))

    const keyed = await program.lead({ customer_key: unique('customer'), click_id: first })
    expect(keyed).toMatchObject({ status: 200, body: { click_id: first } })
    const fromBrowser = await browserLead(service, { customer_key: unique('customer'), click_id: second })
    expect(fromBrowser.status).toBe(200)
    expect((await leadsOf(service, program.id)).map((lead) => lead.clickId)).toEqual([first, second])
  })

  test('of a second customer of the same click starts with the cell, too', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    await program.lead({ customer_key: unique('customer'), click_id: clickId })
    const other = await program.lead({ customer_key: unique('customer'), click_id: clickId })
    expect(other.body.click_id).not.toBe(clickId)
    expect(other.body.click_id).toStartWith(`eu1_${program.id}_`)
  })

  test('from before keeps working and is kept by the next click', async () => {
    const program = await givenProgram(service)
    const earlier = await givenEarlierClick(program.link.aff)
    expect(earlier).toStartWith(`${program.id}_`)
    expect(await givenClick(service, program.link, { existing_click_id: earlier })).toBe(earlier)
    const lead = await program.lead({ customer_key: unique('customer'), click_id: earlier })
    expect(lead).toMatchObject({ status: 200, body: { click_id: earlier } })
  })
})

describe('an API key', () => {
  const givenOwned = async () => {
    const program = await givenProgram(service)
    const owner = await givenUser(service)
    await givenRole(service, program.workspaceId, owner, 'owner')
    const keys = `/api/programs/${program.id}/api-keys`
    const statusWith = async (key: string) =>
      (await service.call('GET', '/api/v1/events', undefined, { authorization: `Bearer ${key}` })).status
    return { program, owner, keys, statusWith }
  }

  test('starts with trk_ and the cell, when it is created and when it is rotated', async () => {
    const { owner, keys, statusWith } = await givenOwned()
    const { body: created } = await owner.call('POST', keys)
    expect(created.data.key).toMatch(/^trk_eu1[A-Za-z0-9]{12}_[A-Za-z0-9]{32}$/)
    expect(await statusWith(created.data.key)).toBe(200)

    const { body: rotated } = await owner.call('POST', `${keys}/${created.data.id}/rotate`, { graceMinutes: 0 })
    expect(rotated.data.key).toStartWith('trk_eu1')
    expect(await statusWith(rotated.data.key)).toBe(200)
    // A replaced key is refused within five seconds, not at once.
    for (let tries = 0; tries < 50 && (await statusWith(created.data.key)) !== 401; tries++) await Bun.sleep(100)
    expect(await statusWith(created.data.key)).toBe(401)
  })

  test('from before keeps working', async () => {
    const { program, statusWith } = await givenOwned()
    expect(program.key).not.toStartWith('trk_eu1')
    expect(await statusWith(program.key)).toBe(200)
  })
})
