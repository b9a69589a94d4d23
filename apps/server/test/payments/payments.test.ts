import { describe, expect, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { expectRefusal, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { SECRETS, startTestService } from '../support/service.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger()

describe('a paid report with the three metadata keys', () => {
  test('settles the lead of its customer and creates the sale and its commission', async () => {
    const shop = await givenPayments(ledger)
    const attribution = await shop.attribution()
    const result = await shop.report(['pi_1', 'ch_1'], paid(4_900), { attribution })
    expect(result).toMatchObject({ outcome: 'applied', reason: 'payment_recorded' })
    expect(await shop.sales()).toMatchObject([{ invoiceId: 'pi_1', amountCents: 4_900, reportedBy: 'processor' }])
    expect(await shop.leads()).toMatchObject([{ state: 'settled', settledBy: 'processor' }])
    expect(await shop.balance()).toMatchObject({ payableCents: 490 })
    expect((await shop.verify()).differences).toEqual([])
  })
})

test('reports are immutable: the service’s database role cannot change one', async () => {
  const shop = await givenPayments(ledger)
  await shop.report(['pi_1'], { kind: 'pending' })
  for (const statement of ["UPDATE payment_reports SET report = '{}'", 'DELETE FROM payment_reports'])
    await expect(ledger.appPool.query(statement)).rejects.toThrow(/permission denied/)
})

describe("the merchant's calls about a payment that the processor has reported", async () => {
  const service = await startTestService()
  const program = await givenPayingProgram(service, {
    sale: { percentBps: 1_000, duration: 'lifetime' },
    holdDays: 0,
  })
  const send = async (references: [string, ...string[]], customerKey: string) => {
    const inboxProgram = await findProgram(service.db, program.id)
    if (!inboxProgram) throw new Error('no program')
    const attribution = { programId: program.id, customerKey, clickId: await givenClick(service, program.link) }
    const report = { references, says: paid(10_000), attribution, at: service.clock.now() }
    const dependencies = { clock: service.clock.now, hashKey: SECRETS.hashKey }
    await inTransaction(service.db, (tx) => recordPaymentReport(tx, dependencies, { inboxProgram, report }))
  }

  test('a sale answers 409 with the stored sale, under any name', async () => {
    const [pi, ch, customer_key] = [unique('pi'), unique('ch'), unique('customer')]
    await send([pi, ch], customer_key)
    for (const invoice_id of [pi, ch]) {
      const answer = await program.sale({ customer_key, amount: 10_000, invoice_id })
      expectRefusal(answer, 409, 'duplicate_invoice')
      expect(answer.body).toMatchObject({ sale_id: expect.any(Number), same_request: false, reported_by: 'processor' })
    }
  })

  test('a refund and a lookup find it, under any name', async () => {
    const [pi, ch, customer_key] = [unique('pi'), unique('ch'), unique('customer')]
    await send([pi, ch], customer_key)
    const { body } = await program.refund({ invoice_id: ch, amount: 5_000 })
    expect(body).toMatchObject({ success: true, refunded_amount: 5_000, reversed_amount: 500 })
    const { body: answer } = await program.owner.call('GET', `${program.api}/explain?invoice_id=${ch}`)
    expect(answer.data).toMatchObject({ outcome: 'credited', subject: { invoiceId: pi } })
  })
})
