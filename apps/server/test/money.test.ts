import { describe, expect, test } from 'bun:test'
import { balance, commission, refundAnswer, reward } from '@tributary/contract'
import { browserLead, expectRefusal, givenClick, unique } from './support/given.ts'
import { givenPayingProgram, type PayingProgram } from './support/money.ts'
import { DAY_MS, startTestService } from './support/service.ts'

const service = await startTestService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const givenSale = async (program: PayingProgram, amount: number, more: object = {}) => {
  const customer_key = await program.customer()
  const invoice_id = unique('invoice')
  const { status, body } = await program.sale({ customer_key, amount, invoice_id, ...more })
  expect(status).toBe(200)
  return { customer_key, invoice_id, ...body } as {
    customer_key: string
    invoice_id: string
    sale_id: number
    commission_id: number | null
  }
}

describe('the reward of a program', () => {
  test('is nothing, 30 days and 0 by default', async () => {
    const program = await givenPayingProgram(service, {})
    const { body } = await program.owner.call('GET', `${program.api}/reward`)
    expect(reward.parse(body.data)).toMatchObject({
      lead: null,
      sale: null,
      holdDays: 30,
      minimumPayoutCents: 0,
      currency: 'USD',
    })
    expect((await givenSale(program, 1_000)).commission_id).toBeNull()
  })

  test('is versioned: a change holds from now on and recomputes nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    await program.owner.call('PUT', `${program.api}/reward`, {
      sale: { amountCents: 777, duration: 'lifetime' },
      holdDays: 0,
    })
    await givenSale(program, 1_000)
    expect(await program.commissions()).toMatchObject([
      { amountCents: 777, termsVersion: 2 },
      { amountCents: 100, termsVersion: 1 },
    ])
  })

  test('may be a partner’s own, until that ends', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const path = `${program.api}/partners/${program.link.partnerId}/reward`
    expect(
      (await program.owner.call('PUT', path, { sale: { percentBps: 5_000, duration: 'lifetime' }, holdDays: 0 })).body
        .data,
    ).toMatchObject({ own: true })
    await givenSale(program, 1_000)
    expect((await program.owner.call('DELETE', path)).body.data).toMatchObject({
      own: false,
      sale: { percentBps: 1_000 },
    })
    await givenSale(program, 1_000)
    expect(await program.commissions()).toMatchObject([{ amountCents: 100 }, { amountCents: 500 }])
  })

  const wrong: object[] = [
    { sale: { percentBps: 0, duration: 'lifetime' } },
    { sale: { percentBps: 10_001, duration: 'lifetime' } },
    { sale: { percentBps: 10.5, duration: 'lifetime' } },
    { sale: { percentBps: 1, amountCents: 1, duration: 'lifetime' } },
    { sale: { duration: 'lifetime' } },
    { sale: { percentBps: 1, duration: 'months' } },
    { sale: { percentBps: 1, duration: 'first', months: 3 } },
    { sale: { percentBps: 1, duration: 'weeks' } },
    { lead: { amountCents: 0 } },
    { lead: { amountCents: -5 } },
    { lead: { amountCents: 1.5 } },
    { holdDays: -1 },
    { holdDays: 366 },
    { minimumPayoutCents: -1 },
    { salle: { percentBps: 1, duration: 'lifetime' } },
  ]
  for (const request of wrong)
    test(`is refused where it makes no sense: ${JSON.stringify(request)}`, async () => {
      const program = await givenPayingProgram(service, TEN_PERCENT)
      const before = (await program.owner.call('GET', `${program.api}/reward`)).body
      expectRefusal(await program.owner.call('PUT', `${program.api}/reward`, request), 400, 'invalid_request')
      expect((await program.owner.call('GET', `${program.api}/reward`)).body).toEqual(before)
    })

  test('is in the currency of the program', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    expectRefusal(
      await program.owner.call('PUT', `${program.api}/reward`, { lead: { amountCents: 5 }, currency: 'EUR' }),
      400,
      'invalid_currency',
    )
  })
})

