import { describe, expect, test } from 'bun:test'
import { leadAnswer } from '@tributary/contract'
import { browserLead, expectRefusal, givenClick, givenProgram, unique } from './support/given.ts'
import { countsOf, customerOf, everythingOf, leadsOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

describe('a browser lead', () => {
  test('is provisional unless the program is browser_allowed: the key is not stored in any form and nothing counts', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    const customerKey = unique('very-secret-key')
    const { status, body } = await browserLead(service, {
      click_id: clickId,
      customer_key: customerKey,
      email: 'a@example.com',
    })
    expect(status).toBe(200)
    expect(leadAnswer.parse(body)).toEqual({ success: true, click_id: clickId, provisional: true })
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'provisional' }])
    expect(await customerOf(service, clickId)).toMatchObject({
      customerStatus: 'click',
      customerKey: null,
      emailHash: null,
      emailMasked: null,
    })
    expect((await countsOf(service, { programId: program.id })).leads).toBe(0)
    for (const table of ['customers', 'leads', 'sales', 'customer_keys', 'test_events', 'click_events']) {
      const { rows } = await service.pool.query(`SELECT 1 FROM ${table} row WHERE row::text LIKE '%' || $1 || '%'`, [
        customerKey,
      ])
      expect(rows).toHaveLength(0)
    }
  })

  test('sent twice is still one provisional lead', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(service, program.link)
    await browserLead(service, { click_id })
    expect((await browserLead(service, { click_id })).body).toEqual({ success: true, click_id, provisional: true })
    expect(await leadsOf(service, program.id)).toHaveLength(1)
  })

  test('with a customer_key settles if the program is browser_allowed', async () => {
    const program = await givenProgram(service, { leadAuth: 'browser_allowed' })
    const click_id = await givenClick(service, program.link)
    const { body } = await browserLead(service, { click_id, customer_key: 'user-1' })
    expect(body).toMatchObject({ success: true, customer_key: 'user-1', click_id, lead_id: expect.any(Number) })
    expect(body).not.toHaveProperty('provisional')
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'settled', settledBy: 'browser' }])
    expect((await countsOf(service, { programId: program.id })).leads).toBe(1)
  })

  test('without a customer_key stays provisional even then', async () => {
    const program = await givenProgram(service, { leadAuth: 'browser_allowed' })
    const click_id = await givenClick(service, program.link)
    expect((await browserLead(service, { click_id })).body).toMatchObject({ provisional: true })
  })

  test('on a settled click answers duplicate: true and reveals nothing about the customer', async () => {
    for (const leadAuth of ['server_required', 'browser_allowed'] as const) {
      const program = await givenProgram(service, { leadAuth })
      const click_id = await givenClick(service, program.link)
      await program.lead({ click_id, customer_key: 'user-1' })
      const before = await everythingOf(service)
      expect((await browserLead(service, { click_id, customer_key: 'user-2' })).body).toEqual({
        success: true,
        click_id,
        duplicate: true,
      })
      expect(await everythingOf(service)).toEqual(before)
    }
  })

  test('with the key of another customer is a duplicate that does not reveal the customer', async () => {
    const program = await givenProgram(service, { leadAuth: 'browser_allowed' })
    await program.lead({ click_id: await givenClick(service, program.link), customer_key: 'user-1' })
    const click_id = await givenClick(service, program.link)
    expect((await browserLead(service, { click_id, customer_key: 'user-1' })).body).toEqual({
      success: true,
      click_id,
      duplicate: true,
    })
    expect((await countsOf(service, { programId: program.id })).leads).toBe(1)
  })

  for (const [name, body, message] of [
    ['no click', {}, 'click_id is missing'],
    ['a bad click', { click_id: 'made-up' }, 'No click'],
    ['a forged click', { click_id: `1_${'0'.repeat(9)}${'x'.repeat(22)}` }, 'No click'],
  ] as const)
    test(`400 click_not_found: ${name}`, async () => {
      const before = await everythingOf(service)
      const refused = await browserLead(service, body)
      expectRefusal(refused, 400, 'click_not_found')
      expect(refused.body.error.message).toStartWith(message)
      expect(await everythingOf(service)).toEqual(before)
    })

  test('follows the CORS and text/plain rules of clicks', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(service, program.link)
    const headers = { 'content-type': 'text/plain', origin: 'https://shop.example' }
    const answer = await service.call('POST', '/api/v1/track/lead', JSON.stringify({ click_id }), headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})
