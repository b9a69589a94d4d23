import { describe, expect, test } from 'bun:test'
import { REASONS } from '@tributary/contract'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { givenClick, unique } from '../support/given.ts'
import { countsOf, leadsOf, salesOf } from '../support/records.ts'
import { givenService } from '../support/shared-service.ts'
import {
  expectVerified as expectProgramVerified,
  type GivenUnverified as Given,
  givenUnverified,
  IN_REVIEW,
  PAID,
} from './given-unverified.ts'

const service = await givenService()

const given = (reward?: object) => givenUnverified(service, reward)
const expectVerified = (program: Given) => expectProgramVerified(service, program)

describe('a lead settled by the browser', () => {
  test('credits no earlier sale', async () => {
    const program = await given()
    expect(await program.buy()).toMatchObject({ attributed: false, reason: 'customer_unknown' })
    service.clock.advance(1_000)
    expect((await program.signUp()).body).toMatchObject({ lead_id: expect.any(Number) })
    expect(await salesOf(service, program.id)).toMatchObject([{ clickId: null, reason: 'customer_unknown' }])
    expect(await program.commissions()).toEqual([])
    expect((await countsOf(service, { programId: program.id })).sales).toBe(0)
    await expectVerified(program)
  })

  test('credits no payment that was made before it and reported after it', async () => {
    const program = await given()
    const paidAt = service.clock.now()
    service.clock.advance(1_000)
    await program.signUp()
    const attribution = { programId: program.id, customerKey: program.customer_key, clickId: null }
    service.clock.advance(1_000)
    await program.tell(['pi_1'], PAID, attribution, { at: paidAt })
    await program.tell(['pi_1'], { kind: 'refunded_in_all', grossCents: 1_000, currency: 'USD' }, attribution)
    expect(await salesOf(service, program.id)).toMatchObject([{ clickId: null, reason: 'customer_unknown' }])
    await expectVerified(program)
  })

  test('loses a payment that turns out to be older', async () => {
    const program = await given()
    const paidAt = service.clock.now()
    service.clock.advance(1_000)
    await program.signUp()
    service.clock.advance(1_000)
    const attribution = { programId: program.id, customerKey: program.customer_key, clickId: null }
    await program.tell(['pi_1'], PAID, attribution)
    expect(await program.states()).toEqual([IN_REVIEW])
    await program.tell(['pi_1'], { ...PAID, source: 'invoice' }, attribution, { at: paidAt })
    const live = (await salesOf(service, program.id)).filter(({ voidedAt }) => voidedAt === null)
    expect(live).toMatchObject([{ clickId: null }])
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 0 })
    await expectVerified(program)
  })

  test('attributes later sales, and their commissions wait for review', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    expect(await program.buy()).toMatchObject({ attributed: true, commission_id: expect.any(Number) })
    expect(await program.states()).toEqual([IN_REVIEW])
    expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 0 })
    await expectVerified(program)
  })

  test('does not affect a sale whose click the server names', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    await program.sale({ click_id: program.click_id, amount: 10_000, invoice_id: unique('invoice') })
    expect(await program.states()).toEqual([['payable', null]])
  })
})

/** Every way to confirm the customer. */
const CONFIRMATIONS = {
  'a server lead with the same click': (program: Given) => program.confirm(),
  'a server lead with another valid click of the same partner': (program: Given) =>
    program.lead({ customer_key: program.customer_key, click_id: program.another_click_id }),
  'a payment that names the customer and the click': (program: Given) =>
    program.tell(['pi_confirming'], { ...PAID, grossCents: 1 } as ReportBody, {
      programId: program.id,
      customerKey: program.customer_key,
      clickId: program.click_id,
    }),
}

describe('the customer is confirmed by', () => {
  for (const [name, confirm] of Object.entries(CONFIRMATIONS))
    test(`${name}: reviews are released, waiting sales credited, later sales earn`, async () => {
      const program = await given()
      await program.buy({ invoice_id: 'before' })
      service.clock.advance(1_000)
      await program.signUp()
      service.clock.advance(1_000)
      await program.buy({ invoice_id: 'after', amount: 20_000 })
      expect(await program.balance()).toMatchObject({ reviewCents: 2_000, payableCents: 0 })
      await confirm(program)
      expect(await leadsOf(service, program.id)).toMatchObject([
        { settledBy: 'browser', confirmedAt: expect.any(Date), confirmedBy: expect.any(String) },
      ])
      expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 3_000 })
      service.clock.advance(1_000)
      await program.buy({ invoice_id: 'later', amount: 30_000 })
      expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 6_000 })
      expect((await countsOf(service, { programId: program.id })).leads).toBe(1)
      await confirm(program)
      expect(await program.balance()).toMatchObject({ payableCents: 6_000 })
      await expectVerified(program)
    })

  test('a server lead that answers as a duplicate, every time', async () => {
    const program = await given()
    const { lead_id } = (await program.signUp()).body
    const { customer_key, click_id } = program
    for (let calls = 0; calls < 2; calls++)
      expect((await program.confirm()).body).toEqual({
        success: true,
        lead_id,
        credited_by: 'click',
        customer_key,
        click_id,
        duplicate: true,
      })
    const decisions = await service.db
      .selectFrom('decisions')
      .select('reason')
      .where('programId', '=', program.id)
      .where('rule', '=', 'confirmation')
      .execute()
    expect(decisions).toEqual([{ reason: 'customer_confirmed' }])
  })

  test('a server lead before the first sale', async () => {
    const program = await given()
    await program.signUp()
    await program.confirm()
    service.clock.advance(1_000)
    await program.buy()
    expect(await program.states()).toEqual([['payable', null]])
  })
})

