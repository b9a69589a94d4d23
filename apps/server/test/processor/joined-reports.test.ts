import { describe, expect, test } from 'bun:test'
import { expectRefusal, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { addTestProcessors, booth, givenTill } from './given-till.ts'

addTestProcessors()
const service = await givenService()

type Till = Awaited<ReturnType<typeof givenTill>>

const report = (program: Till, invoiceId: string, customerKey = unique('customer')) =>
  program.sale({ customer_key: customerKey, amount: 1_000, currency: 'USD', invoice_id: invoiceId })

describe('payments with the same number', () => {
  test('of the merchant and a processor are two sales, in either order', async () => {
    for (const isMerchantFirst of [true, false]) {
      const program = await givenTill(service)
      const paid = await program.paid({ order: '1001' })
      if (isMerchantFirst) expect((await report(program, '1001')).status).toBe(200)
      await program.send(paid)
      if (!isMerchantFirst) expect((await report(program, '1001')).status).toBe(200)
      expect((await program.sales()).map(({ invoiceId }) => invoiceId).toSorted()).toEqual(['1001', 'till:1:1001'])
    }
  })

  test('of two processors, or of two stores, are different sales with their own refunds', async () => {
    const program = await givenTill(service)
    const other = await givenTill(service, { program, processor: booth })
    const sibling = await givenTill(service)
    const { workspaceId } = program
    await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', sibling.id).execute()
    await program.send(await program.paid())
    await other.send(await other.paid())
    await sibling.send(await sibling.paid({ store: '2' }))
    const namesOf = async (of: Till) => (await of.sales()).map(({ invoiceId }) => invoiceId).toSorted()
    expect(await namesOf(program)).toEqual(['booth:1:1001', 'till:1:1001'])
    expect(await namesOf(sibling)).toEqual(['till:2:1001'])
    await other.send({ type: 'refunded', store: '1', order: '1001', amount: 1_000, currency: 'USD' })
    const commissions = await program.commissions()
    expect(commissions.map(({ reversedCents }: { reversedCents: number }) => reversedCents).toSorted()).toEqual([
      0, 100,
    ])
    // Its owner is not a member of the other workspace.
    const refunds = await service.db.selectFrom('processorRefunds').select('programId').execute()
    expect(refunds.filter(({ programId }) => programId === sibling.id)).toEqual([])
  })

  test('of a processor and its own prefix are one sale with the merchant’s, in either order', async () => {
    for (const isMerchantFirst of [true, false]) {
      const program = await givenTill(service)
      const name = `order_${unique('x').replaceAll('-', '')}`
      const paid = await program.paid({ order: name })
      if (isMerchantFirst) expect((await report(program, name, paid.metadata.service_customer_key)).status).toBe(200)
      await program.send(paid)
      if (!isMerchantFirst)
        expectRefusal(await report(program, name, paid.metadata.service_customer_key), 409, 'duplicate_invoice')
      expect(await program.sales()).toHaveLength(1)
    }
  })
})

describe('the merchant’s invoice ID in the metadata', () => {
  test('joins both reports of a payment, in either order', async () => {
    for (const isMerchantFirst of [true, false]) {
      const program = await givenTill(service)
      const paid = await program.paid()
      const event = { ...paid, metadata: { ...paid.metadata, service_invoice_id: '7' } }
      const merchant = () => report(program, '7', paid.metadata.service_customer_key)
      if (isMerchantFirst) expect((await merchant()).status).toBe(200)
      await program.send(event)
      if (!isMerchantFirst) expectRefusal(await merchant(), 409, 'duplicate_invoice')
      expect(await program.sales()).toHaveLength(1)
      expect(await program.commissions()).toHaveLength(1)
    }
  })

  test('joins both reports that arrive at the same time', async () => {
    const program = await givenTill(service)
    for (const number of Array.from({ length: 12 }, (_, index) => index + 1)) {
      const invoiceId = `INV-${number}`
      const paid = await program.paid({ order: String(number) })
      const event = { ...paid, metadata: { ...paid.metadata, service_invoice_id: invoiceId } }
      const [sale, delivered, again] = await Promise.all([
        report(program, invoiceId, paid.metadata.service_customer_key),
        program.deliver(event),
        program.deliver(event),
      ])
      expect([200, 409]).toContain(sale.status)
      expect([delivered.status, again.status]).toEqual([200, 200])
      expect(await program.sales()).toHaveLength(number)
      expect(await program.commissions()).toHaveLength(number)
    }
  })

  test('joins a report that names the key with one that names the click of the same customer, in either order', async () => {
    for (const isMerchantFirst of [true, false])
      for (const isKeyInMetadata of [true, false]) {
        const program = await givenTill(service)
        const { service_customer_key: customer_key, service_click_id: click_id } = await program.metadata()
        await program.lead({ customer_key, click_id })
        const named = isKeyInMetadata ? { service_customer_key: customer_key } : { service_click_id: click_id }
        const event = { ...(await program.paid()), metadata: { ...named, service_invoice_id: '7' } }
        const own = isKeyInMetadata ? { click_id } : { customer_key }
        const merchant = () => program.sale({ ...own, amount: 1_000, currency: 'USD', invoice_id: '7' })
        if (isMerchantFirst) expect((await merchant()).status).toBe(200)
        await program.send(event)
        if (!isMerchantFirst) expectRefusal(await merchant(), 409, 'duplicate_invoice')
        expect(await program.sales()).toHaveLength(1)
        expect(await program.commissions()).toHaveLength(1)
      }
  })

  test('of another customer joins nothing: buyers can edit the metadata of many checkouts', async () => {
    for (const isMerchantFirst of [true, false]) {
      const program = await givenTill(service)
      const paid = await program.paid({ order: 'order_cheap1', amount: 100 })
      const cheap = { ...paid, metadata: { ...paid.metadata, service_invoice_id: '7' } }
      const { service_customer_key: customerKey, service_click_id } = await program.metadata()
      await program.lead({ customer_key: customerKey, click_id: service_click_id })
      const merchant = () => report(program, '7', customerKey)
      if (isMerchantFirst) expect((await merchant()).status).toBe(200)
      await program.send(cheap)
      if (!isMerchantFirst) expect((await merchant()).status).toBe(200)
      await program.send({ type: 'refunded', store: '1', order: 'order_cheap1', amount: 100, currency: 'USD' })
      const sales = await program.sales()
      expect(sales.map(({ amountCents }) => amountCents).toSorted()).toEqual([100, 1_000])
      const commissions = await program.commissions()
      expect(commissions).toContainEqual(expect.objectContaining({ amountCents: 100, reversedCents: 0 }))
      expect(commissions).toContainEqual(expect.objectContaining({ amountCents: 10, reversedCents: 10 }))
    }
  })

  test('that another payment stated before joins the payment of the merchant’s customer', async () => {
    const program = await givenTill(service)
    const [one, two] = [await program.paid({ order: '1', amount: 100 }), await program.paid({ order: '2' })]
    const stating = (event: typeof one) => ({ ...event, metadata: { ...event.metadata, service_invoice_id: '7' } })
    await program.send(stating(one), stating(two))
    expect(await program.sales()).toMatchObject([
      { amountCents: 100, customerKey: one.metadata.service_customer_key },
      { amountCents: 1_000, customerKey: two.metadata.service_customer_key },
    ])
    expectRefusal(await report(program, '7', two.metadata.service_customer_key), 409, 'duplicate_invoice')
    await program.send({ type: 'refunded', store: '1', order: '1', amount: 100, currency: 'USD' })
    const commissions = (await program.commissions()) as { amountCents: number; reversedCents: number }[]
    expect(commissions.map(({ amountCents, reversedCents }) => [amountCents, reversedCents]).toSorted()).toEqual([
      [10, 10],
      [100, 0],
    ])
  })

  test.each([
    ['of the same amount joins both', 1_000, 1, 100],
    ['of another amount joins nothing', 100, 0, 0],
  ])('of a payment without a customer, %s', async (_, amount, joined, reversed) => {
    for (const isMerchantFirst of [true, false]) {
      const program = await givenTill(service)
      const { service_customer_key: customerKey, service_click_id } = await program.metadata()
      await program.lead({ customer_key: customerKey, click_id: service_click_id })
      const paid = { ...(await program.paid({ amount })), metadata: { service_invoice_id: '7' } }
      if (!isMerchantFirst) await program.send(paid)
      expect((await report(program, '7', customerKey)).status).toBe(200)
      if (isMerchantFirst) await program.send(paid)
      await program.send({ type: 'refunded', store: '1', order: '1001', amount, currency: 'USD' })
      expect(await program.sales()).toMatchObject([{ amountCents: 1_000, customerKey }])
      expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: reversed }])
      const references = await service.db
        .selectFrom('paymentReferences')
        .select('paymentId')
        .where('programId', '=', program.id)
        .where('reference', '=', '7')
        .execute()
      expect(references.filter(({ paymentId }) => paymentId !== null)).toHaveLength(joined)
    }
  })

  test('cannot name another payment of the processor', async () => {
    const program = await givenTill(service)
    const [one, two] = [await program.paid({ order: 'order_a1' }), await program.paid({ order: 'order_b1' })]
    await program.send(one, { ...two, metadata: { ...two.metadata, service_invoice_id: 'order_a1' } })
    expect(await program.sales()).toHaveLength(2)
  })
})

