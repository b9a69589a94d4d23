import { describe, expect, test } from 'bun:test'
import { CHECK_HEADER, setUp } from '@tributary/contract'
import { EVENT_TYPES } from '../src/processor/stripe/translate.ts'
import { givenProcessor } from './processor/given-processor.ts'
import { browserLead, click, expectRefusal, givenClick, givenUser } from './support/given.ts'
import { givenPayingProgram, givenRole, type PayingProgram } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' } }
const S2S = { paymentTrackingMode: 's2s' as const, websites: ['https://acme.example'] }
const FROM_DASHBOARD = { [CHECK_HEADER]: 'dashboard' }

const setUpOf = async ({ owner, api }: Pick<PayingProgram, 'owner' | 'api'>) => {
  const { status, body } = await owner.call('GET', `${api}/set-up`)
  expect(status).toBe(200)
  return setUp.parse(body.data)
}
const testData = (program: PayingProgram) => ({ additional_data: { test_mode: true, program_id: program.id } })
const testClick = (program: PayingProgram, headers = {}) =>
  click(
    service,
    { affiliate_url: 'https://acme.example/?aff=x', page_url: 'https://acme.example/', ...testData(program) },
    headers,
  )

/** Inserts a thousand copies of a row, each with these changes. */
const copyRows = (table: string, where: string, changes: string) =>
  service.pool.query(`
    INSERT INTO ${table} SELECT copy.* FROM ${table} original CROSS JOIN generate_series(1, 1000) AS copy_number
    CROSS JOIN LATERAL jsonb_populate_record(original, jsonb_build_object('id', 1000000 + copy_number, ${changes})) copy
    WHERE original.${where}`)

