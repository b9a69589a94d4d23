import { describe, expect, test } from 'bun:test'
import { Tributary, TributaryError } from '@tributary/sdk'
import { givenClick, givenProgram, unique } from '../../../apps/server/test/support/given.ts'
import { givenPayingProgram } from '../../../apps/server/test/support/money.ts'
import { countsOf, everythingOf, leadsOf, salesOf, testEventsOf } from '../../../apps/server/test/support/records.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { caught } from './support/caught.ts'
import { type Fault, startFaultServer } from './support/fault-server.ts'
import { stillPace } from './support/still-pace.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' } }

const given = async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const clickId = await givenClick(service, program.link)
  const customerExternalId = unique('user')
  const tributary = new Tributary({ apiKey: program.key, baseUrl: service.url })
  return { program, clickId, customerExternalId, tributary }
}

/** The service behind a proxy that loses responses. */
const givenFaultyProxy = async (apiKey: string, ...faults: ((url: string) => Fault)[]) => {
  const server = await startFaultServer(...faults.map((fault) => fault(service.url)))
  return { server, tributary: new Tributary({ apiKey, baseUrl: server.url, pace: stillPace().pace }) }
}
const lost = (forwardTo: string): Fault => ({ forwardTo, but: 'reset' })
const truncated = (forwardTo: string): Fault => ({ forwardTo, but: 'half answer' })
const delivered = (forwardTo: string): Fault => ({ forwardTo })

describe('trackLead', () => {
  test('settles a lead', async () => {
    const { program, clickId, customerExternalId, tributary } = await given()
    const lead = await tributary.trackLead({ customerExternalId, clickId, email: 'ada@example.com' })
    const [stored] = await leadsOf(service, program.id)
    const settled = {
      leadId: Number(stored?.id),
      customerExternalId,
      clickId,
      creditedBy: 'click' as const,
      duplicate: false,
      provisional: false,
    }
    expect(lead).toEqual(settled)
    expect(await countsOf(service, { programId: program.id })).toMatchObject({ leads: 1 })
    expect(await tributary.trackLead({ customerExternalId })).toEqual({ ...settled, duplicate: true })
  })

  test('counts once if its response is lost', async () => {
    const { program, clickId, customerExternalId } = await given()
    const { tributary, server } = await givenFaultyProxy(program.key, lost, truncated, delivered)
    const lead = await tributary.trackLead({ customerExternalId, clickId })
    expect(lead).toMatchObject({ customerExternalId, duplicate: true })
    expect(server.requests.length).toBe(3)
    expect(await countsOf(service, { programId: program.id })).toMatchObject({ leads: 1 })
  })

  test('rejects without a click for an unknown customer, and nothing is recorded', async () => {
    const { tributary } = await given()
    const before = await everythingOf(service)
    const error = await caught<TributaryError>(() => tributary.trackLead({ customerExternalId: unique('unknown') }))
    expect(error).toBeInstanceOf(TributaryError)
    expect(error).toMatchObject({ code: 'customer_unknown', status: 400, attempts: 1 })
    expect(error.requestId).toBeString()
    expect(await everythingOf(service)).toEqual(before)
  })

  test('in test mode creates a test event and no lead', async () => {
    const { program, customerExternalId, tributary } = await given()
    const additionalData = { test_mode: true, program_id: program.id } as const
    const result = await tributary.trackLead({ customerExternalId, additionalData })
    const [event] = await testEventsOf(service, program.id)
    expect(result).toMatchObject({ test: true, programId: program.id, eventId: Number(event?.id) })
    expect(result.message).toContain('Test lead received')
    expect(await leadsOf(service, program.id)).toEqual([])
  })

  test('with an invalid key rejects with invalid_api_key', async () => {
    const tributary = new Tributary({ apiKey: 'trk_wrong_key', baseUrl: service.url })
    const error = await caught<TributaryError>(() => tributary.trackLead({ customerExternalId: 'a', clickId: '1_b' }))
    expect(error).toMatchObject({ code: 'invalid_api_key', status: 401 })
  })
})

