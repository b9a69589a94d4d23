import { describe, expect, test } from 'bun:test'
import { adjustment, commissionRow, explanation, portalEarning } from '@tributary/contract'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenClick, unique } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { type Adjusted, givenAdjusted } from './given-adjustments.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)
const adjusted = (reward?: object) => givenAdjusted(service, reward)
const pay = async (program: Adjusted) => {
  const batch = await program.pay()
  await program.decide(batch.id, batch.lines[0].id, { status: 'paid' })
}

describe('a bonus', () => {
  test('is payable immediately, is paid out, and the partner sees the reason', async () => {
    const program = await adjusted()
    const partner = await givenPartner(program)
    const bonus = await program.adjust({
      type: 'bonus',
      partnerId: program.link.partnerId,
      amountCents: 5_000,
      reason: ' Best of May ',
      note: 'from Anna',
    })
    expect(bonus).toMatchObject({ reason: 'Best of May', note: 'from Anna', createdBy: 'Sam Reed', reversed: null })
    const [row] = await program.commissions()
    expect(commissionRow.parse(row)).toMatchObject({
      kind: 'bonus',
      saleId: null,
      leadId: null,
      termsVersion: null,
      state: 'payable',
      byHand: true,
      adjustment: { id: bonus.id, type: 'bonus', reason: 'Best of May', reversed: false },
    })
    expect(await program.balance()).toMatchObject({ payableCents: 5_000 })
    await pay(program)
    expect(await program.balance()).toMatchObject({ payableCents: 0, paidCents: 5_000 })
    const portal = `/api/portal/programs/${program.id}/earnings`
    const [earning] = (await partner.call('GET', portal)).body.data
    expect(portalEarning.parse(earning)).toMatchObject({ kind: 'bonus', reason: 'Best of May', state: 'paid' })
    const { body } = await partner.call('GET', `${portal}/${earning.id}`)
    expect(body.data.story).toEqual(['The program added a bonus: “Best of May”.'])
    expect(JSON.stringify(body)).not.toContain('Anna')
    const csv = await fetch(`${service.url}${program.api}/commissions?format=csv`, {
      headers: { cookie: program.owner.cookie },
    })
    expect(await csv.text()).toContain(',bonus,')
    expect(await program.differences()).toEqual([])
  })

  test('that was paid and is undone is a debt, and can be undone once', async () => {
    const program = await adjusted()
    const { id } = await program.adjust({ type: 'bonus', partnerId: program.ben.partnerId, amountCents: 700 })
    await pay(program)
    const answer = await program.undo(id)
    expect(adjustment.parse(answer.body.data)).toMatchObject({ reversed: { reason: 'A mistake', by: 'Sam Reed' } })
    expect(await program.owed()).toEqual([0, -700])
    expectRefusal(await program.undo(id), 409, 'conflict')
    expect(await program.owed()).toEqual([0, -700])
    expect(await program.differences()).toEqual([])
  })

  test('of a suspended partner waits for review, and of a pending one for approval', async () => {
    const program = await adjusted()
    const partner = `${program.api}/partners/${program.ben.partnerId}`
    await program.owner.call('PATCH', partner, { status: 'suspended' })
    await program.adjust({ type: 'bonus', partnerId: program.ben.partnerId, amountCents: 300 })
    const [row] = await program.commissions()
    expect(row).toMatchObject({ state: 'review', reviewReasons: ['partner_suspended'] })
    const review = { decision: 'released', reason: 'agreed' }
    expect((await program.owner.call('POST', `${program.api}/commissions/${row.id}/review`, review)).status).toBe(200)
    expect(await program.balance(program.ben.partnerId)).toMatchObject({ reviewCents: 0, heldCents: 300 })
    await program.owner.call('PATCH', partner, { status: 'pending' })
    expect((await program.commissions())[0]).toMatchObject({ state: 'held', heldForApproval: true })
    expect(await program.differences()).toEqual([])
  })

  test('is not reduced by refunds, and the same idempotency key adds it once', async () => {
    const program = await adjusted()
    const sold = await program.soldByPartner()
    const body = { type: 'bonus', partnerId: program.link.partnerId, amountCents: 40, idempotencyKey: unique('key') }
    const answers = await Promise.all(Array.from({ length: 4 }, () => program.call(body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1)
    expectRefusal(await program.call({ ...body, amountCents: 41 }), 409, 'idempotency_key_reused')
    await program.refund({ invoice_id: sold.invoice_id })
    expect(await program.owed()).toEqual([40, 0])
  })

  test('cannot be blocked by a call with an API key that uses the same Idempotency-Key', async () => {
    const program = await adjusted()
    const sold = await program.soldByPartner()
    const idempotencyKey = unique('key')
    const refund = { invoice_id: sold.invoice_id, amount: 1 }
    for (const key of [idempotencyKey, `adjustment ${idempotencyKey}`]) {
      const headers = { authorization: `Bearer ${program.key}`, 'idempotency-key': key }
      for (const replayed of [null, 'true']) {
        const answer = await service.call('POST', '/api/v1/track/refund', refund, headers)
        expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, replayed])
      }
    }
    const bonus = { type: 'bonus', partnerId: program.link.partnerId, amountCents: 40, idempotencyKey }
    expect((await program.call(bonus)).status).toBe(201)
  })
})