describe('a commission', () => {
  test('of a settled lead is the flat amount; a provisional lead and a test event earn nothing', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 250 }, holdDays: 0 })
    await browserLead(service, { click_id: await givenClick(service, program.link) })
    await program.lead({ additional_data: { test_mode: true } })
    expect(await program.commissions()).toEqual([])
    await program.customer()
    const [row] = await program.commissions()
    expect(commission.parse(row)).toMatchObject({
      kind: 'lead',
      amountCents: 250,
      currency: 'USD',
      state: 'payable',
      partnerId: program.link.partnerId,
    })
  })

  test('of a sale is answered with it, and a percentage is rounded half up, once', async () => {
    const program = await givenPayingProgram(service, {
      sale: { percentBps: 1_250, duration: 'lifetime' },
      holdDays: 0,
    })
    for (const [amount, expected] of [
      [1_000, 125],
      [4, 1],
      [3, 0],
      [12, 2],
      [99_999, 12_500],
      [1_000_000_000_000, 125_000_000_000],
    ] as const) {
      const { commission_id } = await givenSale(program, amount)
      const [latest] = await program.commissions()
      if (expected === 0) expect(commission_id).toBeNull()
      else expect(latest).toMatchObject({ id: commission_id, amountCents: expected })
    }
  })

  test('of an unattributed sale is none; credited later it earns under the terms at the time of the sale', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const click_id = await givenClick(service, program.link)
    const { body } = await program.sale({ customer_key: 'late', amount: 1_000, invoice_id: 'early' })
    expect(body).toMatchObject({ attributed: false, commission_id: null })
    await program.owner.call('PUT', `${program.api}/reward`, { sale: { percentBps: 9_000, duration: 'lifetime' } })
    await program.lead({ customer_key: 'late', click_id })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, termsVersion: 1, saleId: body.sale_id }])
  })

  test('for the first sale only, also of sales that come at once', async () => {
    const program = await givenPayingProgram(service, { sale: { amountCents: 500, duration: 'first' }, holdDays: 0 })
    const customer_key = await program.customer()
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => program.sale({ customer_key, amount: 100, invoice_id: `in-${index}` })),
    )
    expect(await program.commissions()).toHaveLength(1)
  })

  test('for N months from the first sale', async () => {
    const local = await startTestService()
    const program = await givenPayingProgram(local, {
      sale: { percentBps: 1_000, duration: 'months', months: 3 },
      holdDays: 0,
    })
    const customer_key = await program.customer()
    const paid: unknown[] = []
    for (const days of [0, 40, 40, 20]) {
      local.clock.advance(days * DAY_MS)
      paid.push(
        (await program.sale({ customer_key, amount: 100, invoice_id: unique('in') })).body.commission_id !== null,
      )
    }
    expect(paid).toEqual([true, true, true, false])
  })

  test('in a currency with no or three decimals is as exact', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_235, { currency: 'JPY' })
    await givenSale(program, 12_345, { currency: 'KWD' })
    expect(await program.commissions()).toMatchObject([
      { amountCents: 1_235, currency: 'KWD' },
      { amountCents: 124, currency: 'JPY' },
    ])
    const csv = await (
      await fetch(`${service.url}${program.api}/commissions?format=csv`, { headers: { cookie: program.owner.cookie } })
    ).text()
    expect(csv).toContain(',1.235,0.000,KWD,')
    expect(csv).toContain(',124,0,JPY,')
  })

  test('is held for hold_days and then payable by the clock alone', async () => {
    const local = await startTestService()
    const program = await givenPayingProgram(local, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 30 })
    const customer_key = await program.customer()
    await program.sale({ customer_key, amount: 1_000, invoice_id: 'in-1' })
    expect(balance.parse(await program.balance())).toMatchObject({ heldCents: 100, payableCents: 0 })
    local.clock.advance(30 * DAY_MS - 60_000)
    expect(await program.balance()).toMatchObject({ heldCents: 100, payableCents: 0 })
    local.clock.advance(61_000)
    expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: 100 })
    expect(await program.commissions()).toMatchObject([{ state: 'payable' }])
  })

  test('of a hundred concurrent sales: the balance equals the sum', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const customers = await Promise.all(Array.from({ length: 5 }, () => program.customer()))
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        program.sale({ customer_key: customers[index % 5], amount: 1_000 + index, invoice_id: `in-${index}` }),
      ),
    )
    const sum = (await program.owner.call('GET', `${program.api}/commissions?pageSize=200`)).body.data.reduce(
      (total: number, row: { amountCents: number }) => total + row.amountCents,
      0,
    )
    expect((await program.balance()).payableCents).toBe(sum)
  })
})