describe('trackSale', () => {
  const givenLead = async () => {
    const all = await given()
    await all.tributary.trackLead({ customerExternalId: all.customerExternalId, clickId: all.clickId })
    const sale = { customerExternalId: all.customerExternalId, amount: 4900, invoiceId: unique('inv'), currency: 'EUR' }
    return { ...all, sale }
  }

  test('is attributed and stored with all its fields', async () => {
    const { program, tributary, sale } = await givenLead()
    const more = { eventName: 'Pro plan', subscriptionId: 'sub_1', metadata: { seats: 3 } }
    const result = await tributary.trackSale({ ...sale, ...more })
    const [stored] = await salesOf(service, program.id)
    expect(stored).toMatchObject({ invoiceId: sale.invoiceId, currency: 'EUR', ...more })
    const [commission] = await program.commissions()
    expect(commission).toMatchObject({ amountCents: 490, currency: 'EUR' })
    const saleId = Number(stored?.id)
    expect(result).toEqual({
      duplicate: false,
      saleId,
      attributed: true,
      reason: null,
      creditedBy: 'click',
      commissionId: commission.id,
    })
  })

  test('of a customer without a lead is attributed by the click', async () => {
    const { clickId, tributary } = await given()
    const result = await tributary.trackSale({ clickId, amount: 100, invoiceId: unique('inv') })
    expect(result).toMatchObject({ attributed: true })
  })

  test('of an unknown customer is stored without attribution', async () => {
    const { tributary, customerExternalId } = await given()
    const result = await tributary.trackSale({ customerExternalId, amount: 100, invoiceId: unique('inv') })
    expect(result).toMatchObject({ attributed: false, reason: 'customer_unknown', commissionId: null })
  })

  test('is recorded once if its response is lost, and the call succeeds', async () => {
    const { program, sale } = await givenLead()
    const { tributary, server } = await givenFaultyProxy(program.key, lost, delivered)
    const result = await tributary.trackSale(sale)
    const sales = await salesOf(service, program.id)
    expect(result).toEqual({ duplicate: true, saleId: Number(sales[0]?.id) })
    expect([sales.length, server.requests.length]).toEqual([1, 2])
    expect((await program.commissions()).length).toBe(1)
  })

  test('sent twice concurrently is recorded once', async () => {
    const { program, tributary, sale } = await givenLead()
    const results = await Promise.all([tributary.trackSale(sale), tributary.trackSale(sale)])
    expect(results.map(({ duplicate }) => duplicate).toSorted()).toEqual([false, true])
    expect(new Set(results.map(({ saleId }) => saleId)).size).toBe(1)
    expect((await salesOf(service, program.id)).length).toBe(1)
  })

  test('with the invoice ID of another sale is an error that names it', async () => {
    const { tributary, sale } = await givenLead()
    const first = await tributary.trackSale(sale)
    const error = await caught<TributaryError>(() => tributary.trackSale({ ...sale, amount: 9900 }))
    expect(error).toMatchObject({ code: 'duplicate_invoice', status: 409, field: 'invoice_id', saleId: first.saleId })
  })
})

describe('trackRefund', () => {
  const givenSale = async () => {
    const all = await given()
    const { customerExternalId, clickId, tributary } = all
    await tributary.trackLead({ customerExternalId, clickId })
    const invoiceId = unique('inv')
    const { saleId } = await tributary.trackSale({ customerExternalId, amount: 10_000, invoiceId })
    return { ...all, invoiceId, saleId }
  }

  test('reverses a part and then the rest', async () => {
    const { tributary, invoiceId, saleId } = await givenSale()
    const part = { invoiceId, amount: 3_000, refundId: 'r1', reason: 'one of three' }
    const answer = { saleId, refundId: 'r1', refundedAmount: 3_000, reversedAmount: 300, duplicate: false }
    expect(await tributary.trackRefund(part)).toMatchObject(answer)
    expect(await tributary.trackRefund(part)).toMatchObject({ ...answer, duplicate: true })
    const rest = { refundedAmount: 10_000, reversedAmount: 1_000, duplicate: false }
    expect(await tributary.trackRefund({ invoiceId })).toMatchObject(rest)
    expect(await tributary.trackRefund({ invoiceId })).toMatchObject({ ...rest, duplicate: true })
  })

  test('of a part without an ID counts once if its response is lost', async () => {
    const { program, invoiceId } = await givenSale()
    const { tributary, server } = await givenFaultyProxy(program.key, lost, truncated, delivered)
    const result = await tributary.trackRefund({ invoiceId, amount: 2_000 })
    expect(result).toMatchObject({ refundedAmount: 2_000, reversedAmount: 200, duplicate: true })
    expect(server.requests.length).toBe(3)
  })

  test('of two equal parts without IDs counts twice, because they are separate calls', async () => {
    const { tributary, invoiceId } = await givenSale()
    await tributary.trackRefund({ invoiceId, amount: 2_000 })
    expect(await tributary.trackRefund({ invoiceId, amount: 2_000 })).toMatchObject({ refundedAmount: 4_000 })
  })

  test('of an unknown invoice rejects with sale_not_found', async () => {
    const { tributary } = await given()
    const error = await caught<TributaryError>(() => tributary.trackRefund({ invoiceId: 'never' }))
    expect(error).toMatchObject({ code: 'sale_not_found', status: 404, field: 'invoice_id' })
  })
})

test('sends the API key as a bearer token and identifies itself in the user agent', async () => {
  const program = await givenProgram(service)
  const { tributary, server } = await givenFaultyProxy(program.key, delivered)
  await tributary.trackSale({ customerExternalId: unique('user'), amount: 1, invoiceId: unique('inv') })
  expect(server.requests[0]).toMatchObject({
    path: '/api/v1/track/sale',
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
  })
  expect(server.requests[0]?.headers['user-agent']).toStartWith('tributary-sdk/')
})
