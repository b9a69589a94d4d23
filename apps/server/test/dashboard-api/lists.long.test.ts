import { describe, expect, test } from 'bun:test'
import { customer, customerDetail, linkRow, partnerDetail, partnerRow, sale, saleDetail } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }

const givenActivity = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const other = await givenLink(service, program.id)
  await service.db.updateTable('partners').set({ name: 'Zoë 100%' }).where('id', '=', other.partnerId).execute()
  await givenClick(service, other)
  await givenClick(service, other)
  const first = await givenSale(program, 1000)
  const second = await givenSale(program, 300, { currency: 'EUR' })
  await program.refund({ invoice_id: first.invoice_id, amount: 400, reason: 'half broken' })
  const waiting = { customer_key: unique('waiting'), amount: 5, invoice_id: unique('invoice') }
  await program.sale(waiting)
  const get = async (path: string) => {
    const { status, body } = await program.owner.call('GET', `${program.api}${path}`)
    expect(status).toBe(200)
    return body
  }
  const refuses = async (path: string) =>
    expectRefusal(await program.owner.call('GET', `${program.api}${path}`), 400, 'invalid_request')
  return { ...program, other, first, second, waiting, get, refuses }
}

describe('customers', () => {
  test('are the people who signed up, newest first, with their purchases', async () => {
    const { get, first, second, link } = await givenActivity()
    const { data, meta } = await get('/customers')
    expect(data.map((row: unknown) => customer.parse(row).customerKey)).toEqual([
      second.customer_key,
      first.customer_key,
    ])
    expect(meta.pagination.total).toBe(2)
    expect(data[0]).toMatchObject({
      status: 'customer',
      partnerId: link.partnerId,
      sales: 1,
      revenue: [{ currency: 'EUR', amountCents: 300 }],
      leadId: expect.any(Number),
    })
    expect((await get('/customers?sort=firstClickedAt')).data[0].customerKey).toBe(first.customer_key)
    expect((await get(`/customers?search=${first.customer_key}`)).data).toHaveLength(1)
    expect((await get(`/customers?search=${data[0].id}`)).data).toHaveLength(1)
    expect((await get('/customers?status=lead')).data).toHaveLength(0)
    expect((await get('/customers?partnerId=99999')).data).toHaveLength(0)
    expect((await get('/customers?pageSize=1&page=2')).data).toHaveLength(1)
  })

  test('have a timeline of all their events', async () => {
    const { get, first } = await givenActivity()
    const [{ id }] = (await get(`/customers?search=${first.customer_key}`)).data
    const { data } = await get(`/customers/${id}`)
    expect(customerDetail.parse(data).timeline.map(({ event }) => event)).toEqual([
      'click',
      'lead',
      'commission',
      'sale',
      'commission',
      'refund',
    ])
    expect(data.timeline[4].details).toMatchObject({ amountCents: 100, reversedCents: 40 })
    expect(data.timeline[5].details).toMatchObject({
      amountCents: 400,
      reason: 'half broken',
      invoiceId: first.invoice_id,
    })
    expect(JSON.stringify(data)).not.toContain('hash')
  })

  test('400 for invalid queries, 404 for unknown customers', async () => {
    const { refuses, owner, api } = await givenActivity()
    for (const query of ['sort=email', 'status=click', 'pageSize=201', 'partnerId=-1', 'search=%00'])
      await refuses(`/customers?${query}`)
    expectRefusal(await owner.call('GET', `${api}/customers/nobody`), 404, 'not_found')
  })
})

describe('sales', () => {
  test('are listed with their partner, refunds and commissions', async () => {
    const { get, first, second, waiting, link } = await givenActivity()
    const { data } = await get('/sales')
    expect(data.map((row: unknown) => sale.parse(row).invoiceId)).toEqual([
      waiting.invoice_id,
      second.invoice_id,
      first.invoice_id,
    ])
    expect(data[0]).toMatchObject({
      state: 'uncredited',
      reason: 'customer_unknown',
      partnerId: null,
      commissionId: null,
      commissionReversedCents: null,
    })
    expect(data[2]).toMatchObject({
      state: 'credited',
      refundedCents: 400,
      partnerId: link.partnerId,
      commissionCents: 100,
      commissionReversedCents: 40,
    })
    const ids = async (query: string) => (await get(`/sales?${query}`)).data.map(({ id }: { id: number }) => id)
    expect(await ids('state=uncredited')).toEqual([data[0].id])
    expect(await ids(`partnerId=${link.partnerId}&sort=amountCents`)).toEqual([second.sale_id, first.sale_id])
    expect(await ids(`search=${first.invoice_id}`)).toEqual([first.sale_id])
    expect(await ids(`search=${waiting.customer_key}`)).toEqual([data[0].id])
    const today = service.clock.now().toISOString().slice(0, 10)
    expect(await ids(`dateFrom=${today}&dateTo=${today}`)).toHaveLength(3)
    expect(await ids('dateTo=2020-01-01')).toEqual([])
    expect(await ids('sort=soldAt&pageSize=1')).toEqual([first.sale_id])
  })

  test('a single sale includes its refunds', async () => {
    const { get, first, owner, api, refuses } = await givenActivity()
    const { data } = await get(`/sales/${first.sale_id}`)
    expect(saleDetail.parse(data)).toMatchObject({
      commissionState: 'held',
      refunds: [{ amountCents: 400, reason: 'half broken' }],
    })
    for (const id of ['0', 'x', '99999999'])
      expectRefusal(await owner.call('GET', `${api}/sales/${id}`), 404, 'not_found')
    for (const query of ['state=paid', 'sort=-reason', 'dateFrom=2026-02-30']) await refuses(`/sales?${query}`)
  })
})

