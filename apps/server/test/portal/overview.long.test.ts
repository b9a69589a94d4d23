import { describe, expect, test } from 'bun:test'
import {
  payoutDetails,
  portalBalances,
  portalEarning,
  portalEarningDetail,
  portalLink,
  portalOverview,
  portalPayout,
  portalSale,
} from '@tributary/contract'
import { expectRefusal, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { givenPortal, REWARD } from './given-portal.ts'

const open = await startTestService()
const { givenEarningPartner } = givenPortal(open)

type Row = { kind: string }

describe('the portal shows a partner', () => {
  test('their clicks, leads, sales, earnings and balances', async () => {
    const { get } = await givenEarningPartner()
    const { performance, balances } = portalOverview.parse(await get('/overview?period=7d'))
    expect(performance.totals).toMatchObject({
      clicks: 1,
      leads: 1,
      sales: 1,
      revenue: [{ amountCents: 1000 }],
      commissions: [{ amountCents: 150 }],
    })
    expect(balances).toMatchObject([{ currency: 'USD', heldCents: 110 }])
    expect((await get('/links')).map((row: unknown) => portalLink.parse(row))).toMatchObject([{ clicks: 1, sales: 1 }])
    expect((await get('/sales')).map((row: unknown) => portalSale.parse(row))).toMatchObject([
      { amountCents: 1000, refundedCents: 400 },
    ])
  })

  test('when the next payout is prepared and what it would pay them, or that none is scheduled', async () => {
    const { get, owner, api } = await givenEarningPartner()
    const next = async () => portalOverview.parse(await get('/overview')).nextPayout
    expect(await next()).toBeNull()
    // Held for 30 days: the payout in 5 days comes too early for it, and the one in 33 days does not.
    const weekday = new Date(open.clock.now().getTime() + 5 * DAY_MS).getUTCDay() || 7
    const { nextOn } = (await owner.call('PUT', `${api}/payouts/schedule`, { frequency: 'weekly', weekday })).body.data
    expect(await next()).toEqual({ on: nextOn, amounts: [] })
    open.clock.advance(28 * DAY_MS)
    const later = (await owner.call('GET', `${api}/payouts/schedule`)).body.data.nextOn
    expect(await next()).toEqual({ on: later, amounts: [{ currency: 'USD', amountCents: 110 }] })
    const reward = { ...REWARD, minimumPayoutCents: 111 }
    expect((await owner.call('PUT', `${api}/reward`, reward)).status).toBe(200)
    expect(await next()).toEqual({ on: later, amounts: [] })
  })

  test('their balances in every program, and where payout details are missing', async () => {
    const program = await givenEarningPartner()
    const { partner, portal, get } = program
    const second = await givenPayingProgram(open, REWARD, { currency: 'EUR' })
    const invited = `${second.api}/partners/${second.link.partnerId}/invite`
    const { url } = (await second.owner.call('POST', invited, { email: partner.email })).body.data
    const accept = `/api/portal/invitations/${url.split('/').at(-1)}/accept`
    expect((await partner.call('POST', accept)).status).toBe(200)
    await givenSale(second, 5000, { currency: 'EUR' })
    const list = async () =>
      (await partner.call('GET', '/api/portal/balances')).body.data.map((row: unknown) => portalBalances.parse(row))
    expect(await list()).toMatchObject([
      { programId: program.id, balances: [{ currency: 'USD', heldCents: 110 }], needsPayoutDetails: false },
      { programId: second.id, balances: [{ currency: 'EUR', heldCents: 550 }], needsPayoutDetails: false },
    ])
    open.clock.advance(31 * DAY_MS)
    const details = { method: 'paypal', account: 'maya@example.com', holder: 'Maya' }
    expect((await partner.call('PUT', `${portal}/payout-details`, details)).status).toBe(200)
    expect(await list()).toMatchObject([
      { balances: (await get('/overview')).balances, needsPayoutDetails: false },
      { balances: [{ payableCents: 550 }], needsPayoutDetails: true },
    ])
  })

  test('what each sale earned, or why it paid nothing, without naming anyone', async () => {
    const { get, owner, api, customer, sale, sold, link, other } = await givenEarningPartner()
    const reward = { sale: { percentBps: 1000, duration: 'first' } }
    expect((await owner.call('PUT', `${api}/reward`, reward)).status).toBe(200)
    const customer_key = await customer()
    for (const invoice_id of [unique('first'), unique('second')])
      expect((await sale({ customer_key, invoice_id, amount: 2000 })).status).toBe(200)
    const rows = (await get('/sales?sort=soldAt')).map((row: unknown) => portalSale.parse(row))
    expect(rows).toMatchObject([
      {
        earning: { amountCents: 100, reversedCents: 40, because: ['Part of the sale was refunded to the customer.'] },
        noEarningReason: null,
      },
      { earning: { amountCents: 200, reversedCents: 0, state: 'held', because: [] }, noEarningReason: null },
      { earning: null, noEarningReason: 'Your terms pay only for a customer’s first sale.' },
    ])
    expect(rows[0].earning.id).toBe((await get('/earnings?sort=earnedAt')).find(({ kind }: Row) => kind === 'sale').id)
    const secrets = [sold.customer_key, sold.invoice_id, customer_key, 'Secret', other.aff, other.partnerCode, link.aff]
    for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('held amounts with their dates, and reversals with the reason, without naming anyone', async () => {
    const { get, sold } = await givenEarningPartner()
    const rows = (await get('/earnings')).map((row: unknown) => portalEarning.parse(row))
    expect(rows).toMatchObject([
      {
        kind: 'sale',
        amountCents: 100,
        reversedCents: 40,
        state: 'held',
        because: ['Part of the sale was refunded to the customer.'],
      },
      { kind: 'lead', amountCents: 50, state: 'held', because: [] },
    ])
    expect(await get('/earnings?state=paid')).toEqual([])
    const detail = portalEarningDetail.parse(await get(`/earnings/${rows[0].id}`))
    expect(detail.story.join(' ')).toContain('credited to you')
    for (const secret of [sold.customer_key, sold.invoice_id, 'Secret'])
      expect(JSON.stringify([rows, detail])).not.toContain(secret)
  })

  test('their payouts, and statements as files', async () => {
    const { get, pay, decide, partner, portal, sold } = await givenEarningPartner()
    open.clock.advance(31 * DAY_MS)
    const payout = await pay()
    await decide(payout.id, payout.lines[0].id, { status: 'paid' })
    expect((await get('/payouts')).map((row: unknown) => portalPayout.parse(row))).toMatchObject([
      { amountCents: 110, status: 'paid' },
    ])
    const files: Record<string, number> = { earnings: 2, payouts: 1, statement: 5 }
    for (const [file, rows] of Object.entries(files)) {
      const response = await fetch(`${open.url}${portal}/export/${file}.csv`, { headers: { cookie: partner.cookie } })
      const text = await response.text()
      expect([response.status, text.trimEnd().split('\r\n').length]).toEqual([200, rows + 1])
      for (const secret of [sold.customer_key, sold.invoice_id, 'Secret']) expect(text).not.toContain(secret)
    }
    for (const file of ['users.csv', 'toString.csv', 'earnings'])
      expectRefusal(await partner.call('GET', `${portal}/export/${file}`), 404, 'not_found')
  })

  test('their payout details, which they edit themselves and which are audited', async () => {
    const { get, partner, portal, owner, api, link } = await givenEarningPartner()
    expect(await get('/payout-details')).toBeNull()
    const details = { method: 'bank', account: 'DE89370400440532013000', holder: 'Maya' }
    expect(
      payoutDetails.parse((await partner.call('PUT', `${portal}/payout-details`, details)).body.data),
    ).toMatchObject(details)
    await partner.call('PUT', `${portal}/payout-details`, { ...details, method: 'paypal', account: 'maya@example.com' })
    expect(await get('/payout-details')).toMatchObject({ method: 'paypal' })
    expect((await owner.call('GET', `${api}/partners/${link.partnerId}`)).body.data.payoutDetails).toMatchObject({
      account: 'maya@example.com',
    })
    expect((await owner.call('GET', `${api}/audit?search=payout+details`)).body.data).toHaveLength(2)
    for (const wrong of [{}, { ...details, method: 'cash' }, { ...details, account: '' }, { ...details, holder: 5 }])
      expectRefusal(await partner.call('PUT', `${portal}/payout-details`, wrong), 400, 'invalid_request')
  })

  test('link creation if the program allows it and they are approved', async () => {
    const { partner, portal, owner, api, link } = await givenEarningPartner()
    const make = (body: object = { destinationUrl: 'https://shop.example/pricing' }) =>
      partner.call('POST', `${portal}/links`, body)
    expectRefusal(await make(), 403, 'forbidden')
    await owner.call('PATCH', api, { partnersCreateLinks: true })
    expect(portalLink.parse((await make()).body.data)).toMatchObject({
      destinationUrl: 'https://shop.example/pricing',
      active: true,
    })
    expectRefusal(await make({ aff: link.aff }), 409, 'conflict')
    expectRefusal(await make({ destinationUrl: 'javascript:alert(1)' }), 400, 'invalid_request')
    await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'suspended' })
    expectRefusal(await make(), 403, 'forbidden')
    expect((await owner.call('GET', `${api}/links?partnerId=${link.partnerId}`)).body.data).toHaveLength(2)
  })
})
