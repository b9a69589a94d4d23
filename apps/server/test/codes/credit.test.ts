import { describe, expect, test } from 'bun:test'
import { leadAnswer, saleAnswer } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { customerOf, everythingOf } from '../support/records.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { givenCodes } from './given-codes.ts'

const service = await givenService()
const given = (settings: Parameters<typeof givenCodes>[1] = {}) => givenCodes(service, settings)
const customer = () => unique('customer')

describe('a sale with a promotion code', () => {
  test('of an unknown customer is credited to its owner without a click, and pays', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const sold = await program.sell({ customer_key: customer(), promotion_code: 'sam20' })
    expect(saleAnswer.parse(sold)).toMatchObject({ attributed: true, credited_by: 'code' })
    expect(sold.commission_id).toBeNumber()
    expect(await program.sales()).toMatchObject([
      { creditedBy: 'code', codeId: id, promotionCode: 'sam20', linkId: null, partnerId: program.partnerId },
    ])
    expect(await program.commissions()).toMatchObject([{ amountCents: 1_000, partnerId: program.partnerId }])
    expect(await program.code(id)).toMatchObject({
      uses: 1,
      revenue: [{ currency: 'USD', amountCents: 10_000 }],
      commissions: [{ currency: 'USD', amountCents: 1_000 }],
    })
    expect(await program.verify()).toEqual([])
  })

  test.each(['promotion_code', 'promotionCode', 'coupon_code'])('may call it %s', async (name) => {
    const program = await given()
    await program.assigned({ code: 'SAM20' })
    expect(await program.sell({ customer_key: customer(), [name]: 'SAM20' })).toMatchObject({ credited_by: 'code' })
  })

  test('binds the customer: renewals stay with the partner, also after the code is disabled', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const customer_key = customer()
    await program.sell({ customer_key, promotion_code: 'SAM20' })
    await program.changed(id, { active: false })
    expect(await program.sell({ customer_key })).toMatchObject({ attributed: true, credited_by: 'code' })
    expect(await program.code(id)).toMatchObject({ active: false, uses: 1, revenue: [{ amountCents: 20_000 }] })
    expect(await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })).toMatchObject({
      attributed: false,
      credited_by: null,
      reason: 'code_disabled',
    })
    expect(await program.verify()).toEqual([])
  })

  test('that nobody owns is recorded with the reason code_unknown', async () => {
    const program = await given()
    const invoice_id = unique('invoice')
    expect(await program.sell({ customer_key: customer(), promotion_code: 'NOBODY', invoice_id })).toMatchObject({
      attributed: false,
      credited_by: null,
      reason: 'code_unknown',
      commission_id: null,
    })
    expect(await program.sales()).toMatchObject([
      { state: 'uncredited', reason: 'code_unknown', promotionCode: 'NOBODY' },
    ])
    expect((await program.explain(invoice_id)).facts.codes).toEqual([
      { code: 'NOBODY', partnerId: null, partnerName: null, why: 'code_unknown' },
    ])
  })

  test.each(['pending', 'rejected', 'suspended'])('of a %s partner is not credited', async (status) => {
    const program = await given()
    await program.assigned({ code: 'SAM20' })
    await service.db.updateTable('partners').set({ status }).where('id', '=', program.partnerId).execute()
    expect(await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })).toMatchObject({
      attributed: false,
      reason: 'partner_not_approved',
    })
  })

  test('used by a customer who had paid before is not credited', async () => {
    const program = await given()
    await program.assigned({ code: 'SAM20' })
    const customer_key = customer()
    await program.sell({ customer_key })
    expect(await program.sell({ customer_key, promotion_code: 'SAM20' })).toMatchObject({
      attributed: false,
      credited_by: null,
      reason: 'existing_customer',
    })
    expect(await program.sell({ customer_key })).toMatchObject({ reason: 'customer_unknown' })
    expect(await program.commissions()).toEqual([])
  })

  test('of a customer who belongs to another partner stays with that partner; explain shows both', async () => {
    const program = await given()
    const other = await program.otherPartner()
    await program.assigned({ code: 'OTHER', partnerId: other })
    const customer_key = await program.customer()
    const invoice_id = unique('invoice')
    expect(await program.sell({ customer_key, promotion_code: 'OTHER', invoice_id })).toMatchObject({
      credited_by: 'click',
    })
    const { facts, steps } = await program.explain(invoice_id)
    expect(facts.codes).toMatchObject([{ code: 'OTHER', partnerId: other, why: 'bound_customer' }])
    expect(facts.clicks).toMatchObject([{ partnerId: program.partnerId, why: null }])
    const lost = steps.find(({ code }: { code: string }) => code === 'bound_customer' && code)
    expect(lost).toBeDefined()
    expect(steps.flatMap(({ parts }: { parts: object[] }) => parts)).toContainEqual({ type: 'code', text: 'OTHER' })
  })

  test('and a click within the window follows codePrecedence', async () => {
    const program = await given()
    const other = await program.otherPartner()
    await program.assigned({ code: 'OTHER', partnerId: other })
    const both = async () => {
      const invoice_id = unique('invoice')
      const body = {
        customer_key: customer(),
        click_id: await givenClick(service, program.link),
        promotion_code: 'OTHER',
      }
      return { invoice_id, answer: await program.sell({ ...body, invoice_id }) }
    }
    const byLink = await both()
    expect(byLink.answer).toMatchObject({ credited_by: 'click' })
    expect((await program.explain(byLink.invoice_id)).facts.codes).toMatchObject([
      { code: 'OTHER', why: 'click_first' },
    ])
    const { status } = await program.owner.call('PATCH', program.api, { codePrecedence: 'code' })
    expect(status).toBe(200)
    const byCode = await both()
    expect(byCode.answer).toMatchObject({ credited_by: 'code' })
    const { facts } = await program.explain(byCode.invoice_id)
    expect(facts.codes).toMatchObject([{ code: 'OTHER', partnerId: other, why: null }])
    expect(facts.clicks).toMatchObject([{ partnerId: program.partnerId, why: 'code_first' }])
    expect(await program.verify()).toEqual([])
  })

  test('and a click outside the window is credited to the code', async () => {
    const program = await given({ cookieWindowDays: 1 })
    await program.assigned({ code: 'SAM20' })
    const click_id = await givenClick(service, program.link)
    service.clock.advance(2 * DAY_MS)
    const invoice_id = unique('invoice')
    expect(
      await program.sell({ customer_key: customer(), click_id, promotion_code: 'SAM20', invoice_id }),
    ).toMatchObject({
      credited_by: 'code',
    })
    expect((await program.explain(invoice_id)).facts.clicks).toMatchObject([{ why: 'outside_window' }])
  })

  test('that is reassigned between two payments counts for each one’s moment', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const other = await program.otherPartner()
    const [first, second] = [customer(), customer()]
    await program.sell({ customer_key: first, promotion_code: 'SAM20' })
    await program.changed(id, { partnerId: other })
    await program.sell({ customer_key: second, promotion_code: 'SAM20' })
    await program.sell({ customer_key: first, promotion_code: 'SAM20' })
    const partners = (await program.sales()).map(({ partnerId }: { partnerId: number }) => partnerId)
    expect(partners).toEqual([program.partnerId, other, program.partnerId])
  })

  test('of another workspace, or of another program with the same text, is credited by the own program only', async () => {
    const [program, sibling, foreign] = [await given(), await given(), await given()]
    await service.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [program.workspaceId, sibling.id])
    await sibling.assigned({ code: 'SAM20' }).catch(() => null)
    await foreign.assigned({ code: 'SAM20' })
    expect(await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })).toMatchObject({
      reason: 'code_unknown',
    })
    const own = await program.assigned({ code: 'sam20' })
    expect(await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })).toMatchObject({
      credited_by: 'code',
    })
    expect(await program.sales()).toContainEqual(
      expect.objectContaining({ partnerId: program.partnerId, codeId: own.id }),
    )
  })

  test('of a new customer, sent several times at once, binds the customer once and pays each invoice once', async () => {
    const program = await given()
    await program.assigned({ code: 'SAM20' })
    const customer_key = customer()
    const invoices = [unique('invoice'), unique('invoice'), unique('invoice')]
    const call = (invoice_id: string) =>
      program.sale({ customer_key, promotion_code: 'SAM20', amount: 10_000, invoice_id })
    const answers = await Promise.all([...invoices, ...invoices, ...invoices].map(call))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6)
    const sales = await program.sales()
    expect(new Set(sales.map(({ customerId }: { customerId: string }) => customerId)).size).toBe(1)
    expect(sales.map(({ creditedBy }: { creditedBy: string }) => creditedBy)).toEqual(['code', 'code', 'code'])
    expect(await program.commissions()).toHaveLength(3)
    expect(await program.verify()).toEqual([])
  })

  test.each([
    ['of 65 characters', 'x'.repeat(65)],
    ['with spaces', 'SAM 20'],
    ['with an emoji', 'SAM😀'],
    ['that is a number', 20],
  ])('%s is refused, and nothing is recorded', async (_, promotion_code) => {
    const program = await given()
    const before = await everythingOf(service)
    const body = { customer_key: customer(), promotion_code }
    const refused = await program.sale({ ...body, amount: 100, invoice_id: unique('invoice') })
    expectRefusal(refused, 400, 'invalid_request')
    expect(refused.body.error.field).toBe('promotion_code')
    expectRefusal(await program.lead(body), 400, 'invalid_request')
    expect(await everythingOf(service)).toEqual(before)
  })

  test('of a repeated call is part of the request', async () => {
    const program = await given()
    const body = { customer_key: customer(), promotion_code: 'SAM20', amount: 100, invoice_id: unique('invoice') }
    await program.sale(body)
    expect((await program.sale(body)).body.error.same_request).toBe(true)
    expect((await program.sale({ ...body, promotion_code: 'OTHER' })).body.error.same_request).toBe(false)
  })
})

