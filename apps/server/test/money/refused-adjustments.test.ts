import { describe, expect, test } from 'bun:test'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenAdjusted } from './given-adjustments.ts'

const service = await givenService()
const adjusted = (reward?: object) => givenAdjusted(service, reward)

describe('an adjustment is refused', () => {
  test('with a sentence, and changes nothing', async () => {
    const program = await adjusted()
    const other = await adjusted()
    const sold = await program.soldByPartner()
    const [maya, ben] = [program.link.partnerId, program.ben.partnerId]
    const bonus = { type: 'bonus', partnerId: maya, amountCents: 100 }
    for (const [body, status] of [
      [{ type: 'gift' }, 400],
      [{ ...bonus, reason: 'no' }, 400],
      [{ ...bonus, reason: 'x'.repeat(501) }, 400],
      [{ ...bonus, amountCents: 0 }, 400],
      [{ ...bonus, amountCents: 1.5 }, 400],
      [{ ...bonus, amountCents: 10 ** 12 + 1 }, 400],
      [{ ...bonus, currency: 'XXQ' }, 400],
      [{ ...bonus, payableAt: 'soon' }, 400],
      [{ ...bonus, partnerId: other.link.partnerId }, 404],
      [{ type: 'void', commissionId: 987_654 }, 404],
      [{ type: 'credit', saleId: 987_654, partnerId: ben }, 404],
      [{ type: 'credit', saleId: sold.sale_id, partnerId: ben }, 409],
      [{ type: 'move', saleId: sold.sale_id, partnerId: maya }, 409],
      [{ type: 'move', saleId: sold.sale_id, partnerId: ben, fromPartnerId: ben }, 409],
      [{ type: 'move', saleId: (await program.soldByNoOne()).sale_id, partnerId: ben }, 409],
      [{ type: 'move', saleId: sold.sale_id, partnerId: other.ben.partnerId }, 404],
    ] as const) {
      const answer = await program.call(body)
      expect({ body, status: answer.status }).toEqual({ body, status })
      expect(answer.body.error.message.length).toBeGreaterThan(20)
    }
    expect((await program.owner.call('GET', program.adjustments)).body.data).toEqual([])
    expect(await program.owed()).toEqual([100, 0])
  })

  test('for a sale that is refunded in full, erased or pays nothing', async () => {
    const program = await adjusted()
    const [refunded, erased] = [await program.soldByPartner(), await program.soldByPartner()]
    await program.refund({ invoice_id: refunded.invoice_id })
    await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: erased.customer_key })
    const leads = await adjusted({ lead: { amountCents: 5 }, holdDays: 0 })
    const unpaid = await givenSale(leads, 1_000)
    for (const [where, saleId, words] of [
      [program, refunded.sale_id, 'refunded in full'],
      [program, erased.sale_id, 'erased'],
      [leads, unpaid.sale_id, 'would earn the partner nothing'],
    ] as const) {
      const answer = await where.call({ type: 'move', saleId, partnerId: where.ben.partnerId })
      expectRefusal(answer, 409, 'conflict')
      expect(answer.body.error.message).toContain(words)
    }
  })

  test('without payout:manage, a session, or for another workspace', async () => {
    const program = await adjusted()
    const body = { type: 'bonus', partnerId: program.link.partnerId, amountCents: 100, reason: 'Well done' }
    const { id } = await program.adjust(body)
    const [member, stranger] = [await givenUser(service), await givenUser(service)]
    await givenRole(service, program.workspaceId, member, 'member')
    for (const [path, sent] of [
      ['', body],
      ['/preview', body],
      [`/${id}/reverse`, { reason: 'A mistake' }],
    ] as const) {
      expectRefusal(await service.call('POST', program.adjustments + path, sent), 401, 'unauthenticated')
      for (const user of [member, stranger])
        expectRefusal(await user.call('POST', program.adjustments + path, sent), 403, 'forbidden')
    }
    expectRefusal(await stranger.call('GET', program.adjustments), 403, 'forbidden')
    expect((await program.undo(987_654)).status).toBe(404)
    expect(await program.owed()).toEqual([100, 0])
  })
})