test('a manual commission follows the hold period, unless told otherwise, and only refers to its sale', async () => {
  const program = await adjusted({ sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 7 })
  const sold = await program.soldByPartner()
  const manual = { type: 'commission', partnerId: program.ben.partnerId, amountCents: 250, saleId: sold.sale_id }
  const { payableAt } = await program.adjust(manual)
  expect(Date.parse(payableAt ?? '') - service.clock.now().getTime()).toBeCloseTo(7 * DAY_MS, -4)
  const later = new Date(service.clock.now().getTime() + 30 * DAY_MS).toISOString()
  expect((await program.adjust({ ...manual, payableAt: later })).payableAt).toBe(later)
  const tooLate = new Date(service.clock.now().getTime() + 400 * DAY_MS).toISOString()
  expectRefusal(await program.call({ ...manual, payableAt: tooLate }), 400, 'invalid_request')
  await program.refund({ invoice_id: sold.invoice_id })
  expect(await program.owed()).toEqual([0, 500])
  expect((await program.commissions())[0]).toMatchObject({ kind: 'manual', saleId: null, state: 'held' })
  expect(await program.differences()).toEqual([])
})

describe('an uncredited sale credited to a partner', () => {
  test('pays by the terms of its moment, and refunds and disputes reduce it like any other', async () => {
    const program = await adjusted()
    const sold = await program.soldByNoOne()
    service.clock.advance(1_000)
    await program.owner.call('PUT', `${program.api}/reward`, {
      sale: { percentBps: 5_000, duration: 'first' },
      holdDays: 0,
    })
    const { id } = await program.adjust({ type: 'credit', saleId: sold.sale_id, partnerId: program.ben.partnerId })
    expect(await program.owed()).toEqual([0, 100])
    expect(await program.saleRow(sold.sale_id)).toMatchObject({
      state: 'credited',
      partnerId: program.ben.partnerId,
      reason: null,
      commissionCents: 100,
      adjustmentId: id,
      adjustmentType: 'credit',
    })
    await program.refund({ invoice_id: sold.invoice_id, amount: 400 })
    expect(await program.owed()).toEqual([0, 60])
    await program.dispute(sold.invoice_id, 'open')
    expect(await program.balance(program.ben.partnerId)).toMatchObject({ disputedCents: 60, payableCents: 0 })
    await program.dispute(sold.invoice_id, 'lost')
    expect(await program.owed()).toEqual([0, 0])
    const { outcome, reason, sentences } = explanation.parse(await program.explainSale(sold.sale_id))
    expect({ outcome, reason }).toEqual({ outcome: 'credited', reason: 'credited_by_hand' })
    expect(sentences.join(' ')).toContain('Sam Reed credited the sale manually: “Asked by mail”.')
    expect(sentences.join(' ')).toContain('because part of the sale was refunded')
    expect(await program.differences()).toEqual([])
  })

  test('is not paid twice by a late lead; undone, the automatic rules decide', async () => {
    const program = await adjusted()
    const customer_key = unique('late')
    const click_id = await givenClick(service, program.link)
    service.clock.advance(1_000)
    const sold = await program.soldByNoOne(1_000, customer_key)
    const { id } = await program.adjust({ type: 'credit', saleId: sold.sale_id, partnerId: program.ben.partnerId })
    expect((await program.lead({ customer_key, click_id })).status).toBe(200)
    expect(await program.owed()).toEqual([0, 100])
    expect(await program.saleRow(sold.sale_id)).toMatchObject({ partnerId: program.ben.partnerId })
    expect(await program.differences()).toEqual([])
    expect((await program.undo(id)).status).toBe(200)
    expect(await program.owed()).toEqual([100, 0])
    expect(await program.saleRow(sold.sale_id)).toMatchObject({
      partnerId: program.link.partnerId,
      adjustmentId: null,
      adjustmentType: null,
    })
    expect(await program.differences()).toEqual([])
  })

  test('lists under its partner and leaves the uncredited ones', async () => {
    const program = await adjusted()
    const sold = await program.soldByNoOne()
    const ids = async (query: string) =>
      (await program.owner.call('GET', `${program.api}/sales?${query}`)).body.data.map(({ id }: { id: number }) => id)
    expect(await ids('state=uncredited')).toEqual([sold.sale_id])
    await program.adjust({ type: 'credit', saleId: sold.sale_id, partnerId: program.ben.partnerId })
    expect(await ids('state=uncredited')).toEqual([])
    expect(await ids('state=credited')).toEqual([sold.sale_id])
    expect(await ids(`partnerId=${program.ben.partnerId}`)).toEqual([sold.sale_id])
    expect(await ids(`partnerId=${program.link.partnerId}`)).toEqual([])
  })
})

