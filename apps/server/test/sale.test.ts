import { describe, expect, test } from 'bun:test'
import { saleAnswer } from '@tributary/contract'
import { expectRefusal, givenClick, givenProgram, type TestProgram } from './support/given.ts'
import { countsOf, customerOf, everythingOf, leadsOf, salesOf } from './support/records.ts'
import { DAY_MS, startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
/** For tests that advance the clock. */
const later = await startTestService()

const givenCustomer = async (program: TestProgram, customerKey = 'user-1') => {
  const clickId = await givenClick(service, program.link)
  await program.lead({ customer_key: customerKey, click_id: clickId })
  return clickId
}

describe('a sale', () => {
  test('of a known customer is attributed and counted', async () => {
    const program = await givenProgram(service, { currency: 'EUR' })
    const clickId = await givenCustomer(program)
    const { status, body } = await program.sale({ customer_key: 'user-1', amount: 4999, invoice_id: 'in-1' })
    expect(status).toBe(200)
    const [sale] = await salesOf(service, program.id)
    expect(saleAnswer.parse(body)).toEqual({
      success: true,
      sale_id: sale?.id as number,
      attributed: true,
      credited_by: 'click',
      commission_id: null,
    })
    expect(sale).toMatchObject({
      clickId,
      linkId: program.link.id,
      partnerId: program.link.partnerId,
      amountCents: 4999,
      currency: 'EUR',
      reason: null,
    })
    expect((await countsOf(service, { linkId: program.link.id })).sales).toBe(1)
    expect(await customerOf(service, clickId)).toMatchObject({ customerStatus: 'customer' })
  })

  test('stores currency, event_name, subscription_id and metadata', async () => {
    const program = await givenProgram(service)
    const metadata = { plan: 'pro', nested: { seats: 3 }, odd: 'a\u0000b\ud800' }
    const { status } = await program.sale({
      customer_key: 'user-1',
      amount: 1,
      invoice_id: 'in-1',
      currency: 'jpy',
      event_name: 'renewal',
      subscription_id: 'sub-1',
      metadata,
    })
    expect(status).toBe(200)
    expect(await salesOf(service, program.id)).toMatchObject([
      {
        currency: 'JPY',
        eventName: 'renewal',
        subscriptionId: 'sub-1',
        metadata: { plan: 'pro', nested: { seats: 3 } },
      },
    ])
  })

  test('known by click_id only is attributed if the click is valid; the lead state does not change', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    await service.call('POST', '/api/v1/track/lead', { click_id: clickId })
    const { body } = await program.sale({ click_id: clickId, amount: 100, invoice_id: 'in-1' })
    expect(body).toMatchObject({ attributed: true })
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'provisional' }])
    expect(await customerOf(service, clickId)).toMatchObject({ customerStatus: 'click', customerKey: null })
  })

  test('treats an empty customer_key or click_id as missing', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(service, program.link)
    const byClick = await program.sale({ customer_key: '', click_id, amount: 1, invoice_id: 'in-1' })
    expect(byClick.body).toMatchObject({ attributed: true })
    await program.lead({ customer_key: 'user-1', click_id })
    const byKey = await program.sale({
      customer_key: 'user-1',
      click_id: '',
      subscription_id: '',
      amount: 1,
      invoice_id: 'in-2',
    })
    expect(byKey.body).toMatchObject({ attributed: true })
  })

  test('does not settle a provisional lead, whatever it names', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    await service.call('POST', '/api/v1/track/lead', { click_id: clickId, customer_key: 'user-1' })
    await program.sale({ click_id: clickId, customer_key: 'user-1', amount: 100, invoice_id: 'in-1' })
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'provisional' }])
    expect((await countsOf(service, { programId: program.id })).leads).toBe(0)
  })

  test('of an unknown customer is stored: attributed false, reason customer_unknown', async () => {
    const program = await givenProgram(service)
    const { status, body } = await program.sale({ customer_key: 'nobody', amount: 100, invoice_id: 'in-1' })
    expect(status).toBe(200)
    expect(saleAnswer.parse(body)).toMatchObject({ attributed: false, reason: 'customer_unknown', commission_id: null })
    expect(await salesOf(service, program.id)).toMatchObject([{ clickId: null, reason: 'customer_unknown' }])
    expect((await countsOf(service, { programId: program.id })).sales).toBe(0)
  })

  test('with a click that is unknown, of another program or expired is stored and not credited', async () => {
    const [program, other] = [await givenProgram(later, { cookieWindowDays: 5 }), await givenProgram(later)]
    const [own, foreign] = [await givenClick(later, program.link), await givenClick(later, other.link)]
    expect((await program.sale({ click_id: 'forged', amount: 1, invoice_id: 'in-1' })).body).toMatchObject({
      attributed: false,
      reason: 'click_not_found',
    })
    expect((await program.sale({ click_id: foreign, amount: 1, invoice_id: 'in-2' })).body).toMatchObject({
      attributed: false,
      reason: 'click_not_found',
    })
    later.clock.advance(5 * DAY_MS + 1)
    expect((await program.sale({ click_id: own, amount: 1, invoice_id: 'in-3' })).body).toMatchObject({
      attributed: false,
      reason: 'click_expired',
    })
    expect(await salesOf(later, other.id)).toHaveLength(0)
  })

  test('of a settled customer is attributed long after the attribution window', async () => {
    const program = await givenProgram(later, { cookieWindowDays: 5 })
    await program.lead({ customer_key: 'user-1', click_id: await givenClick(later, program.link) })
    later.clock.advance(400 * DAY_MS)
    expect((await program.sale({ customer_key: 'user-1', amount: 1, invoice_id: 'in-1' })).body).toMatchObject({
      attributed: true,
    })
  })
})