describe('a refund', () => {
  test('of 30 %, then 60 %, then all: the commission falls to 70 %, 40 %, 0; repeats change nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 10_000)
    for (const [refund_id, amount, reversed] of [
      ['r1', 3_000, 300],
      ['r2', 3_000, 600],
      ['r2', 3_000, 600],
      ['r3', undefined, 1_000],
      ['r3', undefined, 1_000],
    ] as const) {
      const { status, body } = await program.refund({ invoice_id, amount, refund_id })
      expect(status).toBe(200)
      expect(refundAnswer.parse(body)).toMatchObject({ reversed_amount: reversed })
    }
    expect((await program.refund({ invoice_id })).body).toMatchObject({ duplicate: true, refunded_amount: 10_000 })
    expect(await program.balance()).toMatchObject({ payableCents: 0, heldCents: 0 })
    expect(await program.commissions()).toMatchObject([{ amountCents: 1_000, reversedCents: 1_000, state: 'reversed' }])
  })

  test('in any parts is exact to the cent', async () => {
    const program = await givenPayingProgram(service, {
      sale: { percentBps: 3_333, duration: 'lifetime' },
      holdDays: 30,
    })
    const { invoice_id } = await givenSale(program, 1_001)
    for (const amount of [1, 333, 1, 500, 166]) await program.refund({ invoice_id, amount })
    expect(await program.commissions()).toMatchObject([{ amountCents: 334, reversedCents: 334, state: 'reversed' }])
    expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: 0 })
  })

  test('at once in twenty equal parts adds up, and never beyond', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const answers = await Promise.all(Array.from({ length: 20 }, () => program.refund({ invoice_id, amount: 100 })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 400, 'invalid_amount')
    expect(await program.balance()).toMatchObject({ payableCents: 0 })
  })

  test('before its sale is credited counts all the same', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const click_id = await givenClick(service, program.link)
    await program.sale({ customer_key: 'late', amount: 1_000, invoice_id: 'in-1' })
    await program.refund({ invoice_id: 'in-1', amount: 400 })
    await program.lead({ customer_key: 'late', click_id })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 40 }])
    expect(await program.balance()).toMatchObject({ payableCents: 60 })
  })

  test('is refused where it makes no sense, and changes nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    expectRefusal(await program.refund({ invoice_id: 'nobody' }), 404, 'sale_not_found')
    expectRefusal(await program.refund({ invoice_id, amount: 1_001 }), 400, 'invalid_amount')
    for (const amount of [0, -1, 1.5, '100'])
      expectRefusal(await program.refund({ invoice_id, amount }), 400, 'invalid_amount')
    expectRefusal(await program.refund({ invoice_id, currency: 'EUR' }), 400, 'invalid_currency')
    expectRefusal(await program.refund({}), 400, 'missing_invoice_id')
    await program.refund({ invoice_id, amount: 1, refund_id: 'r' })
    expectRefusal(await program.refund({ invoice_id, amount: 2, refund_id: 'r' }), 409, 'conflict')
    expectRefusal(await service.call('POST', '/api/v1/track/refund', { invoice_id }), 401, 'missing_api_key')
    expect(await program.commissions()).toMatchObject([{ reversedCents: 0 }])
  })
})