describe('a lead with a promotion code', () => {
  test('and no click settles, counts and pays', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const customer_key = customer()
    const { status, body } = await program.lead({ customer_key, promotion_code: 'SAM20' })
    expect(status).toBe(200)
    expect(leadAnswer.parse(body)).toEqual({
      success: true,
      lead_id: body.lead_id,
      customer_key,
      credited_by: 'code',
    })
    expect(await program.commissions()).toMatchObject([
      { kind: 'lead', amountCents: 500, partnerId: program.partnerId },
    ])
    expect(await program.sell({ customer_key })).toMatchObject({ attributed: true, credited_by: 'code' })
    expect((await program.lead({ customer_key, promotion_code: 'SAM20' })).body).toEqual({ ...body, duplicate: true })
    expect(await program.code(id)).toMatchObject({ uses: 0, commissions: [{ amountCents: 1_500 }] })
    const customers = (await program.owner.call('GET', `${program.api}/customers`)).body.data
    expect(customers).toMatchObject([{ customerKey: customer_key, creditedBy: 'code', code: 'SAM20', sales: 1 }])
    expect(await program.verify()).toEqual([])
  })

  test('sent twice at once settles once', async () => {
    const program = await given()
    await program.assigned({ code: 'SAM20' })
    const body = { customer_key: customer(), promotion_code: 'SAM20' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => program.lead(body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.lead_id)).size).toBe(1)
    expect(await program.commissions()).toHaveLength(1)
  })

  test('that nobody owns and no click is refused, and nothing is recorded', async () => {
    const program = await given()
    const before = await everythingOf(service)
    const refused = await program.lead({ customer_key: customer(), promotion_code: 'NOBODY' })
    expectRefusal(refused, 400, 'customer_unknown')
    expect(await everythingOf(service)).toEqual(before)
  })

  test('that nobody owns and a click is credited to the click', async () => {
    const program = await given()
    const click_id = await givenClick(service, program.link)
    const { body } = await program.lead({ customer_key: customer(), click_id, promotion_code: 'NOBODY' })
    expect(body).toMatchObject({ click_id, credited_by: 'click' })
  })

  test('and a click of another partner follows codePrecedence', async () => {
    const program = await given()
    const other = await givenLink(service, program.id)
    await program.assigned({ code: 'SAM20' })
    const body = async () => ({
      customer_key: customer(),
      click_id: await givenClick(service, other),
      promotion_code: 'SAM20',
    })
    expect((await program.lead(await body())).body).toMatchObject({ credited_by: 'click' })
    await program.owner.call('PATCH', program.api, { codePrecedence: 'code' })
    const request = await body()
    const { body: answer } = await program.lead(request)
    expect(answer).toMatchObject({ credited_by: 'code' })
    expect(answer.click_id).toBeUndefined()
    // The click stays open for its visitor.
    expect(await customerOf(service, request.click_id)).toMatchObject({ customerStatus: 'click', customerKey: null })
  })

  test('before a click still names the visitor, so many leads from one are reviewed', async () => {
    const program = await given()
    await program.owner.call('PATCH', program.api, { codePrecedence: 'code' })
    await program.assigned({ code: 'SAM20' })
    for (let count = 0; count < 6; count++) {
      const click_id = await givenClick(service, program.link)
      const { body } = await program.lead({ customer_key: customer(), click_id, promotion_code: 'SAM20' })
      expect(body).toMatchObject({ credited_by: 'code' })
    }
    const states = (await program.commissions()).map(({ reviewReason }: { reviewReason: string }) => reviewReason)
    expect(states).toEqual(['many_leads_from_one_visitor', null, null, null, null, null])
  })

  test('after a sale with the code is the same customer: it counts and pays once', async () => {
    const program = await given()
    await program.assigned({ code: 'SAM20' })
    const customer_key = customer()
    await program.sell({ customer_key, promotion_code: 'SAM20' })
    expect((await program.commissions()).map(({ kind }: { kind: string }) => kind)).toEqual(['sale'])
    const answers = await Promise.all([1, 2, 3].map(() => program.lead({ customer_key })))
    expect(answers.map(({ status, body }) => [status, body.credited_by])).toEqual([
      [200, 'code'],
      [200, 'code'],
      [200, 'code'],
    ])
    expect((await program.commissions()).filter(({ kind }: { kind: string }) => kind === 'lead')).toHaveLength(1)
    expect(await program.verify()).toEqual([])
  })

  test('from a browser is ignored, because anyone can type one', async () => {
    const program = await given({ leadAuth: 'browser_allowed' })
    const other = await program.otherPartner()
    await program.assigned({ code: 'OTHER', partnerId: other })
    await program.owner.call('PATCH', program.api, { codePrecedence: 'code' })
    const click_id = await givenClick(service, program.link)
    const body = { customer_key: customer(), click_id, promotion_code: 'OTHER' }
    expect((await service.call('POST', '/api/v1/track/lead', body)).status).toBe(200)
    expect(await program.commissions()).toMatchObject([{ partnerId: program.partnerId }])
    const alone = { customer_key: customer(), promotion_code: 'OTHER' }
    expectRefusal(await service.call('POST', '/api/v1/track/lead', alone), 400, 'click_not_found')
  })
})
