import { describe, expect, test } from 'bun:test'
import { payout, payoutLine } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenSale, type PayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { sized } from '../support/size.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const wants = (program: PayingProgram, method: string, account: string, partnerId = program.link.partnerId) =>
  givenPayoutDetails(service, { programId: program.id, partnerId, method, account })
const textOf = async (program: PayingProgram, payoutId: number, format: string) => {
  const answer = await program.file(payoutId, { format })
  expect(answer.status).toBe(200)
  return answer.text()
}
const linesOf = async (program: PayingProgram, id: number) =>
  payout.parse((await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data).lines

/** $105.00 in an open payout to a PayPal account, exported, and then 40 % refunded. */
const givenRefundedExport = async (format: string) => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  await wants(program, 'paypal', 'pay@example.com')
  const { invoice_id } = await givenSale(program, 105_000)
  const { id, lines } = await program.pay()
  expect(await textOf(program, id, format)).toContain(',105.00,USD')
  await program.refund({ invoice_id, amount: 42_000 })
  return { program, id, lineId: lines[0].id as number, invoice_id }
}

describe('a second export', () => {
  const formats = [
    ['paypal', 'csv'],
    ['paypal', 'paypal'],
    ['csv', 'paypal'],
  ]
  for (const [first = '', second = ''] of sized({ short: formats.slice(0, 1), long: formats }))
    test(`keeps the amount of the first (${first}, then ${second}): paid books 105.00, and 42.00 is a debt`, async () => {
      const { program, id, lineId } = await givenRefundedExport(first)
      expect(await textOf(program, id, second)).toContain(',63.00,USD')
      expect(await linesOf(program, id)).toMatchObject([{ amountCents: 6_300, exportedCents: 10_500 }])
      const { body } = await program.decide(id, lineId, { status: 'paid' })
      expect(payoutLine.parse(body.data)).toMatchObject({ amountCents: 10_500, status: 'paid' })
      expect(await program.balance()).toMatchObject({ payableCents: -4_200, paidCents: 10_500, batchedCents: 0 })
    })

  test('books the amount that the member enters, and then there is no debt', async () => {
    const { program, id, lineId } = await givenRefundedExport('paypal')
    await textOf(program, id, 'paypal')
    await program.decide(id, lineId, { status: 'paid', amountCents: 6_300 })
    expect(await program.balance()).toMatchObject({ payableCents: 0, paidCents: 6_300, batchedCents: 0 })
  })

  test('keeps the partner out of the next payout until a member enters the amount sent', async () => {
    const { program, id, lineId } = await givenRefundedExport('paypal')
    await textOf(program, id, 'paypal')
    await givenSale(program, 50_000)
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    await program.decide(id, lineId, { status: 'paid' })
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 800 }])
  })

  test('of a line that refunds have emptied has nothing to pay, and the line stays open', async () => {
    const { program, id, lineId, invoice_id } = await givenRefundedExport('paypal')
    await program.refund({ invoice_id })
    expect((await program.file(id, { format: 'paypal' })).status).toBe(409)
    expect(await linesOf(program, id)).toMatchObject([{ status: 'open', amountCents: 0, exportedCents: 10_500 }])
    await program.decide(id, lineId, { status: 'paid' })
    expect(await program.balance()).toMatchObject({ payableCents: -10_500, paidCents: 10_500 })
  })
})

