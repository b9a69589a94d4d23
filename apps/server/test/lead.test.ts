import { describe, expect, test } from 'bun:test'
import { leadAnswer } from '@tributary/contract'
import { browserLead, expectRefusal, givenClick, givenLink, givenProgram, unique } from './support/given.ts'
import { countsOf, customerOf, everythingOf, leadsOf, salesOf } from './support/records.ts'
import { DAY_MS, startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

describe('a server lead call', () => {
  test('with a valid click and a new key settles: the key is saved, the status is lead, and the lead counts', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    const { status, body } = await program.lead({ customer_key: 'user-1', click_id: clickId })
    expect(status).toBe(200)
    const [lead] = await leadsOf(service, program.id)
    expect(leadAnswer.parse(body)).toEqual({
      success: true,
      lead_id: lead?.id as number,
      customer_key: 'user-1',
      click_id: clickId,
      credited_by: 'click',
    })
    expect(lead).toMatchObject({
      state: 'settled',
      settledBy: 'server',
      linkId: program.link.id,
      partnerId: program.link.partnerId,
    })
    expect(await customerOf(service, clickId)).toMatchObject({ customerKey: 'user-1', customerStatus: 'lead' })
    expect((await countsOf(service, { linkId: program.link.id })).leads).toBe(1)
  })

  test('settles a provisional lead', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    await browserLead(service, { click_id: clickId, customer_key: 'user-1' })
    const { body } = await program.lead({ customer_key: 'user-1', click_id: clickId })
    expect(body).not.toHaveProperty('provisional')
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'settled', clickId }])
    expect((await countsOf(service, { programId: program.id })).leads).toBe(1)
  })

  test('with a known key answers the same ids and duplicate: true, with or without a click', async () => {
    const program = await givenProgram(service)
    const first = await program.lead({ customer_key: 'user-1', click_id: await givenClick(service, program.link) })
    const before = await everythingOf(service)
    for (const click_id of [undefined, null, '', first.body.click_id, 'nonsense']) {
      const { status, body } = await program.lead({ customer_key: 'user-1', click_id })
      expect({ status, body }).toEqual({ status: 200, body: { ...first.body, duplicate: true } })
    }
    expect(await everythingOf(service)).toEqual(before)
  })

  test('on a click already settled for another key creates a second customer with a new click_id for the same partner', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    await program.lead({ customer_key: 'user-1', click_id: clickId })
    const { status, body } = await program.lead({ customer_key: 'user-2', click_id: clickId })
    expect(status).toBe(200)
    expect(body.click_id).not.toBe(clickId)
    expect(await customerOf(service, body.click_id)).toMatchObject({
      customerKey: 'user-2',
      partnerId: program.link.partnerId,
    })
    expect((await countsOf(service, { linkId: program.link.id })).leads).toBe(2)
  })

  test('accepts the field names of the SDK', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    const { body } = await program.lead({ customerExternalId: 'user-1', clickId })
    expect(body).toMatchObject({ customer_key: 'user-1', click_id: clickId })
  })

  test('stores the email address only as a keyed hash and masked', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    await program.lead({ customer_key: 'user-1', click_id: clickId, email: ' Ada@Example.com ' })
    const customer = await customerOf(service, clickId)
    expect(customer?.emailMasked).toBe('a***@example.com')
    expect(customer?.emailHash).toHaveLength(32)
    expect(JSON.stringify(customer)).not.toMatch(/ada@example/i)
  })

  test('accepts two spellings of one value, or a value and an empty spelling', async () => {
    const program = await givenProgram(service)
    for (const body of [
      { click_id: '', clickId: await givenClick(service, program.link), customer_key: unique('customer') },
      { click_id: await givenClick(service, program.link), clickId: '', customer_key: unique('customer') },
      {
        click_id: await givenClick(service, program.link),
        customer_key: unique('customer'),
        additional_data: { test_mode: false, program_id: program.id },
        additionalData: { program_id: program.id, test_mode: false },
      },
    ])
      expect((await program.lead(body)).status).toBe(200)
  })

  const refusals: [string, (clickId: string) => object, string][] = [
    ['click but no customer_key', (click_id) => ({ click_id }), 'missing_customer_key'],
    ['click but an empty customer_key', (click_id) => ({ click_id, customer_key: '' }), 'missing_customer_key'],
    ['no click, key unknown', () => ({ customer_key: 'nobody' }), 'customer_unknown'],
    ['an empty click, key unknown', () => ({ customer_key: 'nobody', click_id: '' }), 'customer_unknown'],
    ['neither click nor key', () => ({}), 'missing_customer_key'],
    ['click unknown', () => ({ customer_key: 'nobody', click_id: 'made-up' }), 'click_not_found'],
    ['customer_key too long', (click_id) => ({ click_id, customer_key: 'k'.repeat(256) }), 'invalid_request'],
    ['click_id too long', () => ({ click_id: 'c'.repeat(256), customer_key: 'nobody' }), 'invalid_request'],
    [
      'a test marked outside of additional_data',
      (click_id) => ({ click_id, customer_key: 'a', test_mode: true }),
      'invalid_request',
    ],
    [
      'two spellings with different values',
      (click_id) => ({ click_id, customer_key: 'a', customerExternalId: 'b' }),
      'conflicting_fields',
    ],
  ]
  for (const [name, body, code] of refusals)
    test(`400 ${code}, and nothing is recorded: ${name}`, async () => {
      const program = await givenProgram(service)
      const clickId = await givenClick(service, program.link)
      const before = await everythingOf(service)
      expectRefusal(await program.lead(body(clickId)), 400, code)
      expect(await everythingOf(service)).toEqual(before)
    })

  test('400 click_not_found: the click is of another program', async () => {
    const [program, other] = [await givenProgram(service), await givenProgram(service)]
    const click_id = await givenClick(service, other.link)
    expectRefusal(await program.lead({ customer_key: 'user-1', click_id }), 400, 'click_not_found')
    expect(await leadsOf(service, other.id)).toHaveLength(0)
  })

  test('400 click_expired: the attribution window has ended', async () => {
    const local = await startTestService()
    const program = await givenProgram(local, { cookieWindowDays: 7 })
    const click_id = await givenClick(local, program.link)
    local.clock.advance(7 * DAY_MS + 1_000)
    expectRefusal(await program.lead({ customer_key: 'user-1', click_id }), 400, 'click_expired')
    expectRefusal(await browserLead(local, { click_id }), 400, 'click_expired')
    expect(await leadsOf(local, program.id)).toHaveLength(0)
  })
})