describe('a sale moved to another partner', () => {
  test('is taken back as a debt if paid, and only this sale moves', async () => {
    const program = await adjusted()
    const partner = await givenPartner(program)
    const sold = await program.soldByPartner()
    await pay(program)
    const move = { type: 'move', saleId: sold.sale_id, partnerId: program.ben.partnerId }
    const { body } = await program.call(move, '/preview')
    expect(body.data.changes).toMatchObject([
      { partnerId: program.link.partnerId, amountCents: -100, debtCents: 100, payableAt: null },
      { partnerId: program.ben.partnerId, partnerStatus: 'approved', amountCents: 100, debtCents: 0 },
    ])
    expect(await program.owed()).toEqual([0, 0])
    await program.adjust(move)
    expect(await program.owed()).toEqual([-100, 100])
    await program.sale({ customer_key: sold.customer_key, amount: 2_000, invoice_id: unique('invoice') })
    expect(await program.owed()).toEqual([100, 100])
    const portal = `/api/portal/programs/${program.id}/earnings`
    const earnings = (await partner.call('GET', portal)).body.data
    const taken = earnings.find(({ state }: { state: string }) => state === 'reversed')
    expect(taken.because).toEqual(['The program moved the sale to another partner: “Asked by mail”.'])
    const { story } = (await partner.call('GET', `${portal}/${taken.id}`)).body.data
    expect(story[0]).toStartWith('A sale was credited to you because ')
    expect(story.at(-1)).toStartWith('The program moved the sale from you to another partner: ')
    expect(story.join(' ').match(/moved/g)).toHaveLength(1)
    const { sentences } = await program.explainSale(sold.sale_id)
    expect(sentences[0]).toMatch(
      /^Sale .+ was moved from .+ to .+ by Sam Reed: “Asked by mail”\. Only this sale was moved\.$/,
    )
    expect(sentences[1]).toMatch(/^Before that, it was credited to /)
    expect(await program.differences()).toEqual([])
  })

  test('can move on; undone in any order, the last decision that was not undone counts', async () => {
    const program = await adjusted()
    const sold = await program.soldByPartner()
    const [maya, ben] = [program.link.partnerId, program.ben.partnerId]
    const move = (partnerId: number) => program.adjust({ type: 'move', saleId: sold.sale_id, partnerId })
    const first = await move(ben)
    const second = await move(maya)
    expect(await program.owed()).toEqual([100, 0])
    const third = await move(ben)
    await program.refund({ invoice_id: sold.invoice_id, amount: 500 })
    expect(await program.owed()).toEqual([0, 50])
    await program.undo(second.id)
    expect(await program.owed()).toEqual([0, 50])
    await program.undo(third.id)
    expect(await program.owed()).toEqual([0, 50])
    expect(await program.saleRow(sold.sale_id)).toMatchObject({ adjustmentId: first.id, adjustmentType: 'move' })
    const [listed] = (await program.owner.call('GET', `${program.api}/sales?sort=-commissionCents`)).body.data
    expect(listed).toMatchObject({ adjustmentId: first.id, adjustmentType: 'move' })
    await program.undo(first.id)
    expect(await program.owed()).toEqual([50, 0])
    expect(await program.differences()).toEqual([])
  })

  test('by two members concurrently: one wins', async () => {
    const program = await adjusted()
    const sold = await program.soldByPartner()
    const third = await service.db
      .insertInto('partners')
      .values({ programId: program.id, name: 'Cem', code: unique('cem'), status: 'approved', createdAt: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answers = await Promise.all(
      [program.ben.partnerId, third.id].map((partnerId) =>
        program.call({ type: 'move', saleId: sold.sale_id, partnerId, fromPartnerId: program.link.partnerId }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await program.differences()).toEqual([])
  })
})

test('a void is undone: the commission returns to where the reports say by then', async () => {
  const program = await adjusted()
  const sold = await program.soldByPartner()
  const body = { type: 'void', commissionId: sold.commission_id }
  const { id } = await program.adjust(body)
  await program.refund({ invoice_id: sold.invoice_id, amount: 300 })
  expect(await program.owed()).toEqual([0, 0])
  expectRefusal(await program.call(body), 409, 'conflict')
  expect((await program.commissions())[0]).toMatchObject({
    voidReason: 'Asked by mail',
    adjustment: { id, type: 'void' },
  })
  expect((await program.undo(id)).status).toBe(200)
  expect(await program.owed()).toEqual([70, 0])
  expect((await program.commissions())[0]).toMatchObject({ voidReason: null, adjustment: null, state: 'payable' })
  expect((await program.adjust(body)).id).not.toBe(id)
  expect(await program.differences()).toEqual([])
})

test('the list filters by type, partner, sale and whether it was undone', async () => {
  const program = await adjusted()
  const sold = await program.soldByPartner()
  const bonus = await program.adjust({ type: 'bonus', partnerId: program.link.partnerId, amountCents: 100 })
  const move = await program.adjust({ type: 'move', saleId: sold.sale_id, partnerId: program.ben.partnerId })
  await program.undo(bonus.id)
  const ids = async (query: string) => {
    const { body } = await program.owner.call('GET', `${program.adjustments}?${query}`)
    return body.data.map((row: unknown) => adjustment.parse(row).id)
  }
  expect(await ids('')).toEqual([move.id, bonus.id])
  expect(await ids('sort=createdAt')).toEqual([bonus.id, move.id])
  expect(await ids('type=move')).toEqual([move.id])
  expect(await ids(`saleId=${sold.sale_id}`)).toEqual([move.id])
  expect(await ids(`partnerId=${program.link.partnerId}`)).toEqual([move.id, bonus.id])
  expect(await ids(`partnerId=${program.ben.partnerId}`)).toEqual([move.id])
  expect(await ids('reversed=true')).toEqual([bonus.id])
  expect(await ids('reversed=false')).toEqual([move.id])
  expect(await ids('type=added')).toEqual([bonus.id])
})

describe('ledger:verify', () => {
  test('names an adjustment whose ledger line is missing or changed', async () => {
    const program = await adjusted()
    const sold = await program.soldByPartner()
    await program.adjust({ type: 'bonus', partnerId: program.link.partnerId, amountCents: 100 })
    await program.adjust({ type: 'move', saleId: sold.sale_id, partnerId: program.ben.partnerId })
    expect(await program.differences()).toEqual([])
    const lines = await service.pool.query(
      "SELECT line.id, kind FROM ledger_lines line JOIN commissions ON commissions.program_id = line.program_id AND commissions.id = commission_id WHERE line.program_id = $1 AND kind <> 'sale'",
      [program.id],
    )
    expect(lines.rows.map(({ kind }) => kind).toSorted()).toEqual(['bonus', 'credited'])
    for (const { id } of lines.rows) {
      const change = 'UPDATE ledger_lines SET amount_cents = amount_cents + $3 WHERE program_id = $1 AND id = $2'
      await service.pool.query(change, [program.id, id, 1])
      expect((await program.differences()).join()).toContain('of adjustment')
      await service.pool.query(change, [program.id, id, -1])
    }
    await service.pool.query(
      `INSERT INTO adjustment_reversals (program_id, adjustment_id, reason, reversed_by, reversed_at)
      SELECT program_id, id, 'forged', 'no one', now() FROM adjustments WHERE type = 'bonus' AND program_id = $1`,
      [program.id],
    )
    expect((await program.differences()).join()).toContain('has 0 reversed in the ledger but should have 100')
  })
})