describe('partners and links', () => {
  test('are listed with their results, sorted and searched', async () => {
    const { get, link, other, refuses } = await givenActivity()
    const { data } = await get('/partners?sort=-sales')
    expect(partnerRow.parse(data[0])).toMatchObject({
      id: link.partnerId,
      clicks: 2,
      leads: 2,
      sales: 2,
      revenue: [
        { currency: 'EUR', amountCents: 300 },
        { currency: 'USD', amountCents: 1000 },
      ],
      commissions: [
        { currency: 'EUR', amountCents: 30 },
        { currency: 'USD', amountCents: 200 },
      ],
    })
    const ids = async (path: string) => (await get(path)).data.map(({ id }: { id: number }) => id)
    expect(await ids('/partners?search=zo%C3%AB')).toEqual([other.partnerId])
    expect(await ids('/partners?search=%25')).toEqual([other.partnerId])
    expect(await ids('/partners?search=_')).toEqual([])
    expect(await ids('/partners?sort=-name')).toEqual([other.partnerId, link.partnerId])
    expect(await ids('/partners?status=pending')).toEqual([])
    expect(await ids('/partners')).toEqual([other.partnerId, link.partnerId])
    expect(await ids('/partners?sort=createdAt')).toEqual([link.partnerId, other.partnerId])
    expect(await ids('/links')).toEqual([other.id, link.id])
    expect(await ids('/links?sort=createdAt')).toEqual([link.id, other.id])
    expect(await ids('/links?sort=sales')).toEqual([other.id, link.id])
    expect(await ids(`/links?partnerId=${other.partnerId}&active=true`)).toEqual([other.id])
    expect(await ids('/links?active=false')).toEqual([])
    expect(await ids('/links?status=active')).toEqual([other.id, link.id])
    expect(await ids('/links?status=off')).toEqual([])
    expect(await ids(`/links?search=${other.aff}`)).toEqual([other.id])
    expect(linkRow.parse((await get('/links?sort=-lastClicked')).data[0])).toMatchObject({
      id: link.id,
      partnerName: 'Partner',
      partnerStatus: 'approved',
      sales: 2,
    })
    for (const path of [
      '/partners?sort=money',
      '/partners?status=x',
      '/links?active=maybe',
      '/links?status=on',
      '/links?sort=id',
      '/links?search=',
    ])
      await refuses(path)
  })

  test('have the same figures for every sort order, and zeros without results', async () => {
    const { get, owner, api } = await givenActivity()
    await owner.call('POST', `${api}/partners`, { name: 'Idle', email: 'idle@example.com', status: 'pending' })
    for (const [list, ...orders] of [
      ['/partners', 'name', '-createdAt', 'leads', '-sales'],
      ['/links', 'aff', '-createdAt', '-clicks', 'lastClicked'],
    ]) {
      const byId = async (sort: string) =>
        (await get(`${list}?sort=${sort}`)).data.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)
      const rows = await byId('clicks')
      expect(rows.map(({ clicks }: { clicks: number }) => clicks)).toEqual([2, 2, 0])
      for (const sort of orders) expect(await byId(sort)).toEqual(rows)
    }
    const { data, meta } = await get('/partners?status=pending&pageSize=1')
    expect(data[0]).toMatchObject({ name: 'Idle', clicks: 0, leads: 0, sales: 0, lastClicked: null })
    expect(meta.pagination.total).toBe(1)
  })

  test('a partner has balances and terms; only members who send payouts see the payout details', async () => {
    const program = await givenActivity()
    const { partnerId } = program.link
    const { data } = await program.get(`/partners/${partnerId}`)
    expect(partnerDetail.parse(data)).toMatchObject({
      hasAccount: false,
      payoutDetails: null,
      reward: { own: false },
      balances: [{ currency: 'EUR' }, { currency: 'USD' }],
    })
    await service.db
      .insertInto('partnerPayoutDetails')
      .values({
        programId: program.id,
        partnerId,
        method: 'paypal',
        account: 'a@b.example',
        holder: 'A',
        updatedAt: new Date(),
      })
      .execute()
    expect((await program.get(`/partners/${partnerId}`)).data.payoutDetails).toMatchObject({ account: 'a@b.example' })
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    expect((await viewer.call('GET', `${program.api}/partners/${partnerId}`)).body.data.payoutDetails).toBeNull()
  })

  test('the chart of a partner has only their events', async () => {
    const { id, owner, link, other } = await givenActivity()
    const read = async (partnerId: number) =>
      (await owner.call('GET', `/api/tracking/performance/${id}?partnerId=${partnerId}`)).body.data.totals
    expect(await read(link.partnerId)).toMatchObject({
      clicks: 2,
      leads: 2,
      sales: 2,
      revenue: [{ amountCents: 300 }, { amountCents: 1000 }],
    })
    expect(await read(other.partnerId)).toEqual({ clicks: 2, leads: 0, sales: 0, revenue: [], commissions: [] })
  })
})