describe('the setup of a program', () => {
  test('is not completed by the dashboard’s own checks, nor by choosing a payment mode', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const headers = { ...FROM_DASHBOARD, cookie: program.owner.cookie }
    expect((await testClick(program, headers)).status).toBe(200)
    expect((await service.call('POST', '/api/v1/track/lead', testData(program), headers)).status).toBe(200)
    await program.owner.call('PATCH', program.api, { paymentTrackingMode: 's2s' })
    // The tracking status of the interface counts any test event, and the mode alone.
    const status = (await program.owner.call('GET', `/api/tracking/status/${program.id}`)).body.data
    expect(status.stepStatuses).toEqual({ pageview: 'complete', referrals: 'complete', payments: 'complete' })
    const { done, steps } = await setUpOf(program)
    expect(done).toBe(false)
    expect(steps).toMatchObject({
      script: { done: false, received: null, checkedAt: expect.any(String) },
      signUps: { done: false, received: null, checkedAt: expect.any(String) },
      payments: { done: false, received: null, mode: 's2s' },
    })
  })

  test('is not completed by a dashboard check whose session has ended', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT, { leadAuth: 'browser_allowed' })
    expect((await testClick(program, FROM_DASHBOARD)).status).toBe(200)
    expect((await service.call('POST', '/api/v1/track/lead', testData(program), FROM_DASHBOARD)).status).toBe(200)
    expect((await setUpOf(program)).steps).toMatchObject({
      script: { done: false, checkedAt: null },
      signUps: { done: false, checkedAt: null },
    })
  })

  test('is completed by test events from the merchant’s page and server', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT, S2S)
    await testClick(program)
    await program.lead({ additional_data: { test_mode: true } })
    expect((await setUpOf(program)).done).toBe(false)
    await program.sale({ additional_data: { test_mode: true } })
    const { done, steps } = await setUpOf(program)
    expect(steps).toMatchObject({
      website: { done: true },
      reward: { done: true },
      script: { done: true, received: { test: true, from: 'browser', page: 'https://acme.example/' }, checkedAt: null },
      signUps: { done: true, received: { test: true, from: 'server' } },
      payments: { done: true, received: { test: true, from: 'server' } },
      partner: { done: true },
      link: { done: true },
    })
    expect(done).toBe(true)
  })

  test('is completed by real events, which outrank tests', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT, S2S)
    const click_id = await givenClick(service, program.link, { page_url: 'https://acme.example/pricing' })
    await program.lead({ customer_key: 'ada', click_id })
    await program.sale({ customer_key: 'ada', amount: 100, invoice_id: 'one' })
    await testClick(program)
    const { done, steps } = await setUpOf(program)
    expect(done).toBe(true)
    expect(steps.script.received).toMatchObject({ test: false, page: 'https://acme.example/pricing' })
    expect(steps.signUps.received).toMatchObject({ test: false, from: 'server' })
    expect(steps.payments.received).toMatchObject({ test: false, from: 'server' })
  })

  test('accepts browser leads only if the program does', async () => {
    const strict = await givenPayingProgram(service, TEN_PERCENT)
    await browserLead(service, testData(strict))
    await browserLead(service, { click_id: await givenClick(service, strict.link), customer_key: 'x' })
    expect((await setUpOf(strict)).steps.signUps).toMatchObject({ done: false, provisionalAt: expect.any(String) })
    const open = await givenPayingProgram(service, TEN_PERCENT, { leadAuth: 'browser_allowed' })
    await browserLead(service, testData(open))
    expect((await setUpOf(open)).steps.signUps).toMatchObject({ done: true, received: { from: 'browser', test: true } })
  })

  test('finds the server lead behind any number of later ones without a key', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await program.customer()
    const { signUps } = (await setUpOf(program)).steps
    expect(signUps).toMatchObject({ done: true, received: { from: 'server', test: false } })
    const click_id = await givenClick(service, program.link)
    service.clock.advance(1_000)
    await browserLead(service, { click_id, customer_key: 'x' })
    for (const table of ['customers', 'leads'])
      await copyRows(table, `click_id = '${click_id}'`, `'click_id', original.click_id || copy_number`)
    expect((await setUpOf(program)).steps.signUps).toEqual({ ...signUps, provisionalAt: expect.any(String) })
  })

  test('finds the payment of the chosen mode behind any number of later ones of the other', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT, { paymentTrackingMode: 's2s' })
    await program.sale({ customer_key: 'ada', amount: 100, invoice_id: 'one' })
    const { payments } = (await setUpOf(program)).steps
    expect(payments).toMatchObject({ done: true, received: { from: 'server', test: false } })
    service.clock.advance(1_000)
    const later = `'reported_by', 'processor', 'sold_at', '${service.clock.now().toISOString()}'`
    await copyRows('sales', `program_id = ${program.id}`, `'invoice_id', 'other' || copy_number, ${later}`)
    const { otherPath, ...chosen } = (await setUpOf(program)).steps.payments
    expect(chosen).toMatchObject({ done: true, received: payments.received })
    expect(otherPath).toMatchObject({ from: 'processor', test: false })
  })

  test('counts a payment of the chosen mode, and mentions one of the other', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await program.sale({ additional_data: { test_mode: true } })
    expect((await setUpOf(program)).steps.payments).toMatchObject({
      done: false,
      mode: 'processor_connect',
      otherPath: { from: 'server', test: true },
    })
  })

  test('is completed by a credited sale from the server, and offers to switch to that mode', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await program.sale({ customer_key: 'stranger', amount: 100, invoice_id: 'uncredited' })
    expect((await setUpOf(program)).steps.payments).toMatchObject({ done: false, switchTo: null })
    const customer_key = await program.customer()
    await program.sale({ customer_key, amount: 100, invoice_id: 'credited' })
    const { payments } = (await setUpOf(program)).steps
    expect(payments).toMatchObject({ done: true, received: null, switchTo: 's2s', otherPath: { from: 'server' } })
    // The interface's status still says that the chosen mode is not ready.
    const status = async () => (await program.owner.call('GET', `/api/tracking/status/${program.id}`)).body.data
    expect((await status()).stepStatuses.payments).toBe('pending')
    await program.owner.call('PATCH', program.api, { paymentTrackingMode: 's2s' })
    expect((await setUpOf(program)).steps.payments).toMatchObject({ done: true, switchTo: null })
    expect((await status()).stepStatuses.payments).toBe('complete')
  })

  test('asks for the processor again if it is disconnected after earlier sales from the server', async () => {
    const program = await givenProcessor(service, TEN_PERCENT)
    const customer_key = await program.customer()
    const sell = (invoice_id: string) => program.sale({ customer_key, amount: 100, invoice_id })
    await sell('before')
    service.clock.advance(1_000)
    await program.send((await program.payment({ livemode: false })).completed())
    expect((await setUpOf(program)).steps.payments).toMatchObject({ done: true, switchTo: null })
    expect((await program.owner.call('DELETE', `${program.api}/processor`)).status).toBe(200)
    expect((await setUpOf(program)).steps.payments).toMatchObject({ done: false, switchTo: null })
    service.clock.advance(1_000)
    await sell('after')
    expect((await setUpOf(program)).steps.payments).toMatchObject({ done: true, switchTo: 's2s' })
  })

  test('is completed by a lead that a payment made count', async () => {
    const program = await givenProcessor(service, TEN_PERCENT)
    const click_id = await givenClick(service, program.link)
    await browserLead(service, { click_id, customer_key: 'ada' })
    expect((await setUpOf(program)).steps.signUps).toMatchObject({ done: false, provisionalAt: expect.any(String) })
    await service.pool.query(
      `UPDATE leads SET state = 'settled', settled_by = 'processor', settled_at = created_at, day = created_at::date
       WHERE program_id = $1`,
      [program.id],
    )
    expect((await setUpOf(program)).steps.signUps).toMatchObject({ done: true, received: { from: 'processor' } })
  })

  test('lists exactly the supported processor events, and when each was last received', async () => {
    const program = await givenProcessor(service)
    const before = (await setUpOf(program)).steps.payments
    expect(before).toMatchObject({ done: false, connection: 'pending' })
    expect(before.events).toEqual(EVENT_TYPES.map((type) => ({ type, lastReceivedAt: null })))
    const payment = await program.payment({ livemode: false })
    await program.send(payment.completed())
    const after = (await setUpOf(program)).steps.payments
    expect(after).toMatchObject({ done: true, connection: 'connected', received: { from: 'processor', test: true } })
    expect(after.events.filter(({ lastReceivedAt }) => lastReceivedAt !== null).map(({ type }) => type)).toEqual([
      'checkout.session.completed',
    ])
    // A payment that arrived earlier does not complete the step without a connection.
    expect((await program.owner.call('DELETE', `${program.api}/processor`)).status).toBe(200)
    expect((await setUpOf(program)).steps.payments).toMatchObject({ done: false, received: after.received })
  })

  test('needs a reward, an approved partner and an active link', async () => {
    const program = await givenPayingProgram(service, null)
    expect((await setUpOf(program)).steps).toMatchObject({
      reward: { done: false },
      partner: { done: true, total: 1 },
      link: { done: true },
    })
    // Terms that pay nothing are not a reward.
    await program.owner.call('PUT', `${program.api}/reward`, { holdDays: 10 })
    const path = `${program.api}/partners/${program.link.partnerId}`
    await program.owner.call('PATCH', path, { status: 'pending' })
    expect((await setUpOf(program)).steps).toMatchObject({
      reward: { done: false },
      partner: { done: false, total: 1 },
      link: { done: false },
    })
    await program.owner.call('PATCH', path, { status: 'approved' })
    await program.owner.call('PUT', `${program.api}/reward`, TEN_PERCENT)
    await program.owner.call('PATCH', `${program.api}/links/${program.link.id}`, { active: false })
    expect((await setUpOf(program)).steps).toMatchObject({
      reward: { done: true },
      partner: { done: true },
      link: { done: false },
    })
  })

  test('needs a website', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { done, steps } = await setUpOf(program)
    expect({ done, website: steps.website }).toEqual({ done: false, website: { done: false } })
    expect(Object.keys(steps)[0]).toBe('website')
    await program.owner.call('PATCH', program.api, { websites: ['https://acme.example'] })
    expect((await setUpOf(program)).steps.website).toEqual({ done: true })
  })

  test('is visible to members who may see tracking', async () => {
    const program = await givenPayingProgram(service, null)
    const billing = await givenUser(service)
    await givenRole(service, program.workspaceId, billing, 'billing')
    expectRefusal(await billing.call('GET', `${program.api}/set-up`), 403, 'forbidden')
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    expect((await viewer.call('GET', `${program.api}/set-up`)).status).toBe(200)
  })
})