test('a customer who bought through a click becomes a known customer when the lead settles', async () => {
  const program = await givenProgram(service)
  const click_id = await givenClick(service, program.link)
  await program.sale({ click_id, amount: 100, invoice_id: 'in-1' })
  await program.lead({ click_id, customer_key: 'user-1' })
  expect(await customerOf(service, click_id)).toMatchObject({ customerStatus: 'customer' })
})

test('a message names the actual error, not a missing field', async () => {
  const program = await givenProgram(service)
  expect((await program.lead({ customer_key: 5 })).body.error.message).toBe('customer_key must be a string.')
  for (const [program_id, message] of [
    ['mine', 'program_id must be a program ID, such as 12.'],
    ['2147483648', 'program_id must be at most 2147483647.'],
  ])
    expect((await program.lead({ program_id })).body.error.message).toBe(message ?? '')
  expect((await program.lead({ additional_data: [] })).body.error.message).toBe('additional_data must be an object.')
})

describe('a settled lead credits earlier sales', () => {
  test('made after its click', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(service, program.link)
    await program.sale({ customer_key: 'user-1', amount: 5000, invoice_id: 'in-1' })
    await program.sale({ customer_key: 'user-1', amount: 7000, invoice_id: 'in-2' })
    await program.sale({ customer_key: 'user-2', amount: 9000, invoice_id: 'in-3' })
    await program.lead({ customer_key: 'user-1', click_id })
    expect(await salesOf(service, program.id)).toMatchObject([
      { invoiceId: 'in-1', clickId: click_id, partnerId: program.link.partnerId, reason: null },
      { invoiceId: 'in-2', clickId: click_id, partnerId: program.link.partnerId, reason: null },
      { invoiceId: 'in-3', clickId: null, reason: 'customer_unknown' },
    ])
    expect((await countsOf(service, { linkId: program.link.id })).sales).toBe(2)
    expect(await customerOf(service, click_id)).toMatchObject({ customerStatus: 'customer' })
  })

  test('but not a sale made before the first click', async () => {
    const program = await givenProgram(service)
    await program.sale({ customer_key: 'user-1', amount: 5000, invoice_id: 'in-1' })
    await Bun.sleep(5)
    await program.lead({ customer_key: 'user-1', click_id: await givenClick(service, program.link) })
    expect(await salesOf(service, program.id)).toMatchObject([{ clickId: null, reason: 'customer_unknown' }])
    expect((await countsOf(service, { programId: program.id })).sales).toBe(0)
  })

  test('each to the link that had won at the time of that sale', async () => {
    const program = await givenProgram(service)
    const later = await givenLink(service, program.id)
    const click_id = await givenClick(service, program.link)
    await Bun.sleep(2)
    await program.sale({ customer_key: 'user-1', amount: 5000, invoice_id: 'in-1' })
    await Bun.sleep(2)
    await givenClick(service, later, { existing_click_id: click_id })
    await Bun.sleep(2)
    await program.sale({ customer_key: 'user-1', amount: 6000, invoice_id: 'in-2' })
    await program.lead({ customer_key: 'user-1', click_id })
    expect(await salesOf(service, program.id)).toMatchObject([{ linkId: program.link.id }, { linkId: later.id }])
  })
})
