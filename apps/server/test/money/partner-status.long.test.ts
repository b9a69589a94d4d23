import { describe, expect, test } from 'bun:test'
import { balanceRow, commissionRow, payoutLine } from '@tributary/contract'
import { click, expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

type Status = 'pending' | 'approved' | 'rejected' | 'suspended'

const setStatus = async ({ owner, api, link }: PayingProgram, status: Status, partnerId = link.partnerId) => {
  const changed = await owner.call('PATCH', `${api}/partners/${partnerId}`, { status })
  expect(changed).toMatchObject({ status: 200, body: { data: { status } } })
}
const sell = async (program: PayingProgram, customer_key: string, amount = 1_000) => {
  const { status, body } = await program.sale({ customer_key, amount, invoice_id: unique('invoice') })
  expect({ status, attributed: body.attributed }).toEqual({ status: 200, attributed: true })
  return body as { sale_id: number; commission_id: number }
}
const find = async ({ commissions }: PayingProgram, id: number) =>
  commissionRow.parse((await commissions()).find((row: { id: number }) => row.id === id))
const explained = async ({ owner, api }: PayingProgram, saleId: number): Promise<string> =>
  (await owner.call('GET', `${api}/sales/${saleId}/explain`)).body.data.sentences.join(' ')
const exported = ({ api, owner }: PayingProgram, payoutId: number, format: string) =>
  owner.call('POST', `${api}/payouts/${payoutId}/export`, { format })
const textOf = async (program: PayingProgram, payoutId: number, format: string) => {
  const answer = await program.file(payoutId, { format })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Two partners, paid by PayPal, with an open line each in one payout: $1.00 for the first and $5.00 for the other. */
const givenTwoOpenLines = async () => {
  const program = await givenPayingProgram(service, { ...REWARD, lead: null })
  const other = await givenLink(service, program.id)
  for (const { partnerId, account } of [
    { ...program.link, account: 'own@example.com' },
    { ...other, account: 'other@example.com' },
  ])
    await givenPayoutDetails(service, { programId: program.id, partnerId, method: 'paypal', account })
  await sell(program, await program.customer())
  const customer_key = unique('customer')
  await program.lead({ customer_key, click_id: await givenClick(service, other) })
  await sell(program, customer_key, 5_000)
  return { program, other, batch: await program.pay() }
}

for (const status of ['suspended', 'rejected'] as const)
  describe(`a ${status} partner`, () => {
    test('has links that answer 410, and sales of customers bound earlier go to review', async () => {
      const program = await givenPayingProgram(service, { ...REWARD, lead: null })
      const customer = await program.customer()
      await setStatus(program, status)
      expectRefusal(await click(service, { affiliate_url: program.link.url }), 410, 'link_disabled')
      const { sale_id, commission_id } = await sell(program, customer)
      expect(await find(program, commission_id)).toMatchObject({
        state: 'review',
        reviewReason: 'partner_suspended',
        amountCents: 100,
        partnerId: program.link.partnerId,
      })
      expect(await program.balance()).toMatchObject({ payableCents: 0, heldCents: 0, reviewCents: 100 })
      expect(await explained(program, sale_id)).toContain(`which went to review because the partner was ${status}.`)
    })

    test('keeps an earlier click: its lead settles, and the lead commission goes to review', async () => {
      const program = await givenPayingProgram(service, { ...REWARD, sale: null })
      const click_id = await givenClick(service, program.link)
      await setStatus(program, status)
      const { status: answer, body } = await program.lead({ click_id, customer_key: 'late' })
      expect({ answer, click_id: body.click_id }).toEqual({ answer: 200, click_id })
      expect(await program.commissions()).toMatchObject([
        { kind: 'lead', state: 'review', reviewReason: 'partner_suspended' },
      ])
    })

    test('is left out of payouts until reinstated, with earlier earnings held', async () => {
      const program = await givenPayingProgram(service, { ...REWARD, lead: null })
      const customer = await program.customer()
      const before = await sell(program, customer)
      await setStatus(program, status)
      const after = await sell(program, customer, 3_000)
      const held = { state: 'held', heldForApproval: true, amountCents: 100 }
      expect(await find(program, before.commission_id)).toMatchObject(held)
      expect(await program.balance()).toMatchObject({ heldCents: 100, payableCents: 0, reviewCents: 300 })
      const listed = async (state: string) =>
        (await program.owner.call('GET', `${program.api}/commissions?state=${state}`)).body.data.length
      expect([await listed('held'), await listed('payable')]).toEqual([1, 0])
      const { data: totals } = (await program.owner.call('GET', `${program.api}/commissions/totals`)).body
      expect(totals).toMatchObject([
        { state: 'held', amountCents: 100 },
        { state: 'review', amountCents: 300 },
      ])
      expect(await explained(program, before.sale_id)).toContain(`$1.00 is held while the partner is ${status}.`)
      expect((await program.owner.call('GET', `${program.api}/payouts/preview`)).body.data).toEqual([])
      expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')

      // Other partners are paid meanwhile.
      const other = await givenLink(service, program.id)
      const customer_key = unique('customer')
      await program.lead({ customer_key, click_id: await givenClick(service, other) })
      await sell(program, customer_key, 5_000)
      expect((await program.pay()).lines).toMatchObject([{ partnerId: other.partnerId, amountCents: 500 }])

      await setStatus(program, 'approved')
      expect(await find(program, before.commission_id)).toMatchObject({ state: 'payable', heldForApproval: false })
      expect(await find(program, after.commission_id)).toMatchObject({ state: 'review' })
      expect((await program.pay()).lines).toMatchObject([{ partnerId: program.link.partnerId, amountCents: 100 }])
    })

    test('has commissions in review that the owner releases or rejects one by one', async () => {
      const program = await givenPayingProgram(service, { ...REWARD, lead: null })
      const customer = await program.customer()
      await setStatus(program, status)
      const [first, second] = [await sell(program, customer), await sell(program, customer, 3_000)]
      const decide = (id: number, decision: string) =>
        program.owner.call('POST', `${program.api}/commissions/${id}/review`, { decision, reason: 'checked' })
      expect((await decide(first.commission_id, 'released')).body.data).toMatchObject({ state: 'held' })
      expect((await decide(second.commission_id, 'rejected')).body.data).toMatchObject({ state: 'reversed' })
      // Released, it is in the balance but still not paid.
      expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
      await setStatus(program, 'approved')
      expect((await program.pay()).lines).toMatchObject([{ amountCents: 100 }])
    })

    test('with an open payout line is in no payment file; csv lists the line without exporting it', async () => {
      const { program, other, batch } = await givenTwoOpenLines()
      await setStatus(program, status)
      expect(await textOf(program, batch.id, 'paypal')).toMatch(/^other@example.com,[^\n]*\n$/)
      const rows = (await textOf(program, batch.id, 'csv')).trim().split('\r\n')
      expect(rows).toHaveLength(3)
      expect(rows[0]).toEndWith(',destination_held_until,partner_status')
      expect(rows.find((row) => row.includes(`,${program.link.partnerCode},`))).toEndWith(`,${status}`)
      expect(rows.find((row) => row.includes(`,${other.partnerCode},`))).toEndWith(',approved')
      const { data } = (await program.owner.call('GET', `${program.api}/payouts/${batch.id}/lines`)).body
      const lines = data.map((line: unknown) => payoutLine.parse(line))
      const lineOf = (id: number) => lines.find(({ partnerId }: { partnerId: number }) => partnerId === id)
      const left = { status: 'open', amountCents: 100, partnerStatus: status, exportedCents: null }
      expect(lineOf(program.link.partnerId)).toMatchObject(left)
      expect(lineOf(other.partnerId)).toMatchObject({ exportedCents: 500 })

      await setStatus(program, 'approved')
      expect((await textOf(program, batch.id, 'paypal')).trim().split('\r\n')).toHaveLength(2)
    })

    test('with an open payout line does not make a payment file repeat paid lines', async () => {
      const { program, other, batch } = await givenTwoOpenLines()
      const { id } = batch.lines.find(({ partnerId }: { partnerId: number }) => partnerId === other.partnerId)
      await program.decide(batch.id, id, { status: 'paid' })
      await setStatus(program, status)
      const refused = await exported(program, batch.id, 'paypal')
      expectRefusal(refused, 409, 'conflict')
      expect(refused.body.error.message).toBe(
        'No line of this payout can be paid by PayPal right now. Not approved: Partner. Already paid without a payment file: Partner.',
      )
    })

    test('alone in a payout makes a payment file a conflict that names the reason', async () => {
      const program = await givenPayingProgram(service, { ...REWARD, lead: null })
      await sell(program, await program.customer())
      const batch = await program.pay()
      await setStatus(program, status)
      const refused = await exported(program, batch.id, 'wise')
      expectRefusal(refused, 409, 'conflict')
      expect(refused.body.error.message).toContain('Not approved: Partner.')
      expect(await textOf(program, batch.id, 'csv')).toContain(',open,')
    })
  })

describe('a pending partner', () => {
  test('records clicks and earns, and everything is held until approval, whatever its payable date', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, holdDays: 10 })
    await setStatus(program, 'pending')
    const { sale_id, commission_id } = await sell(program, await program.customer())
    service.clock.advance(20 * DAY_MS)
    expect(await find(program, commission_id)).toMatchObject({ state: 'held', heldForApproval: true })
    expect(balanceRow.parse(await program.balance())).toMatchObject({ heldCents: 200, payableCents: 0 })
    expect((await program.owner.call('GET', `${program.api}/commissions?state=payable`)).body.data).toEqual([])
    expect((await program.owner.call('GET', `${program.api}/payouts/preview`)).body.data).toEqual([])
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    expect(await explained(program, sale_id)).toContain('$1.00 is not payable until the partner is approved.')

    await setStatus(program, 'approved')
    expect(await find(program, commission_id)).toMatchObject({ state: 'payable', heldForApproval: false })
    expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: 200 })
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 200 }])
  })

  test('approved before the end of the hold period waits for the rest of it', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, lead: null, holdDays: 10 })
    await setStatus(program, 'pending')
    const { commission_id } = await sell(program, await program.customer())
    await setStatus(program, 'approved')
    expect(await find(program, commission_id)).toMatchObject({ state: 'held', heldForApproval: false })
    service.clock.advance(11 * DAY_MS)
    expect(await find(program, commission_id)).toMatchObject({ state: 'payable' })
  })

  test('who is rejected keeps the commissions in the ledger and is not paid', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, lead: null })
    await setStatus(program, 'pending')
    const { commission_id } = await sell(program, await program.customer())
    await setStatus(program, 'rejected')
    expect(await find(program, commission_id)).toMatchObject({ state: 'held', amountCents: 100, reversedCents: 0 })
    expect(await program.balance()).toMatchObject({ heldCents: 100, payableCents: 0 })
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
  })

  test('owes earlier overpayments: a debt stays a negative payable balance', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, lead: null })
    const invoice_id = unique('invoice')
    await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id })
    const batch = await program.pay()
    await program.decide(batch.id, batch.lines[0].id, { status: 'paid' })
    await setStatus(program, 'pending')
    await program.refund({ invoice_id })
    expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: -100, paidCents: 100 })
  })
})
