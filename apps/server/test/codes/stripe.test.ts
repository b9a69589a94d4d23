import { describe, expect, test } from 'bun:test'
import { givenProcessor, type ProcessorProgram } from '../processor/given-processor.ts'
import { event, stripeId, stripePayment, type TestEvent } from '../processor/stripe-events.ts'
import { givenClick, givenLink, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { TEN_PERCENT, withCodes } from './given-codes.ts'

const service = await givenService()

/** Stripe's times are whole seconds, and every step must be later than the one before. */
const next = () => {
  service.clock.advance(2_000)
  return Math.floor(service.clock.now().getTime() / 1_000)
}

const given = async (code = 'SAM20') => {
  const processor = await givenProcessor(service, TEN_PERCENT)
  const program = withCodes(service, processor)
  const owned = await program.assigned({ code })
  return { ...processor, ...program, owned, sales: processor.sales, sold: () => credits(processor) }
}

const credits = async (program: ProcessorProgram) =>
  (await program.sales())
    .filter(({ voidedAt }) => voidedAt === null)
    .map(({ creditSource, partnerId, reason }) => [creditSource, partnerId ?? reason])

const codeCreated = (id: string, code: string) =>
  event('2026', 'promotion_code.created', { id, code }, { created: next() })
const discountCreated = (id: string, promotion_code: string | null) =>
  event('2026', 'customer.discount.created', { id, promotion_code }, { created: next() })

const permutations = <One>(all: One[]): One[][] =>
  all.length < 2
    ? [all]
    : all.flatMap((one, index) => permutations(all.toSpliced(index, 1)).map((rest) => [one, ...rest]))

/** How a payment names the code `promo`, by API generation, with everything else that Stripe sends about it. */
const GENERATIONS: Record<string, (promo: string, code: string, customer: string) => TestEvent[]> = {
  'before 2025: a whole object on the invoice': (promo, code, customer) => [
    codeCreated(promo, code),
    stripePayment({ generation: '2024', created: next() }).invoicePaid({
      customer,
      discount: { id: stripeId('di'), object: 'discount', coupon: { id: 'co_1' }, promotion_code: promo },
    }),
  ],
  'before 2025: an expanded object': (promo, code, customer) => [
    stripePayment({ generation: '2024', created: next() }).invoicePaid({
      customer,
      discount: { id: stripeId('di'), object: 'discount', promotion_code: { id: promo, code } },
    }),
  ],
  'from 2025-01: on the checkout session': (promo, code, customer) => [
    codeCreated(promo, code),
    stripePayment({ created: next() }).completed({ customer, discounts: [{ coupon: 'co_1', promotion_code: promo }] }),
  ],
  'from 2025-03: invoices name only discounts': (promo, code, customer) => {
    const discount = stripeId('di')
    return [
      codeCreated(promo, code),
      discountCreated(discount, promo),
      stripePayment({ created: next() }).invoicePaid({ customer, discounts: [discount] }),
    ]
  },
  'only on the lines': (promo, code, customer) => {
    const discount = stripeId('di')
    return [
      codeCreated(promo, code),
      discountCreated(discount, promo),
      stripePayment({ created: next() }).invoicePaid({
        customer,
        discounts: [],
        total_discount_amounts: [{ amount: 100, discount }],
        lines: { data: [{ id: 'il_1', discounts: [discount] }] },
      }),
    ]
  },
}

describe('a promotion code that Stripe states', () => {
  test.each(Object.keys(GENERATIONS))('%s, is credited in any order of events', async (name) => {
    const program = await given()
    const build = GENERATIONS[name] as (typeof GENERATIONS)[string]
    const orders = permutations(build(stripeId('promo'), 'SAM20', stripeId('cus')).map((_, index) => index))
    for (const order of orders) {
      const events = build(stripeId('promo'), 'sam20', stripeId('cus'))
      for (const index of order) await program.send(events[index] as TestEvent)
    }
    expect(await program.sold()).toEqual(orders.map(() => ['code', program.partnerId]))
    expect(await program.commissions()).toHaveLength(orders.length)
    expect(await program.verify()).toEqual([])
  })

  test('by an ID waits until its text is known, and explain says so', async () => {
    const program = await given()
    const payment = stripePayment({ created: next() })
    const promo = stripeId('promo')
    await program.send(payment.completed({ customer: stripeId('cus'), discounts: [{ promotion_code: promo }] }))
    expect(await program.sales()).toEqual([])
    expect(await program.explain(payment.ids.session)).toMatchObject({ outcome: 'waiting', reason: 'code_pending' })
    await program.send(codeCreated(promo, 'SAM20'), codeCreated(promo, 'SAM20'))
    expect(await program.sold()).toEqual([['code', program.partnerId]])
  })

  test('binds the customer: renewals without it earn, reported before or after it', async () => {
    const program = await given()
    const [promo, customer] = [stripeId('promo'), stripeId('cus')]
    const first = stripePayment({ created: next() }).completed({ customer, discounts: [{ promotion_code: promo }] })
    const second = stripePayment({ created: next() }).invoicePaid({ customer })
    const third = stripePayment({ created: next() }).invoicePaid({ customer })
    await program.send(second, first, codeCreated(promo, 'SAM20'), third)
    expect(await program.sold()).toEqual([
      ['code', program.partnerId],
      ['code', program.partnerId],
      ['code', program.partnerId],
    ])
    expect(await program.code(program.owned.id)).toMatchObject({ uses: 1 })
    expect(await program.verify()).toEqual([])
  })

  test('that makes the first invoice free binds the customer, in any order', async () => {
    const program = await given()
    const orders = permutations([0, 1, 2])
    for (const order of orders) {
      const [promo, customer] = [stripeId('promo'), stripeId('cus')]
      const free = stripePayment({ created: next(), amount: 0, tax: 0 }).completed({
        customer,
        payment_intent: null,
        payment_status: 'no_payment_required',
        discounts: [{ promotion_code: promo }],
      })
      const events = [free, codeCreated(promo, 'SAM20'), stripePayment({ created: next() }).invoicePaid({ customer })]
      for (const index of order) await program.send(events[index] as TestEvent)
    }
    expect(await program.sold()).toEqual(orders.map(() => ['code', program.partnerId]))
    expect(await program.verify()).toEqual([])
  })

  test('as a bare coupon without a code credits no one', async () => {
    const program = await given()
    const customer = stripeId('cus')
    const discount = stripeId('di')
    await program.send(
      stripePayment({ created: next() }).completed({ customer, discounts: [{ coupon: 'co_1', promotion_code: null }] }),
      stripePayment({ created: next() }).invoicePaid({ customer: stripeId('cus'), discounts: [discount] }),
      discountCreated(discount, null),
    )
    expect(await program.sales()).toEqual([])
  })

  test('with another one: the first in Stripe’s order is credited, and explain shows both', async () => {
    const program = await given()
    const other = await program.otherPartner()
    await program.assigned({ code: 'OTHER', partnerId: other })
    const [first, second] = [stripeId('promo'), stripeId('promo')]
    const payment = stripePayment({ created: next() })
    const discounts = [{ promotion_code: first }, { promotion_code: second }]
    // The second is known first, and must not win for that.
    await program.send(codeCreated(second, 'OTHER'), payment.completed({ customer: stripeId('cus'), discounts }))
    expect(await program.sold()).toEqual([[null, 'code_pending']])
    await program.send(codeCreated(first, 'SAM20'))
    expect(await program.sold()).toEqual([['code', program.partnerId]])
    expect((await program.explain(payment.ids.session)).facts.codes).toMatchObject([
      { code: 'SAM20', partnerId: program.partnerId, why: null },
      { code: 'OTHER', partnerId: other, why: 'other_code' },
    ])
  })

  test('without a discount is credited like any other', async () => {
    const program = await given()
    const promo = stripeId('promo')
    const total_details = { amount_discount: 0, amount_shipping: 0, amount_tax: 190 }
    const session = { customer: stripeId('cus'), discounts: [{ promotion_code: promo }], total_details }
    await program.send(codeCreated(promo, 'SAM20'), stripePayment({ created: next() }).completed(session))
    expect(await program.sold()).toEqual([['code', program.partnerId]])
  })

  test('used by a customer who had paid before credits no one', async () => {
    const program = await given()
    const [promo, customer] = [stripeId('promo'), stripeId('cus')]
    await program.send(
      codeCreated(promo, 'SAM20'),
      stripePayment({ created: next() }).invoicePaid({ customer }),
      stripePayment({ created: next() }).invoicePaid({ customer, discounts: [{ promotion_code: promo }] }),
    )
    expect(await program.sold()).toEqual([[null, 'existing_customer']])
  })

  test('and a click in the metadata follow codePrecedence', async () => {
    const program = await given()
    const link = await givenLink(service, program.id)
    const promo = stripeId('promo')
    await program.send(codeCreated(promo, 'SAM20'))
    const pay = async () => {
      const metadata = {
        program_id: String(program.id),
        service_click_id: await givenClick(service, link),
        service_customer_key: unique('customer'),
      }
      const payment = stripePayment({ created: next(), metadata })
      await program.send(payment.completed({ customer: stripeId('cus'), discounts: [{ promotion_code: promo }] }))
    }
    await pay()
    await program.owner.call('PATCH', program.api, { codePrecedence: 'code' })
    await pay()
    expect(await program.sold()).toEqual([
      ['click', link.partnerId],
      ['code', program.partnerId],
    ])
  })

  test('of a key in the metadata binds the key', async () => {
    const program = await given()
    const promo = stripeId('promo')
    const customer_key = unique('customer')
    const metadata = { program_id: String(program.id), service_customer_key: customer_key }
    const payment = stripePayment({ created: next(), metadata })
    await program.send(
      payment.completed({ customer: null, discounts: [{ promotion_code: promo }] }),
      codeCreated(promo, 'SAM20'),
    )
    expect(await program.sell({ customer_key })).toMatchObject({ credited_by: 'code' })
    expect(await program.verify()).toEqual([])
  })

  test('is learned within one workspace only', async () => {
    const [program, other] = [await given(), await given()]
    const promo = stripeId('promo')
    const payment = stripePayment({ created: next() })
    await program.send(payment.completed({ customer: stripeId('cus'), discounts: [{ promotion_code: promo }] }))
    await other.send(codeCreated(promo, 'SAM20'))
    expect(await program.sales()).toEqual([])
  })

  test('with the same text in two programs of a workspace belongs to the program of its endpoint', async () => {
    const [program, sibling] = [await given(), await given()]
    await service.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [program.workspaceId, sibling.id])
    const promo = stripeId('promo')
    const payment = stripePayment({ created: next() })
    await sibling.send(codeCreated(promo, 'SAM20'))
    await sibling.send(payment.completed({ customer: stripeId('cus'), discounts: [{ promotion_code: promo }] }))
    expect(await program.sold()).toEqual([])
    expect(await sibling.sold()).toEqual([['code', sibling.partnerId]])
  })

  test('whose ID a member states needs no event', async () => {
    const program = await given()
    const promo = stripeId('promo')
    await program.assigned({ code: 'MAYA20', processor: 'stripe', externalId: promo })
    const payment = stripePayment({ created: next() })
    await program.send(payment.completed({ customer: stripeId('cus'), discounts: [{ promotion_code: promo }] }))
    expect(await program.sold()).toEqual([['code', program.partnerId]])
  })
})
