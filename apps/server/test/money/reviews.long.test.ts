import { describe, expect, test } from 'bun:test'
import { auditEntry, reviewCount } from '@tributary/contract'
import { click, expectRefusal, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const review = (program: PayingProgram, id: number, body: object) =>
  program.owner.call('POST', `${program.api}/commissions/${id}/review`, body)

describe('a commission is held for review', () => {
  test('if the customer’s email address is the partner’s own, for the lead and for every sale', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const partner = `${program.api}/partners/${program.link.partnerId}`
    await program.owner.call('PATCH', partner, { email: 'me@example.com' })
    const click_id = await givenClick(service, program.link)
    await program.lead({ click_id, customer_key: 'self', email: ' Me@Example.com' })
    await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: 'in-1' })
    expect(await program.commissions()).toMatchObject([
      { kind: 'sale', state: 'review', reviewReason: 'customer_is_partner' },
      { kind: 'lead', state: 'review', reviewReason: 'customer_is_partner' },
    ])
    expect(await program.balance()).toMatchObject({ payableCents: 0, heldCents: 0, reviewCents: 200 })
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
  })

  test('if one visitor creates more than five leads in a day', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (let leads = 0; leads < 7; leads++) await program.customer()
    const states = (await program.commissions()).map(({ state }: { state: string }) => state)
    expect(states).toEqual(['review', 'review', 'payable', 'payable', 'payable', 'payable', 'payable'])
  })

  test('if the leads come from different addresses of one IPv6 /64, or from one IPv4 address in two spellings', async () => {
    const behindProxy = await startTestService({ trustedProxies: ['127.0.0.1'] })
    const addresses = {
      review: [1, 2, 3, 4, 5, 6].map((host) => `2001:db8:1:2:${host}::${host}`),
      payable: [1, 2, 3, 4, 5, 6].map((network) => `2001:db8:1:${network}::1`),
      mapped: ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '192.0.2.7', '192.0.2.7', '::ffff:192.0.2.7'],
    }
    for (const [name, forwarded] of Object.entries(addresses)) {
      const program = await givenPayingProgram(behindProxy, REWARD)
      for (const address of forwarded) {
        const body = { affiliate_url: program.link.url }
        const { click_id } = (await click(behindProxy, body, { 'x-forwarded-for': address })).body
        await program.lead({ click_id, customer_key: unique('customer') })
      }
      const [newest, ...others] = (await program.commissions()).map(({ state }: { state: string }) => state)
      expect({ name, newest }).toEqual({ name, newest: name === 'payable' ? 'payable' : 'review' })
      expect(others).toEqual(others.map(() => 'payable'))
    }
  })

  test('and then released or rejected once, with a reason that is stored', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (let leads = 0; leads < 7; leads++) await program.customer()
    const [second, first] = await program.commissions()
    expectRefusal(await review(program, first.id, { decision: 'released' }), 400, 'invalid_request')
    expect((await review(program, first.id, { decision: 'released', reason: 'an office' })).body.data).toMatchObject({
      state: 'payable',
    })
    expect((await review(program, second.id, { decision: 'rejected', reason: 'made up' })).body.data).toMatchObject({
      state: 'reversed',
      reversedCents: 100,
    })
    for (const { id } of [first, second])
      expectRefusal(await review(program, id, { decision: 'released', reason: 'again' }), 409, 'conflict')
    expectRefusal(await review(program, 999_999, { decision: 'released', reason: 'x' }), 404, 'not_found')
    expect(await program.balance()).toMatchObject({ payableCents: 600, reviewCents: 0 })
    const { data } = (await program.owner.call('GET', `${program.api}/audit`)).body
    expect(data.map((entry: unknown) => auditEntry.parse(entry).action)).toEqual([
      'commission rejected',
      'commission approved',
      'reward terms changed',
    ])
  })

  test('and a refund meanwhile reduces it', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, lead: null })
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { email: 'me@example.com' })
    await program.lead({
      click_id: await givenClick(service, program.link),
      customer_key: 'self',
      email: 'me@example.com',
    })
    const { body } = await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: 'in-1' })
    await program.refund({ invoice_id: 'in-1', amount: 400 })
    expect(await program.balance()).toMatchObject({ reviewCents: 60 })
    await review(program, body.commission_id, { decision: 'released', reason: 'fine' })
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 60 })
  })
})

describe('the count of commissions in review', () => {
  const counted = async ({ owner, api }: PayingProgram) => {
    const { status, body } = await owner.call('GET', `${api}/commissions/review-count`)
    expect(status).toBe(200)
    return reviewCount.parse(body.data)
  }

  /** New commissions of a suspended partner go to review. */
  const givenSuspended = async () => {
    const program = await givenPayingProgram(service, REWARD)
    const customer_key = await program.customer()
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'suspended' })
    const sell = async () => {
      const invoice_id = unique('invoice')
      const { body } = await program.sale({ customer_key, amount: 1_000, invoice_id })
      return { invoice_id, commission_id: body.commission_id as number }
    }
    return { ...program, sell }
  }

  test('falls with each that is released, rejected, voided or refunded in full', async () => {
    const program = await givenSuspended()
    expect(await counted(program)).toEqual({ count: 0, isMore: false })
    const [released, rejected, voided] = [await program.sell(), await program.sell(), await program.sell()]
    const refunded = await program.sell()
    expect(await counted(program)).toEqual({ count: 4, isMore: false })
    await program.refund({ invoice_id: refunded.invoice_id })
    expect(await counted(program)).toEqual({ count: 3, isMore: false })
    await review(program, released.commission_id, { decision: 'released', reason: 'known' })
    expect(await counted(program)).toEqual({ count: 2, isMore: false })
    await review(program, rejected.commission_id, { decision: 'rejected', reason: 'made up' })
    expect(await counted(program)).toEqual({ count: 1, isMore: false })
    await program.owner.call('POST', `${program.api}/commissions/${voided.commission_id}/void`, { reason: 'a test' })
    expect(await counted(program)).toEqual({ count: 0, isMore: false })
  })

  test('stops at 100', async () => {
    const program = await givenSuspended()
    for (let sales = 0; sales < 100; sales += 1) await program.sell()
    expect(await counted(program)).toEqual({ count: 100, isMore: false })
    await program.sell()
    expect(await counted(program)).toEqual({ count: 100, isMore: true })
  })

  test('is for members of the program’s workspace only', async () => {
    const [mine, theirs] = [await givenSuspended(), await givenSuspended()]
    await theirs.sell()
    expectRefusal(await mine.owner.call('GET', `${theirs.api}/commissions/review-count`), 403, 'forbidden')
    expectRefusal(await service.call('GET', `${mine.api}/commissions/review-count`), 401, 'unauthenticated')
    expect(await counted(mine)).toEqual({ count: 0, isMore: false })
  })
})