describe('a line that was in a payment file', () => {
  test('keeps its method and account when the partner changes theirs', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await wants(program, 'paypal', 'first@example.com')
    await givenSale(program, 1_000)
    const { id } = await program.pay()
    const first = await textOf(program, id, 'paypal')
    await wants(program, 'wise', 'second@example.com')
    expect((await program.file(id, { format: 'wise' })).status).toBe(409)
    expect(await textOf(program, id, 'paypal')).toBe(first)
    expect(await linesOf(program, id)).toMatchObject([{ method: 'paypal', payoutDetails: { method: 'wise' } }])
  })

  test('gets another method when a member resets it; the exported amount stays', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await wants(program, 'paypal', 'first@example.com')
    await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    await textOf(program, id, 'paypal')
    await wants(program, 'wise', 'second@example.com')
    const path = `${program.api}/payouts/${id}/lines/${lines[0].id}/reset`
    const { status, body } = await program.owner.call('POST', path)
    expect(status).toBe(200)
    expect(payoutLine.parse(body.data)).toMatchObject({ method: 'wise', exportedCents: 100, status: 'open' })
    expect(await textOf(program, id, 'wise')).toContain('second@example.com')
    expect((await program.file(id, { format: 'paypal' })).status).toBe(409)
    expect((await program.owner.call('GET', `${program.api}/audit?search=line+reset`)).body.data).toHaveLength(1)
    await program.decide(id, lines[0].id, { status: 'paid' })
    expectRefusal(await program.owner.call('POST', path), 409, 'conflict')
  })

  test('is in one payment file, however many are created concurrently', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await wants(program, 'paypal', 'pay@example.com')
    await givenSale(program, 1_000)
    const { id } = await program.pay()
    const answers = await Promise.all(
      ['paypal', 'wise', 'csv', 'paypal', 'wise', 'csv'].map((format) => program.file(id, { format })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 200, 200, 409, 200])
  })
})

describe('after lines are settled', () => {
  test('files stay available with the paid amounts, and change nothing', async () => {
    const { program, id, lineId } = await givenRefundedExport('paypal')
    const paidAt = service.clock.now().toISOString().slice(0, 10)
    await program.decide(id, lineId, { status: 'paid', reference: 'TX-1', paidAt })
    await wants(program, 'wise', 'other@example.com')
    const stored = () => service.db.selectFrom('payoutLines').selectAll().where('payoutId', '=', id).execute()
    const [before, balance] = [await stored(), await program.balance()]
    expect(await textOf(program, id, 'paypal')).toStartWith('pay@example.com,105.00,USD,')
    expect(await textOf(program, id, 'csv')).toContain(`,105.00,USD,paypal,pay@example.com,,paid,${paidAt},TX-1,false,`)
    expect((await program.file(id, { format: 'wise' })).status).toBe(409)
    expect(await stored()).toEqual(before)
    expect(await program.balance()).toEqual(balance)
  })

  test('a payment file has the unpaid lines; once all are paid, it repeats the paid ones', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const other = await givenLink(service, program.id)
    await wants(program, 'paypal', 'first@example.com')
    await wants(program, 'paypal', 'second@example.com', other.partnerId)
    await givenSale(program, 1_000)
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id: await givenClick(service, other) })
    await program.sale({ customer_key, amount: 2_000, invoice_id: 'in-2' })
    const { id, lines } = await program.pay()
    const recipients = async () => (await textOf(program, id, 'paypal')).match(/\w+@example.com/g)
    expect(await recipients()).toEqual(['first@example.com', 'second@example.com'])
    await program.decide(id, lines[0].id, { status: 'paid' })
    expect(await recipients()).toEqual(['second@example.com'])
    await program.decide(id, lines[1].id, { status: 'paid' })
    expect(await recipients()).toEqual(['first@example.com', 'second@example.com'])
  })

  test('a payment file does not repeat paid lines while an open line waits for payout details', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const other = await givenLink(service, program.id)
    await wants(program, 'paypal', 'first@example.com')
    await givenSale(program, 1_000)
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id: await givenClick(service, other) })
    await program.sale({ customer_key, amount: 2_000, invoice_id: 'in-2' })
    const { id, lines } = await program.pay()
    const first = lines.find(({ partnerId }: { partnerId: number }) => partnerId === program.link.partnerId)
    await program.decide(id, first.id, { status: 'paid' })
    const refused = await program.file(id, { format: 'paypal' })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('Needs details: Partner.')
  })

  test('a failed line is in no payment file', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await wants(program, 'paypal', 'pay@example.com')
    await givenSale(program, 1_000)
    const { id, lines } = await program.pay()
    await program.decide(id, lines[0].id, { status: 'failed' })
    expect((await program.file(id, { format: 'paypal' })).status).toBe(409)
    expect(await textOf(program, id, 'csv')).toContain(',1.00,USD,paypal,pay@example.com,Maya,failed,')
  })
})