describe('a payout', () => {
  test('takes everything payable, and marks it paid line by line', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    await givenSale(program, 2_000, { currency: 'EUR' })
    const payout = await program.pay()
    expect(payout.lines).toMatchObject([
      { currency: 'EUR', amountCents: 200, status: 'open' },
      { currency: 'USD', amountCents: 100, status: 'open' },
    ])
    for (const line of payout.lines)
      expect((await program.decide(payout.id, line.id, { status: 'paid' })).body.data).toMatchObject({ status: 'paid' })
    expect(await program.balance()).toMatchObject({ payableCents: 0, paidCents: 200 })
    expect(await program.commissions()).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
  })

  test('is made once however many press the button at once', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => program.owner.call('POST', `${program.api}/payouts`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const { id, lines } = answers.find(({ status }) => status === 201)?.body.data ?? {}
    const decided = await Promise.all(
      Array.from({ length: 10 }, () => program.decide(id, lines[0].id, { status: 'paid' })),
    )
    expect(decided.every(({ status }) => status === 200)).toBe(true)
    expect(await program.balance()).toMatchObject({ paidCents: 100, payableCents: 0, batchedCents: 0 })
  })

  test('that failed gives the balance back, once', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    for (let times = 0; times < 2; times++) await program.decide(id, lines[0].id, { status: 'failed' })
    expect(await program.balance()).toMatchObject({ payableCents: 100, batchedCents: 0, paidCents: 0 })
    expectRefusal(await program.decide(id, lines[0].id, { status: 'paid' }), 409, 'conflict')
    const again = await program.pay()
    await program.decide(again.id, again.lines[0].id, { status: 'paid' })
    expect(await program.commissions()).toMatchObject([{ state: 'paid' }])
  })

  test('after which a refund is a debt on the next one; a debt is never paid out', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const first = await program.pay()
    await program.decide(first.id, first.lines[0].id, { status: 'paid' })
    await program.refund({ invoice_id, amount: 600 })
    expect(await program.balance()).toMatchObject({ payableCents: -60, paidCents: 100 })
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    await givenSale(program, 1_000)
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 40 }])
  })

  test('that is open when a refund arrives pays so much less', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    await givenSale(program, 500)
    const { id, lines } = await program.pay()
    await program.refund({ invoice_id })
    expect((await program.decide(id, lines[0].id, { status: 'paid' })).body.data).toMatchObject({
      amountCents: 50,
      reservedCents: 150,
    })
    expect(await program.balance()).toMatchObject({ payableCents: 0, batchedCents: 0, paidCents: 50 })
  })

  test('that was exported before the refund came has paid what the file said, and the rest is a debt', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    const headers = { cookie: program.owner.cookie }
    expect(await (await fetch(`${service.url}${program.api}/payouts/${id}/export`, { headers })).text()).toContain(
      ',1.00,USD',
    )
    await program.refund({ invoice_id, amount: 500 })
    await program.decide(id, lines[0].id, { status: 'paid' })
    expect(await program.balance()).toMatchObject({ payableCents: -50, paidCents: 100, batchedCents: 0 })
    expectRefusal(await program.decide(id, lines[0].id, { status: 'paid', amountCents: 50 }), 409, 'conflict')
    expect((await program.decide(id, lines[0].id, { status: 'paid', amountCents: 100 })).status).toBe(200)
  })

  test('is not made a second time by a clock that goes back', async () => {
    const local = await startTestService()
    const program = await givenPayingProgram(local, TEN_PERCENT)
    await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1' })
    local.clock.advance(10_000)
    const { id, lines } = await program.pay()
    await program.decide(id, lines[0].id, { status: 'paid' })
    local.clock.advance(-5_000)
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    expect(await program.balance()).toMatchObject({ payableCents: 0, paidCents: 100 })
  })

  test('from which a refund took everything is over, and the next batch can begin', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const { id } = await program.pay()
    await program.refund({ invoice_id })
    expect((await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data.lines).toMatchObject([
      { status: 'failed', amountCents: 0 },
    ])
    await givenSale(program, 2_000)
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 200 }])
  })

  test('that was sent before the refund came says what really left, and the rest is a debt', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    await program.refund({ invoice_id, amount: 300 })
    for (const amountCents of [101, 69, 0])
      expectRefusal(await program.decide(id, lines[0].id, { status: 'paid', amountCents }), 400, 'invalid_amount')
    await program.decide(id, lines[0].id, { status: 'paid', amountCents: 100 })
    expect(await program.balance()).toMatchObject({ payableCents: -30, paidCents: 100, batchedCents: 0 })
  })

  test('waits for the minimum', async () => {
    const program = await givenPayingProgram(service, { ...TEN_PERCENT, minimumPayoutCents: 150 })
    await givenSale(program, 1_000)
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    await givenSale(program, 500)
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 150 }])
  })
})

describe('the ledger', () => {
  test('cannot be changed by the role the service works as', async () => {
    const client = await service.pool.connect()
    try {
      await client.query('SET ROLE tributary_app')
      for (const table of [
        'ledger_lines',
        'ledger_blocks',
        'ledger_block_lines',
        'commissions',
        'reward_terms',
        'refunds',
        'audit_entries',
      ])
        for (const statement of [
          `UPDATE ${table} SET program_id = program_id`,
          `DELETE FROM ${table}`,
          `TRUNCATE ${table}`,
        ])
          await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
    } finally {
      await client.query('RESET ROLE')
      client.release()
    }
    const { rows } = await service.pool.query(
      "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'tributary'",
    )
    expect(rows.length).toBe(1)
  })
})