describe('a payment', () => {
  test('without a program belongs to the endpoint’s, also when it is replayed', async () => {
    const home = await givenTill(service)
    const program = await givenTill(service)
    await service.db
      .updateTable('programs')
      .set({ workspaceId: home.workspaceId })
      .where('id', '=', program.id)
      .execute()
    await program.send(await program.paid())
    expect(await program.sales()).toMatchObject([{ partnerId: expect.any(Number), amountCents: 1_000 }])
    expect(await home.sales()).toEqual([])
    const body = { since: '2020-01-01', dryRun: false }
    const replayed = await home.owner.call('POST', `${home.api}/processor/replay`, body)
    expect(replayed.body.data).toMatchObject({ changes: [], sales: [] })
  })

  test('without a program belongs to its click’s, whichever of two endpoints receives it first', async () => {
    for (const isHomeFirst of [true, false]) {
      const [home, sibling, stranger] = [await givenTill(service), await givenTill(service), await givenTill(service)]
      const { workspaceId } = home
      await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', sibling.id).execute()
      for (const credited of [home, sibling]) {
        const order = unique('order').replaceAll('-', '_')
        const paid = { ...(await credited.paid({ order })) }
        const endpoints = isHomeFirst ? [home, sibling] : [sibling, home]
        for (const endpoint of endpoints) await endpoint.send(paid)
        expect(await credited.sales()).toMatchObject([{ invoiceId: order, partnerId: credited.link.partnerId }])
      }
      const { service_click_id } = await stranger.metadata()
      const paid = await home.paid({ order: unique('order').replaceAll('-', '_') })
      const metadata = { ...paid.metadata, service_click_id }
      await home.lead({ customer_key: metadata.service_customer_key, click_id: paid.metadata.service_click_id })
      await home.send({ ...paid, metadata })
      expect((await home.sales()).map(({ partnerId }) => partnerId)).toEqual([home.link.partnerId, home.link.partnerId])
    }
  })

  test('can be reported as paid and refunded by one event', async () => {
    const program = await givenTill(service)
    await program.send({ ...(await program.paid()), type: 'fraudulent' })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 100 }])
    expect(await program.events()).toMatchObject([{ fate: 'applied', saleId: expect.any(Number) }])
  })

  test('of a customer without a click stays uncredited, of a program of another workspace is refused', async () => {
    const program = await givenTill(service)
    const other = await givenTill(service)
    const foreign = await program.paid({ order: '2' })
    await program.send(await program.paid({ order: '1', metadata: {} }), {
      ...foreign,
      metadata: { ...foreign.metadata, program_id: String(other.id) },
    })
    const reasons = (await program.events()).map(({ reason }: { reason: string }) => reason)
    expect(reasons.toSorted()).toEqual(['no_metadata', 'program_of_others'])
    expect(await program.sales()).toEqual([])
    expect(await other.sales()).toEqual([])
  })
})
