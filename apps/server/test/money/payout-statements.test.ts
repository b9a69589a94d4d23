import { describe, expect, test } from 'bun:test'
import { type Statement, statement } from '@tributary/contract'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenLink, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { recordDispute } from '../support/record-dispute.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const MERCHANT = { legalName: 'Acme GmbH', address: '1 Street\nBerlin', taxId: 'DE1', email: 'a@acme.example' }
const MAYA = { name: 'Maya Lindqvist', company: 'Maya AB', address: '2 Lane\nStockholm', taxId: 'SE1' }

const givenBilling = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const read = async (payout: { id: number; lines: { id: number }[] }) => {
    const { status, body } = await program.owner.call(
      'GET',
      `${program.api}/payouts/${payout.id}/lines/${payout.lines[0]?.id}/statement`,
    )
    expect(status).toBe(200)
    return statement.parse(body.data)
  }
  const mark = (payout: { id: number; lines: { id: number }[] }, body: object) =>
    program.decide(payout.id, payout.lines[0]?.id ?? 0, body)
  const verify = async () => {
    const { differences } = await verifyProgram(service.db, { programId: program.id, sealedBefore: null })
    expect(differences).toEqual([])
  }
  return { ...program, read, mark, verify }
}

/** Commission and amount of each item. */
const itemsOf = ({ items }: Statement) => Object.fromEntries(items.map((item) => [item.commissionId, item.amountCents]))

