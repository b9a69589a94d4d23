import { expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { verifyPayments } from '../../src/tracking/payments/verify-payments.ts'
import { givenExplained } from '../explain/given-explained.ts'
import { eventsOf } from '../outbox/given-events.ts'
import { unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()

const given = async () => {
  const program = await givenExplained(service)
  const [maya, ben] = [program.link.partnerId, program.rival.partnerId]
  const payable = async (partnerId: number) => (await program.balance(partnerId))?.payableCents ?? 0
  return {
    ...program,
    maya,
    ben,
    owed: async () => [await payable(maya), await payable(ben)],
    differences: async () =>
      (await verifyProgram(service.db, { programId: program.id, sealedBefore: null, furtherChecks: [verifyPayments] }))
        .differences,
    soldAs: async (customer_key: string) => {
      const invoice_id = unique('invoice')
      return { invoice_id, id: await program.sold({ customer_key, invoice_id }) }
    },
  }
}

test('the processor corrects the amount of a moved sale, and the new partner’s commission follows', async () => {
  const program = await given()
  const customerKey = await program.customer()
  const { invoice_id, id } = await program.soldAs(customerKey)
  await program.adjust({ type: 'move', saleId: id, partnerId: program.ben })
  expect(await program.owed()).toEqual([0, 100])
  const paid = { kind: 'paid', grossCents: 1_000, netCents: 800, currency: 'USD', source: 'invoice' } as const
  const attribution = { programId: program.id, customerKey, clickId: null }
  await program.tell([invoice_id], { ...paid, subscriptionId: null }, attribution)
  expect(await program.owed()).toEqual([0, 80])
  expect(await program.differences()).toEqual([])
  await program.undoAdjustment()
  expect(await program.owed()).toEqual([80, 0])
  expect(await program.differences()).toEqual([])
})

test('two sales turn out to be one payment: a move or void of either holds for the one that remains', async () => {
  for (const moved of [0, 1]) {
    const program = await given()
    const customer = await program.customer()
    const [first, second] = [await program.soldAs(customer), await program.soldAs(customer)]
    const { id: saleId } = moved === 0 ? first : second
    await program.adjust({ type: 'move', saleId, partnerId: program.ben })
    expect(await program.owed()).toEqual([100, 100])
    await program.tell([first.invoice_id, second.invoice_id], SAME_PAYMENT)
    expect(await program.owed()).toEqual([0, 100])
    const assigned = (await eventsOf(service, program.key)()).flatMap(({ changes }) => changes?.saleId ?? [])
    expect(assigned).toEqual(moved === 0 ? [] : [saleId, first.id])
    expect(await program.differences()).toEqual([])
    await program.undoAdjustment()
    expect(await program.owed()).toEqual([100, 0])
    expect(await program.differences()).toEqual([])
  }
})

test('a void of a sale that is merged holds for the one that remains, and undoing it restores that one', async () => {
  for (const voided of [0, 1]) {
    const program = await given()
    const customer = await program.customer()
    const [first, second] = [await program.soldAs(customer), await program.soldAs(customer)]
    const row = (await program.commissions()).find(
      ({ saleId }: { saleId: number }) => saleId === (voided === 0 ? first : second).id,
    )
    await program.adjust({ type: 'void', commissionId: row.id })
    await program.tell([first.invoice_id, second.invoice_id], SAME_PAYMENT)
    expect(await program.owed()).toEqual([0, 0])
    expect(await program.differences()).toEqual([])
    await program.undoAdjustment()
    expect(await program.owed()).toEqual([100, 0])
    expect(await program.differences()).toEqual([])
  }
})
