import { describe, expect, test } from 'bun:test'
import { payoutLine } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

describe('a payout', () => {
  test('takes everything payable and is marked paid line by line', async () => {
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

  test('is created once, however many members click concurrently', async () => {
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

  test('that failed returns the balance, once', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    for (let times = 0; times < 2; times++) await program.decide(id, lines[0].id, { status: 'failed' })
    expect(await program.balance()).toMatchObject({ payableCents: 100, batchedCents: 0, paidCents: 0 })
    const [line] = (await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data.lines
    expect(line).toMatchObject({ status: 'failed', amountCents: 100, emptied: false })
    const late = await program.decide(id, lines[0].id, { status: 'paid' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body.error.message).toBe('This line is already marked failed.')
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

  test('that is open when a refund arrives pays that much less', async () => {
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

  test('drops a fully refunded commission, though another one keeps it open', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    await givenSale(program, 500)
    await program.pay()
    await program.refund({ invoice_id })
    expect(await program.commissions()).toMatchObject([
      { amountCents: 50, state: 'payable', inPayout: true },
      { amountCents: 100, state: 'reversed', inPayout: false },
    ])
  })

  test('exported before the refund pays the exported amount, and the rest is a debt', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    expect(await (await program.file(id, { format: 'csv' })).text()).toContain(',1.00,USD')
    await program.refund({ invoice_id, amount: 500 })
    await program.decide(id, lines[0].id, { status: 'paid' })
    expect(await program.balance()).toMatchObject({ payableCents: -50, paidCents: 100, batchedCents: 0 })
    expectRefusal(await program.decide(id, lines[0].id, { status: 'paid', amountCents: 50 }), 409, 'conflict')
    expect((await program.decide(id, lines[0].id, { status: 'paid', amountCents: 100 })).status).toBe(200)
  })

  test('exported and refunded concurrently: an exported line stays open until a member settles it', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    for (let round = 0; round < 8; round++) {
      const { invoice_id } = await givenSale(program, 1_000)
      const { id, lines } = await program.pay()
      const [file] = await Promise.all([
        program.file(id, { format: 'csv' }).then((response) => response.text()),
        program.refund({ invoice_id }),
      ])
      const [line] = (await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data.lines
      expect(line.status).toBe(file.includes(',1.00,USD,') ? 'open' : 'failed')
      if (line.status === 'open') await program.decide(id, lines[0].id, { status: 'failed' })
    }
    expect(await program.balance()).toMatchObject({ payableCents: 0, batchedCents: 0, paidCents: 0 })
  })

  test('is not created twice by a clock that goes back', async () => {
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

  test('emptied by a refund is closed, and the next batch can start', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const { id } = await program.pay()
    await program.refund({ invoice_id })
    const [line] = (await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data.lines
    expect(payoutLine.parse(line)).toMatchObject({
      status: 'failed',
      amountCents: 0,
      reservedCents: 100,
      emptied: true,
    })
    const late = await program.decide(id, line.id, { status: 'paid' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body.error.message).toStartWith('This line was closed because')
    expect(await program.commissions()).toMatchObject([{ state: 'reversed', inPayout: false }])
    await givenSale(program, 2_000)
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 200 }])
  })

  test('leaves newer earnings to the next one, and each refund debits the payout that has its sale', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const early = await givenSale(program, 1_000)
    const first = await program.pay()
    const late = await givenSale(program, 5_000)
    expect((await program.owner.call('GET', `${program.api}/payouts/preview`)).body.data).toMatchObject([
      { amountCents: 500 },
    ])
    const second = await program.pay()
    expect(second.lines).toMatchObject([{ amountCents: 500, status: 'open' }])
    expect(await program.balance()).toMatchObject({ payableCents: 0, batchedCents: 600 })
    await program.refund({ invoice_id: late.invoice_id, amount: 1_000 })
    await program.refund({ invoice_id: early.invoice_id, amount: 100 })
    const paid = [first, second].map(({ id, lines }) => program.decide(id, lines[0].id, { status: 'paid' }))
    expect((await Promise.all(paid)).map(({ body }) => body.data.amountCents)).toEqual([90, 400])
    expect(await program.balance()).toMatchObject({ payableCents: 0, batchedCents: 0, paidCents: 490 })
  })

  test('with an exported amount above the refunded one waits for the amount actually paid before paying more', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    await program.file(id, { format: 'csv' })
    await program.refund({ invoice_id })
    await givenSale(program, 1_500)
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    await program.decide(id, lines[0].id, { status: 'paid' })
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 50 }])
  })

  test('sent before the refund arrived records the amount actually sent, and the rest is a debt', async () => {
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
