import { describe, expect, test } from 'bun:test'
import { explanation, sale, saleDetail } from '@tributary/contract'
import { inTransaction } from '../../src/database/transaction.ts'
import { type ReportBody, SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { SECRETS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { paid } from './given-payments.ts'

const service = await givenService()

/** A sale that the merchant reported, in a program with a connected processor. */
const givenShop = async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
  const inboxProgram = await findProgram(service.db, program.id)
  if (!inboxProgram) throw new Error('the program does not exist')
  const customer_key = await program.customer()
  const report = (references: [string, ...string[]], says: ReportBody) =>
    inTransaction(service.db, (tx) =>
      recordPaymentReport(
        tx,
        { clock: service.clock.now, hashKey: SECRETS.hashKey },
        { inboxProgram, report: { references, says, at: service.clock.now(), attribution: null } },
      ),
    )
  const sell = async (amount: number) => {
    const invoice_id = unique('invoice')
    const { body } = await program.sale({ customer_key, amount, invoice_id })
    return { invoiceId: invoice_id, id: body.sale_id as number }
  }
  const get = async (path: string) => (await program.owner.call('GET', `${program.api}${path}`)).body
  const detail = async (id: number) => saleDetail.parse((await get(`/sales/${id}`)).data)
  return { program, customer_key, report, sell, get, detail }
}
type Shop = Awaited<ReturnType<typeof givenShop>>

const refund = (refundId: string, grossCents: number): ReportBody => ({
  kind: 'refund',
  refundId,
  grossCents,
  currency: 'USD',
  state: 'made',
  reason: null,
})
const listed = async ({ get }: Shop, query = '') => {
  const { data, meta } = await get(`/sales${query}`)
  return { rows: data.map((row: unknown) => sale.parse(row)) as { id: number; refundedCents: number }[], meta }
}

describe('a refund reported by the processor', () => {
  test('is in the list, the detail and the file, together with the merchant’s refunds', async () => {
    const shop = await givenShop()
    const { id, invoiceId } = await shop.sell(10_000)
    await shop.report([invoiceId], paid(10_000))
    await shop.program.refund({ invoice_id: invoiceId, amount: 1_000, refund_id: 're_1' })
    await shop.report([invoiceId], refund('re_1', 1_000))
    await shop.report([invoiceId], refund('re_2', 2_000))
    expect((await listed(shop)).rows).toMatchObject([{ id, refundedCents: 3_000 }])
    expect(await shop.detail(id)).toMatchObject({
      refundedCents: 3_000,
      refunds: [{ refundId: 're_1', amountCents: 1_000 }],
      processorRefunds: { amountCents: 3_000, refundIds: ['re_1', 're_2'] },
      voidedAt: null,
      mergedInto: null,
    })
    const { owner, api } = shop.program
    const file = await fetch(`${service.url}${api}/export/sales.csv`, { headers: { cookie: owner.cookie } })
    expect(await file.text()).toContain(`${invoiceId},${shop.customer_key},100.00,30.00,USD,credited`)
  })

  test('is not on a sale without one', async () => {
    const shop = await givenShop()
    const { id } = await shop.sell(500)
    expect(await shop.detail(id)).toMatchObject({ refundedCents: 0, refunds: [], processorRefunds: null })
  })
})

describe('a sale is found by any name of its payment', () => {
  test('in the list of sales, in the events and in explain', async () => {
    const shop = await givenShop()
    const { id, invoiceId } = await shop.sell(10_000)
    await shop.sell(700)
    await shop.report([invoiceId, 'pi_any', 'ch_any'], paid(10_000))
    for (const name of [invoiceId, 'pi_any', 'ch_any']) {
      expect((await listed(shop, `?search=${name}`)).rows.map((row) => row.id)).toEqual([id])
      const events = await shop.program.owner.call(
        'GET',
        `/api/tracking/events/${shop.program.id}?search=${name}&eventType=sale`,
      )
      expect(events.body.data.map((event: { id: string }) => event.id)).toEqual([String(id)])
      const { data } = await shop.get(`/explain?invoice_id=${name}`)
      expect(explanation.parse(data).subject).toMatchObject({ kind: 'sale', id })
    }
  })

  test('but not by the name of a payment in another program', async () => {
    const [shop, other] = [await givenShop(), await givenShop()]
    const { invoiceId } = await shop.sell(10_000)
    await shop.report([invoiceId, 'pi_theirs'], paid(10_000))
    await other.sell(10_000)
    expect((await listed(other, '?search=pi_theirs')).rows).toEqual([])
  })
})

describe('a sale that was merged into another', () => {
  test('is in no list and no figure, and its detail names the other sale', async () => {
    const shop = await givenShop()
    const [first, second] = [await shop.sell(10_000), await shop.sell(10_000)]
    await shop.program.refund({ invoice_id: second.invoiceId, amount: 400 })
    await shop.report([first.invoiceId, second.invoiceId], SAME_PAYMENT)
    const { rows, meta } = await listed(shop)
    expect(rows).toMatchObject([{ id: first.id, refundedCents: 400 }])
    expect(meta.pagination.total).toBe(1)
    expect(await shop.detail(first.id)).toMatchObject({ refunds: [{ amountCents: 400 }], voidedAt: null })
    expect(await shop.detail(second.id)).toMatchObject({ mergedInto: first.id, voidedAt: expect.any(String) })

    const { owner, id: programId } = shop.program
    const read = async (path: string) => (await owner.call('GET', path)).body
    const events = await read(`/api/tracking/events/${programId}?eventType=sale&test=false`)
    expect(events.data.map((event: { id: string }) => event.id)).toEqual([String(first.id)])
    expect(events.meta.pagination.total).toBe(1)
    expect((await owner.call('GET', `/api/tracking/events/${programId}/sale/${second.id}`)).status).toBe(404)
    const { totals } = (await read(`/api/tracking/performance/${programId}?period=7d`)).data
    expect(totals).toMatchObject({ sales: 1, revenue: [{ currency: 'USD', amountCents: 10_000 }] })
    const [customer] = (await shop.get('/customers')).data
    expect(customer).toMatchObject({ sales: 1, revenue: [{ currency: 'USD', amountCents: 10_000 }] })
    for (const list of ['/partners', '/links']) expect((await shop.get(list)).data[0]).toMatchObject({ sales: 1 })
  })
})
