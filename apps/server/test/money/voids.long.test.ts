import { describe, expect, test } from 'bun:test'
import { auditEntry, commissionRow, portalEarning } from '@tributary/contract'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenClick, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { recordDispute } from '../support/record-dispute.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const voidIt = (
  { owner, api }: PayingProgram,
  id: number | null,
  reason: unknown = 'Coupon site traffic',
  by = owner,
) => by.call('POST', `${api}/commissions/${id}/void`, { reason })
const find = async ({ commissions }: PayingProgram, id: number | null) =>
  commissionRow.parse((await commissions()).find((row: { id: number }) => row.id === id))

const givenSold = async (reward: object = REWARD) => {
  const program = await givenPayingProgram(service, reward)
  const sold = await givenSale(program, 1_000)
  const dispute = (status: 'open' | 'won' | 'lost', disputeId = 'd-1') =>
    recordDispute(
      { db: service.db, clock: service.clock.now },
      { programId: program.id, invoiceId: sold.invoice_id, disputeId, status },
    )
  return { program, sold, dispute }
}
const expectZero = async (program: PayingProgram, id: number | null) => {
  expect(await find(program, id)).toMatchObject({
    state: 'reversed',
    reversedCents: 100,
    voidReason: 'Coupon site traffic',
  })
  expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: 0, reviewCents: 0, disputedCents: 0 })
}

describe('a voided commission', () => {
  test('leaves the balance, with an audited reason, and cannot be voided twice', async () => {
    const { program, sold } = await givenSold()
    const answer = await voidIt(program, sold.commission_id, '  Coupon site traffic ')
    expect(answer.status).toBe(200)
    expect(commissionRow.parse(answer.body.data)).toMatchObject({ state: 'reversed', reviewReason: 'voided' })
    await expectZero(program, sold.commission_id)
    const again = await voidIt(program, sold.commission_id)
    expectRefusal(again, 409, 'conflict')
    expect(again.body.error.message).toContain('already voided')
    const [entry] = (await program.owner.call('GET', `${program.api}/audit`)).body.data
    expect(auditEntry.parse(entry)).toMatchObject({
      action: 'commission voided',
      subject: `commission ${sold.commission_id}`,
      before: { leftCents: 100, currency: 'USD' },
      after: { reason: 'Coupon site traffic' },
    })
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
  })

  test('needs a reason of 3 to 500 characters, and a commission of the program', async () => {
    const { program, sold } = await givenSold()
    for (const reason of [undefined, null, 1, '', '   ', 'no', 'x'.repeat(501)])
      expectRefusal(
        await program.owner.call('POST', `${program.api}/commissions/${sold.commission_id}/void`, { reason }),
        400,
        'invalid_request',
      )
    expect((await voidIt(program, 987_654)).status).toBe(404)
    expect(await find(program, sold.commission_id)).toMatchObject({ state: 'payable', voidReason: null })
  })

  test('needs payout:manage', async () => {
    const { program, sold } = await givenSold()
    for (const role of ['member', 'viewer']) {
      const user = await givenUser(service)
      await givenRole(service, program.workspaceId, user, role)
      expectRefusal(await voidIt(program, sold.commission_id, 'not ours', user), 403, 'forbidden')
    }
    const billing = await givenUser(service)
    await givenRole(service, program.workspaceId, billing, 'billing')
    expect((await voidIt(program, sold.commission_id, 'not ours', billing)).status).toBe(200)
  })

  test('that was paid is a debt, netted by the next payout', async () => {
    const { program, sold } = await givenSold()
    const batch = await program.pay()
    await program.decide(batch.id, batch.lines[0].id, { status: 'paid' })
    await voidIt(program, sold.commission_id)
    expect(await program.balance()).toMatchObject({ payableCents: -100, paidCents: 100 })
    await givenSale(program, 3_000)
    expect((await program.pay()).lines).toMatchObject([{ amountCents: 200 }])
  })

  test('leaves the open payout that contained it', async () => {
    const { program, sold } = await givenSold()
    await givenSale(program, 3_000)
    const batch = await program.pay()
    await voidIt(program, sold.commission_id)
    expect((await program.owner.call('GET', `${program.api}/payouts/${batch.id}`)).body.data.lines).toMatchObject([
      { status: 'open', amountCents: 300 },
    ])
  })

  test('may have been in review or released, but not rejected', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const customer_key = await program.customer()
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'suspended' })
    const sell = async () =>
      (await program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })).body.commission_id as number
    const review = (id: number, decision: string) =>
      program.owner.call('POST', `${program.api}/commissions/${id}/review`, { decision, reason: 'looked' })
    const [waiting, released, rejected] = [await sell(), await sell(), await sell()]
    await review(released, 'released')
    await review(rejected, 'rejected')
    for (const id of [waiting, released]) expect((await voidIt(program, id)).status).toBe(200)
    const refused = await voidIt(program, rejected)
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.message).toContain('rejected')
    expectRefusal(await review(waiting, 'released'), 409, 'conflict')
    expect(await program.balance()).toMatchObject({ payableCents: 0, reviewCents: 0 })
    expect(await find(program, rejected)).toMatchObject({ voidReason: null })
  })

  test('of a lead works the same', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 100 }, holdDays: 0 })
    await program.lead({ customer_key: 'c', click_id: await givenClick(service, program.link) })
    const [{ id, leadId }] = await program.commissions()
    expect((await voidIt(program, id)).status).toBe(200)
    await expectZero(program, id)
    const { sentences } = (await program.owner.call('GET', `${program.api}/leads/${leadId}/explain`)).body.data
    expect(sentences.join(' ')).toContain('Sam Reed voided the commission: “Coupon site traffic”.')
  })

  test('is explained with the member and the reason, and the partner sees the reason without a name', async () => {
    const { program, sold } = await givenSold()
    const partner = await givenPartner(program)
    await voidIt(program, sold.commission_id)
    const { sentences, timeline } = (await program.owner.call('GET', `${program.api}/sales/${sold.sale_id}/explain`))
      .body.data
    expect(sentences.join(' ')).toContain('Sam Reed voided the commission: “Coupon site traffic”.')
    expect(timeline.at(-1)).toMatchObject({ event: 'review', outcome: 'reversed', reason: 'commission_voided' })
    const portal = `/api/portal/programs/${program.id}/earnings`
    const [earning] = (await partner.call('GET', portal)).body.data
    expect(portalEarning.parse(earning)).toMatchObject({
      state: 'reversed',
      voidReason: 'Coupon site traffic',
      because: ['The program voided the commission: “Coupon site traffic”.'],
    })
    const { body } = await partner.call('GET', `${portal}/${earning.id}`)
    expect(body.data.story.join(' ')).toContain('The program voided the commission: “Coupon site traffic”')
    expect(JSON.stringify(body)).not.toContain('Sam Reed')
  })
})