describe('invoice_id', () => {
  test('used a second time: 409 duplicate_invoice with the stored sale_id and whether it is the same request', async () => {
    const program = await givenProgram(service)
    await givenCustomer(program)
    const sale = { customer_key: 'user-1', amount: 100, invoice_id: 'in-1' }
    const first = await program.sale(sale)
    const before = await everythingOf(service)
    const again = await program.sale(sale)
    expectRefusal(again, 409, 'duplicate_invoice')
    expect(again.body).toMatchObject({ sale_id: first.body.sale_id, same_request: true })
    const different = await program.sale({ ...sale, amount: 200 })
    expectRefusal(different, 409, 'duplicate_invoice')
    expect(different.body).toMatchObject({ sale_id: first.body.sale_id, same_request: false })
    expect(await everythingOf(service)).toEqual(before)
  })

  test('is the same in every spelling', async () => {
    const program = await givenProgram(service)
    await program.sale({ customerExternalId: 'user-1', amount_cents: 100, invoiceId: 'in-1' })
    const again = await program.sale({ customer_key: 'user-1', amount: 100, transaction_id: 'in-1' })
    expectRefusal(again, 409, 'duplicate_invoice')
    expect(again.body.same_request).toBe(true)
  })

  test('is unique per program: two programs may use the same', async () => {
    const [one, two] = [await givenProgram(service), await givenProgram(service)]
    for (const program of [one, two])
      expect((await program.sale({ customer_key: 'u', amount: 100, invoice_id: 'shared' })).status).toBe(200)
  })

  test('stays used forever', async () => {
    const program = await givenProgram(later)
    await program.sale({ customer_key: 'u', amount: 100, invoice_id: 'in-1' })
    later.clock.advance(3_000 * DAY_MS)
    expectRefusal(await program.sale({ customer_key: 'u', amount: 100, invoice_id: 'in-1' }), 409, 'duplicate_invoice')
  })

  test('of a failed call stays free', async () => {
    const program = await givenProgram(service)
    expectRefusal(await program.sale({ customer_key: 'u', amount: 0, invoice_id: 'in-1' }), 400, 'invalid_amount')
    expect((await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'in-1' })).status).toBe(200)
  })
})

describe('a rejected sale records nothing:', () => {
  const sale = { customer_key: 'user-1', amount: 100, invoice_id: 'in-1' }
  const amounts = [0, -1, 1.5, '100', '', null, undefined, true, [], {}, 1e12 + 1, 1e300]
  const refusals: [string, object, string][] = [
    ...amounts.map((amount): [string, object, string] => [
      `amount ${JSON.stringify(amount)}`,
      { ...sale, amount },
      'invalid_amount',
    ]),
    ['no invoice_id', { ...sale, invoice_id: undefined }, 'missing_invoice_id'],
    ['empty invoice_id', { ...sale, invoice_id: '' }, 'missing_invoice_id'],
    ['invoice_id is a number', { ...sale, invoice_id: 7 }, 'invalid_request'],
    ['invoice_id too long', { ...sale, invoice_id: 'i'.repeat(256) }, 'invalid_request'],
    ['invoice_id with NUL', { ...sale, invoice_id: 'a\u0000' }, 'invalid_request'],
    ['neither customer_key nor click_id', { ...sale, customer_key: undefined }, 'missing_customer_key'],
    ['both of them empty', { ...sale, customer_key: '', click_id: '' }, 'missing_customer_key'],
    ['currency of four letters', { ...sale, currency: 'EURO' }, 'invalid_currency'],
    ['a currency that does not exist', { ...sale, currency: 'QQQ' }, 'invalid_currency'],
    ['a code that is not a currency', { ...sale, currency: 'XXX' }, 'invalid_currency'],
    ['a currency of letters that only become Latin ones', { ...sale, currency: 'ſek' }, 'invalid_currency'],
    ['metadata is not an object', { ...sale, metadata: 'x' }, 'invalid_request'],
    ['metadata above 8 KiB', { ...sale, metadata: { x: 'y'.repeat(9_000) } }, 'invalid_request'],
    ['additional_data is not an object', { ...sale, additional_data: 'x' }, 'invalid_request'],
    ['two spellings with different values', { ...sale, invoiceId: 'in-2' }, 'conflicting_fields'],
    ['a test marked outside of additional_data', { ...sale, test_mode: true }, 'invalid_request'],
    ['a test marked by another name', { ...sale, additionalData: { testMode: true } }, 'invalid_request'],
  ]
  for (const [name, body, code] of refusals)
    test(`400 ${code}: ${name}`, async () => {
      const program = await givenProgram(service)
      const before = await everythingOf(service)
      expectRefusal(await program.sale(body), 400, code)
      expect(await everythingOf(service)).toEqual(before)
    })

  test('the largest amount is accepted to the cent', async () => {
    const program = await givenProgram(service)
    await program.sale({ ...sale, amount: 1e12 })
    expect((await salesOf(service, program.id))[0]?.amountCents).toBe(1_000_000_000_000)
  })
})