describe('the items of a statement add up to its total', () => {
  test('with each commission, and with refunds of commissions in earlier payouts as negative items', async () => {
    const program = await givenBilling()
    const one = await givenSale(program, 10_000)
    const two = await givenSale(program, 5_000)
    const first = await program.pay()
    expect(itemsOf(await program.read(first))).toEqual({
      [`${one.commission_id}`]: 1_000,
      [`${two.commission_id}`]: 500,
    })
    await program.mark(first, { status: 'paid' })
    await program.refund({ invoice_id: one.invoice_id, amount: 3_000 })
    const three = await givenSale(program, 20_000)
    const second = await program.read(await program.pay())
    expect(second).toMatchObject({ number: 2, totalCents: 1_700, broughtForwardCents: 0, reversedSinceCents: 0 })
    expect(itemsOf(second)).toEqual({ [`${one.commission_id}`]: -300, [`${three.commission_id}`]: 2_000 })
    expect(second.items.find(({ amountCents }) => amountCents > 0)).toMatchObject({
      kind: 'sale',
      saleId: three.sale_id,
      saleCents: 20_000,
      saleCurrency: 'USD',
      rateBps: 1_000,
      commissionCents: 2_000,
    })
    await program.verify()
  })

  test('without commissions that are still held', async () => {
    const program = await givenBilling()
    const paid = await givenSale(program, 10_000)
    await program.owner.call('PUT', `${program.api}/reward`, { ...REWARD, holdDays: 30 })
    await givenSale(program, 5_000)
    expect(itemsOf(await program.read(await program.pay()))).toEqual({ [`${paid.commission_id}`]: 1_000 })
    await program.verify()
  })

  test('after a failed payout, a refund in an open one, an overpayment and a dispute', async () => {
    const program = await givenBilling()
    const one = await givenSale(program, 10_000)
    const failed = await program.pay()
    await program.refund({ invoice_id: one.invoice_id, amount: 1_000 })
    await program.mark(failed, { status: 'failed' })
    const retried = await program.pay()
    expect(itemsOf(await program.read(retried))).toEqual({ [`${one.commission_id}`]: 900 })
    // Exported, then refunded, then paid as exported: the difference is a debt.
    await program.file(retried.id, { format: 'csv' })
    await program.refund({ invoice_id: one.invoice_id, amount: 4_000 })
    expect(await program.read(retried)).toMatchObject({ totalCents: 900, reversedSinceCents: 400, amountCents: 500 })
    await program.mark(retried, { status: 'paid' })
    expect(await program.read(retried)).toMatchObject({ status: 'paid', reversedSinceCents: 0, amountCents: 900 })
    const two = await givenSale(program, 20_000)
    const dispute = (status: 'open' | 'won') =>
      recordDispute(
        { db: service.db, clock: service.clock.now },
        { programId: program.id, invoiceId: two.invoice_id, disputeId: 'd', status },
      )
    const disputed = await program.pay()
    expect(itemsOf(await program.read(disputed))).toEqual({
      [`${one.commission_id}`]: -400,
      [`${two.commission_id}`]: 2_000,
    })
    await dispute('open')
    expect(await program.read(disputed)).toMatchObject({ totalCents: 1_600, amountCents: 0 })
    await dispute('won')
    const three = await givenSale(program, 1_000)
    const last = await program.read(await program.pay())
    expect(last.items.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(last.totalCents)
    expect(itemsOf(last)).toMatchObject({ [`${three.commission_id}`]: 100 })
    await program.verify()
  })
})

test('a line that refunds emptied keeps its statement, with nothing to pay', async () => {
  const program = await givenBilling()
  const { invoice_id } = await givenSale(program, 10_000)
  const payout = await program.pay()
  await program.refund({ invoice_id })
  expect(await program.read(payout)).toMatchObject({ status: 'failed', totalCents: 1_000, amountCents: 0 })
})

describe('statements are numbered per program', () => {
  test('without gaps, even if payouts are created concurrently or rejected', async () => {
    const program = await givenBilling()
    const other = await givenLink(service, program.id)
    await givenSale(program, 1_000)
    const create = (body: object) => program.owner.call('POST', `${program.api}/payouts`, body)
    expectRefusal(await create({ partnerIds: [other.partnerId] }), 409, 'conflict')
    await Promise.all([create({}), create({}), create({})])
    await givenSale(program, 1_000)
    await create({})
    const numbers = await service.db
      .selectFrom('payoutStatements')
      .select('number')
      .where('programId', '=', program.id)
      .orderBy('number')
      .execute()
    expect(numbers.map(({ number }) => number)).toEqual([1, 2])
    await program.verify()
  })

  test('and ledger:verify finds a changed item and a removed statement', async () => {
    const program = await givenBilling()
    await givenSale(program, 1_000)
    await program.pay()
    await givenSale(program, 1_000)
    await program.pay()
    const differences = async () =>
      (await verifyProgram(service.db, { programId: program.id, sealedBefore: null })).differences
    const items = service.db.updateTable('payoutStatementItems').where('programId', '=', program.id)
    await items.set({ amountCents: 99 }).execute()
    expect(await differences()).toEqual([
      expect.stringMatching(/^statement 1 has items of 99, but payout line \d+ reserved 100$/),
      expect.stringMatching(/^statement 2 has items of 99/),
    ])
    await items.set({ amountCents: 100 }).execute()
    const statements = service.db.deleteFrom('payoutStatements').where('programId', '=', program.id)
    await statements.where('number', '=', 2).execute()
    expect(await differences()).toEqual(['statement 2 is missing or beyond the latest number'])
  })
})

describe('legal details', () => {
  test('are on later statements, and a statement keeps those of its time', async () => {
    const program = await givenBilling()
    const partner = await givenPartner(program)
    const portal = `/api/portal/programs/${program.id}`
    await givenSale(program, 10_000)
    expect(await program.read(await program.pay())).toMatchObject({ merchant: null, partner: null, selfBilling: false })
    const set = (details: object) => program.owner.call('PUT', `${program.api}/legal-details`, details)
    expect((await set({ ...MERCHANT, selfBilling: true })).body.data).toMatchObject({ ...MERCHANT, selfBilling: true })
    expect((await partner.call('PUT', `${portal}/legal-details`, MAYA)).body.data).toMatchObject(MAYA)
    const sold = await givenSale(program, 5_000)
    const bonus = { type: 'bonus', partnerId: program.link.partnerId, amountCents: 100, reason: 'Best of May' }
    await program.owner.call('POST', `${program.api}/adjustments`, bonus)
    const payout = await program.pay()
    await set({ ...MERCHANT, legalName: 'Renamed' })
    await partner.call('PUT', `${portal}/legal-details`, { ...MAYA, address: 'Elsewhere' })
    const kept = await program.read(payout)
    expect(kept).toMatchObject({ number: 2, merchant: MERCHANT, partner: MAYA, selfBilling: true })
    const own = await partner.call('GET', `${portal}/payouts/${payout.lines[0].id}/statement`)
    // Partners see why they got a bonus, but not who bought.
    const { invoice_id: invoiceId, customer_key: customerKey } = sold
    expect(kept.items).toMatchObject([{ kind: 'sale', invoiceId, customerKey }, { reason: 'Best of May' }])
    const items = kept.items.map((item) => ({ ...item, invoiceId: null, customerKey: null }))
    expect(statement.parse(own.body.data)).toEqual({ ...kept, items })
    const billing = await givenUser(service)
    await givenRole(service, program.workspaceId, billing, 'billing')
    const line = `${program.api}/payouts/${payout.id}/lines/${payout.lines[0].id}/statement`
    expect((await billing.call('GET', line)).body.data.items).toEqual(items)
    const { data } = (await program.owner.call('GET', `${program.api}/audit?search=legal+details`)).body
    expect(data).toMatchObject([
      { action: 'partner legal details changed', byPartner: true, after: { address: 'Elsewhere' } },
      { action: 'legal details changed', after: { legalName: 'Renamed', selfBilling: false } },
      { action: 'partner legal details changed' },
      { action: 'legal details changed' },
    ])
  })

  test('of a partner, and statements, are shown only to members who manage payouts and to the partner', async () => {
    const program = await givenBilling()
    const partner = await givenPartner(program)
    const theirs = await givenPartner(program, await givenLink(service, program.id))
    const portal = `/api/portal/programs/${program.id}`
    await partner.call('PUT', `${portal}/legal-details`, MAYA)
    await givenSale(program, 10_000)
    const { id, lines } = await program.pay()
    const line = `${program.api}/payouts/${id}/lines/${lines[0].id}`
    const member = await givenUser(service)
    await givenRole(service, program.workspaceId, member, 'member')
    const stranger = await givenUser(service)
    expectRefusal(await service.call('GET', `${line}/statement`), 401, 'unauthenticated')
    for (const user of [member, stranger]) expectRefusal(await user.call('GET', `${line}/statement`), 403, 'forbidden')
    const shown = (user: typeof member) => user.call('GET', `${program.api}/partners/${program.link.partnerId}`)
    expect((await shown(member)).body.data.legalDetails).toBeNull()
    expect((await shown(program.owner)).body.data.legalDetails).toMatchObject(MAYA)
    expectRefusal(await theirs.call('GET', `${portal}/payouts/${lines[0].id}/statement`), 404, 'not_found')
    expect((await theirs.call('GET', `${portal}/legal-details`)).body.data).toBeNull()
  })

  test('are checked, and need program:update', async () => {
    const program = await givenBilling()
    const path = `${program.api}/legal-details`
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    expectRefusal(await viewer.call('PUT', path, MERCHANT), 403, 'forbidden')
    for (const [body, field] of [
      [{ ...MERCHANT, legalName: '' }, 'legalName'],
      [{ ...MERCHANT, address: 'x'.repeat(501) }, 'address'],
      [{ ...MERCHANT, email: 'nobody' }, 'email'],
      [{ ...MERCHANT, selfBilling: 'yes' }, 'selfBilling'],
    ] as const) {
      const answer = await program.owner.call('PUT', path, body)
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error.field).toBe(field)
    }
    expect((await viewer.call('GET', path)).body.data).toBeNull()
  })
})
