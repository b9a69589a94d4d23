import { describe, expect, test } from 'bun:test'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger()

describe('a paid report with the three metadata keys', () => {
  test('settles the lead of its customer, makes the sale and its commission', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const told = await shop.say(['pi_1', 'ch_1'], paid(4_900), { attribution })
    expect(told).toMatchObject({ fate: 'applied', reason: 'payment_recorded' })
    expect(await shop.sales()).toMatchObject([{ invoiceId: 'pi_1', amountCents: 4_900, reportedBy: 'processor' }])
    expect(await shop.leads()).toMatchObject([{ state: 'settled', settledBy: 'processor' }])
    expect(await shop.balance()).toMatchObject({ payableCents: 490 })
    expect((await shop.verify()).differences).toEqual([])
  })
})