/** The customer clicks a link of the same partner after the sales, and the confirmation names that click. */
const LATER_CLICK = {
  'a server lead': (program: Given, click_id: string) => program.lead({ customer_key: program.customer_key, click_id }),
  'a payment': (program: Given, clickId: string) =>
    program.tell(['pi_later'], { ...PAID, grossCents: 1 } as ReportBody, {
      programId: program.id,
      customerKey: program.customer_key,
      clickId,
    }),
}

describe('a later click of the customer, named by', () => {
  for (const [name, confirm] of Object.entries(LATER_CLICK))
    test(`${name}, pays for no earlier sale; sales after it earn`, async () => {
      const program = await given()
      const attribution = { programId: program.id, customerKey: program.customer_key, clickId: null }
      await program.buy({ invoice_id: 'inv-early' })
      await program.tell(['pi_early'], PAID, attribution)
      service.clock.advance(1_000)
      await program.signUp()
      service.clock.advance(1_000)
      await program.buy({ invoice_id: 'inv-mid', amount: 20_000 })
      await program.tell(['pi_mid'], PAID, attribution)
      service.clock.advance(1_000)
      const later = await givenClick(service, program.link)
      service.clock.advance(1_000)
      await confirm(program, later)
      expect(await leadsOf(service, program.id)).toMatchObject([{ confirmedAt: expect.any(Date) }])
      expect(await program.balance()).toMatchObject({ reviewCents: 3_000, payableCents: 0 })
      const early = (await salesOf(service, program.id)).filter(({ invoiceId }) => invoiceId.endsWith('early'))
      expect(early).toMatchObject([{ clickId: null }, { clickId: null }])
      service.clock.advance(1_000)
      await program.buy({ invoice_id: 'inv-after', amount: 30_000 })
      expect(await program.balance()).toMatchObject({ reviewCents: 3_000, payableCents: 3_000 })
      await expectVerified(program)
    })
})

/** Calls that do not confirm the browser's click. */
const NO_EVIDENCE = {
  'a server lead with the key alone': (program: Given) => program.lead({ customer_key: program.customer_key }),
  'a server lead with another partner’s click': async (program: Given) =>
    program.lead({ customer_key: program.customer_key, click_id: await givenClick(service, program.rival) }),
  'a server lead with a click that does not exist': (program: Given) =>
    program.lead({ customer_key: program.customer_key, click_id: `${program.id}_nothing` }),
  'a server lead with an expired click of the same partner': async (program: Given) => {
    const click_id = await givenClick(service, program.link)
    await service.pool.query(
      `UPDATE customers SET last_clicked_at = last_clicked_at - interval '400 days' WHERE click_id = $1`,
      [click_id],
    )
    return program.lead({ customer_key: program.customer_key, click_id })
  },
  'another browser call': (program: Given) => program.signUp(),
  'a sale with the key and the click': (program: Given) => program.buy({ click_id: program.click_id, amount: 1 }),
  'a payment that names the customer alone': (program: Given) =>
    program.tell(['pi_none'], { ...PAID, grossCents: 1 } as ReportBody, {
      programId: program.id,
      customerKey: program.customer_key,
      clickId: null,
    }),
  'a payment with another partner’s click': async (program: Given) =>
    program.tell(['pi_other'], { ...PAID, grossCents: 1 } as ReportBody, {
      programId: program.id,
      customerKey: program.customer_key,
      clickId: await givenClick(service, program.rival),
    }),
}

describe('the customer is not confirmed by', () => {
  for (const [name, call] of Object.entries(NO_EVIDENCE))
    test(name, async () => {
      const program = await given()
      await program.buy()
      service.clock.advance(1_000)
      await program.signUp()
      service.clock.advance(1_000)
      await program.buy({ amount: 20_000 })
      const answer = await call(program)
      if ('body' in answer && 'lead_id' in answer.body) expect(answer.body.duplicate).toBe(true)
      expect(await leadsOf(service, program.id)).toMatchObject([{ confirmedAt: null, confirmedBy: null }])
      expect(await program.balance()).toMatchObject({ reviewCents: 2_000, payableCents: 0 })
      await expectVerified(program)
    })
})