describe('a voided commission stays at zero after', () => {
  test('a refund', async () => {
    const { program, sold } = await givenSold()
    await voidIt(program, sold.commission_id)
    await program.refund({ invoice_id: sold.invoice_id, amount: 400 })
    await expectZero(program, sold.commission_id)
  })

  test('a dispute that opens and is won, and one that was open', async () => {
    for (const opensBefore of [true, false]) {
      const { program, sold, dispute } = await givenSold()
      if (opensBefore) await dispute('open')
      await voidIt(program, sold.commission_id)
      if (!opensBefore) await dispute('open')
      await expectZero(program, sold.commission_id)
      await dispute('won')
      await expectZero(program, sold.commission_id)
    }
  })

  test('many concurrent voids: one answers 200', async () => {
    const { program, sold } = await givenSold()
    const answers = await Promise.all(Array.from({ length: 5 }, () => voidIt(program, sold.commission_id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    await expectZero(program, sold.commission_id)
  })

  test('a full refund, and a void concurrent with a refund', async () => {
    const { program, sold } = await givenSold()
    await program.refund({ invoice_id: sold.invoice_id })
    expect((await voidIt(program, sold.commission_id)).status).toBe(200)
    await expectZero(program, sold.commission_id)
    const next = await givenSold()
    await Promise.all([
      voidIt(next.program, next.sold.commission_id),
      next.program.refund({ invoice_id: next.sold.invoice_id }),
    ])
    await expectZero(next.program, next.sold.commission_id)
  })
})
