import { describe, expect, test } from 'bun:test'
import { refundAnswer } from '@tributary/contract'
import { expectRefusal, givenClick } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { retryBusy } from '../support/retry-busy.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

describe('a refund', () => {
  test('of 30%, then 60%, then all: the commission falls to 70%, 40%, 0; repeats change nothing', async () => {
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

  test('in twenty equal concurrent parts adds up, and never exceeds the sale', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    const refund = () => retryBusy(() => program.refund({ invoice_id, amount: 100 }))
    const answers = await Promise.all(Array.from({ length: 20 }, refund))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 400, 'invalid_amount')
    expect(await program.balance()).toMatchObject({ payableCents: 0 })
  })

  test('before its sale is credited still counts', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const click_id = await givenClick(service, program.link)
    await program.sale({ customer_key: 'late', amount: 1_000, invoice_id: 'in-1' })
    await program.refund({ invoice_id: 'in-1', amount: 400 })
    await program.lead({ customer_key: 'late', click_id })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 40 }])
    expect(await program.balance()).toMatchObject({ payableCents: 60 })
  })

  test('that makes no sense is rejected and changes nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 1_000)
    expectRefusal(await program.refund({ invoice_id: 'nobody' }), 404, 'sale_not_found')
    expectRefusal(await program.refund({ invoice_id, amount: 1_001 }), 400, 'invalid_amount')
    for (const amount of [0, -1, 1.5, '100'])
      expectRefusal(await program.refund({ invoice_id, amount }), 400, 'invalid_amount')
    for (const currency of ['EUR', 'ZZZ', 7])
      expectRefusal(await program.refund({ invoice_id, currency }), 400, 'invalid_currency')
    expectRefusal(await program.refund({}), 400, 'missing_invoice_id')
    await program.refund({ invoice_id, amount: 1, refund_id: 'r' })
    expectRefusal(await program.refund({ invoice_id, amount: 2, refund_id: 'r' }), 409, 'conflict')
    expectRefusal(await service.call('POST', '/api/v1/track/refund', { invoice_id }), 401, 'missing_api_key')
    expect(await program.commissions()).toMatchObject([{ reversedCents: 0 }])
  })
})