describe('a sale in review of an unconfirmed customer', () => {
  test('loses the refunded part, before and after the confirmation', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    await program.buy({ invoice_id: 'in-1' })
    await program.refund({ invoice_id: 'in-1', amount: 4_000 })
    expect(await program.balance()).toMatchObject({ reviewCents: 600 })
    await program.confirm()
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 600 })
    await program.refund({ invoice_id: 'in-1' })
    expect(await program.balance()).toMatchObject({ payableCents: 0 })
    await expectVerified(program)
  })

  test('is released in its current state once a dispute is decided', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    await program.buy({ invoice_id: 'in-1' })
    await program.dispute('in-1', 'd-1', 'open')
    await program.confirm()
    expect(await program.balance()).toMatchObject({ reviewCents: 0, disputedCents: 1_000, payableCents: 0 })
    await program.dispute('in-1', 'd-1', 'won')
    expect(await program.balance()).toMatchObject({ disputedCents: 0, payableCents: 1_000 })
    await expectVerified(program)
  })

  test('stays rejected if a member rejected it, and other reasons for a review stay', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    const { commission_id } = await program.buy()
    await program.review(commission_id, 'rejected')
    await program.confirm()
    expect(await program.states()).toEqual([['reversed', 'unverified_customer']])
    await expectVerified(program)
  })

  test('earns as the first sale if an earlier one is not credited, and no longer once it is', async () => {
    const program = await given({ sale: { amountCents: 500, duration: 'first' }, holdDays: 0 })
    await program.buy({ invoice_id: 'before' })
    service.clock.advance(1_000)
    await program.signUp()
    service.clock.advance(1_000)
    await program.buy({ invoice_id: 'after' })
    expect(await program.balance()).toMatchObject({ reviewCents: 500 })
    await program.confirm()
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 500 })
    await expectVerified(program)
  })

  test('of an erased customer waits for a manual decision; no call can confirm it any more', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    const { commission_id } = await program.buy()
    await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: program.customer_key })
    await program.confirm()
    expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 0 })
    await program.review(commission_id, 'released')
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 1_000 })
    await expectVerified(program)
  })
})

describe('concurrently', () => {
  test('any number of confirmations release a review once', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    await program.buy()
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => program.confirm()))
    expect(answers.map(({ body }) => body.duplicate)).toEqual(answers.map(() => true))
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 1_000 })
    await expectVerified(program)
  })

  test('sales, the browser’s lead and its confirmation leave no review open', async () => {
    for (let round = 0; round < 5; round++) {
      const program = await given()
      const sales = () => [1, 2, 3].map(() => program.buy())
      const before = [...sales(), ...sales()]
      await Promise.all([...before, program.signUp()])
      service.clock.advance(1_000)
      const after = [...sales(), ...sales()]
      await Promise.all([...after, program.confirm(), program.confirm()])
      // Two sales that lock each other out would be refused after a few seconds.
      const answers = await Promise.all([...before, ...after])
      expect(answers.map(({ success }) => success)).toEqual(answers.map(() => true))
      expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 12_000 })
      await expectVerified(program)
    }
  })
})

describe('the reason is explained to', () => {
  test('the merchant before and after the confirmation, with the fix', async () => {
    const program = await given()
    const { lead_id } = (await program.signUp()).body
    service.clock.advance(1_000)
    const { sale_id } = await program.buy()
    const before = await program.explainSale(sale_id)
    expect(before.sentences.join(' ')).toContain('only a browser has reported the lead')
    expect(before.sentences.join(' ')).toContain('Send the lead from your server')
    await program.confirm()
    const after = await program.explainSale(sale_id)
    expect(after.timeline).toContainEqual(expect.objectContaining({ event: 'review', reason: 'customer_confirmed' }))
    expect(after.sentences.join(' ')).not.toContain('Send the lead from your server')
    // No member decided, so none is named.
    expect(after.sentences.filter((sentence) => sentence.includes(REASONS.customer_confirmed))).toHaveLength(1)
    expect(after.sentences.join(' ')).not.toContain('A former member')
    expect((await program.explainLead(lead_id)).sentences.join(' ')).toContain(REASONS.customer_confirmed)
  })

  test('the partner without naming anyone', async () => {
    const program = await given()
    await program.signUp()
    service.clock.advance(1_000)
    const { sale_id } = await program.buy()
    const { sentences } = await program.explainSale(sale_id, '?audience=partner')
    expect(sentences.join(' ')).toContain('has not confirmed')
    expect(sentences.join(' ')).not.toContain('server')
  })
})
