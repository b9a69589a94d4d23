import { describe, expect, test } from 'bun:test'
import {
  apiKey,
  linkRow,
  partner,
  performance,
  program,
  referralLink,
  trackingEventRow,
  workspace,
} from '@tributary/contract'
import { expectRefusal, givenClick, givenUser, givenWorkspace, type TestLink, unique } from './support/given.ts'
import { DAY_MS, startTestService } from './support/service.ts'

const service = await startTestService()
const owner = await givenUser(service)
const workspaceId = await givenWorkspace(owner)

const givenProgram = async (settings: object = {}) => {
  const { status, body } = await owner.call('POST', '/api/programs', {
    workspaceId,
    name: unique('Program'),
    ...settings,
  })
  expect(status).toBe(201)
  return body.data as { id: number; name: string }
}
const givenPartner = async (programId: number, fields: object = {}) =>
  (await owner.call('POST', `/api/programs/${programId}/partners`, { name: unique('Partner'), ...fields })).body.data
const givenLink = async (programId: number, partnerId: number, fields: object = {}) =>
  (await owner.call('POST', `/api/programs/${programId}/links`, { partnerId, ...fields })).body.data

describe('workspaces and programs', () => {
  test('a workspace is created with its creator as owner', async () => {
    const { status, body } = await owner.call('POST', '/api/workspaces', { name: 'Second' })
    expect(status).toBe(201)
    expect(workspace.parse(body.data)).toMatchObject({ name: 'Second', role: 'owner' })
  })

  test('a program has the documented defaults', async () => {
    const { id } = await givenProgram({ name: 'Defaults' })
    const { body } = await owner.call('GET', `/api/programs/${id}`)
    expect(program.parse(body.data)).toMatchObject({
      id,
      workspaceId,
      name: 'Defaults',
      cookieWindowDays: 60,
      leadAuth: 'server_required',
      paymentTrackingMode: 'processor_connect',
      attributionModel: 'last_click',
      currency: 'USD',
      timezone: 'UTC',
    })
  })

  test('every setting of a program can be changed, alone or together', async () => {
    const { id } = await givenProgram()
    const change = {
      name: 'Renamed',
      cookieWindowDays: 365,
      leadAuth: 'browser_allowed',
      paymentTrackingMode: 's2s',
      attributionModel: 'first_click',
      currency: 'jpy',
      timezone: 'Asia/Tokyo',
    }
    expect((await owner.call('PATCH', `/api/programs/${id}`, change)).body.data).toMatchObject({
      ...change,
      currency: 'JPY',
    })
    expect((await owner.call('PATCH', `/api/programs/${id}`, { cookieWindowDays: 1 })).body.data).toMatchObject({
      name: 'Renamed',
      cookieWindowDays: 1,
    })
    expect((await owner.call('PATCH', `/api/programs/${id}`, {})).status).toBe(200)
  })

  const wrong: [string, object][] = [
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(121) }],
    ['name', { name: 5 }],
    ['name', { name: 'a\u0000' }],
    ['cookieWindowDays', { cookieWindowDays: 0 }],
    ['cookieWindowDays', { cookieWindowDays: 366 }],
    ['cookieWindowDays', { cookieWindowDays: 1.5 }],
    ['leadAuth', { leadAuth: 'everybody' }],
    ['paymentTrackingMode', { paymentTrackingMode: 'cash' }],
    ['attributionModel', { attributionModel: 'random' }],
    ['currency', { currency: 'QQQ' }],
    ['timezone', { timezone: 'Moon/Base' }],
    ['timezone', { timezone: '+0530' }],
    ['timezone', { timezone: '+12:00' }],
  ]
  for (const [field, change] of wrong)
    test(`400 names the field and changes nothing: ${JSON.stringify(change).slice(0, 40)}`, async () => {
      const { id } = await givenProgram()
      const before = (await owner.call('GET', `/api/programs/${id}`)).body
      const answer = await owner.call('PATCH', `/api/programs/${id}`, change)
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error.field).toBe(field)
      expect(answer.body.error.message).not.toContain('missing')
      expect((await owner.call('GET', `/api/programs/${id}`)).body).toEqual(before)
    })

  test('a list says which page it is', async () => {
    const first = await owner.call('GET', '/api/programs?page=1&pageSize=2')
    const { pagination } = first.body.meta
    expect(first.body.data).toHaveLength(2)
    expect(pagination).toEqual({
      page: 1,
      pageSize: 2,
      pageCount: Math.ceil(pagination.total / 2),
      total: pagination.total,
    })
    const last = await owner.call('GET', `/api/programs?page=${pagination.pageCount + 1}&pageSize=2`)
    expect(last.body.data).toEqual([])
    for (const query of ['page=0', 'page=x', 'pageSize=0', 'pageSize=201', 'page=1.5', 'page=99999999999'])
      expectRefusal(await owner.call('GET', `/api/programs?${query}`), 400, 'invalid_request')
  })

  test('a key list is masked', async () => {
    const { id } = await givenProgram()
    await owner.call('POST', `/api/programs/${id}/api-keys`)
    for (const row of (await owner.call('GET', `/api/programs/${id}/api-keys`)).body.data) apiKey.parse(row)
  })
})

describe('partners', () => {
  test('are pending at first, get a short code from their name, and move through the four statuses', async () => {
    const { id } = await givenProgram()
    const { status, body } = await owner.call('POST', `/api/programs/${id}/partners`, {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
    })
    expect(status).toBe(201)
    expect(partner.parse(body.data)).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      code: 'ada-lovelace',
      status: 'pending',
    })
    for (const status of ['approved', 'suspended', 'rejected', 'pending'])
      expect(
        (await owner.call('PATCH', `/api/programs/${id}/partners/${body.data.id}`, { status })).body.data.status,
      ).toBe(status)
    expectRefusal(
      await owner.call('PATCH', `/api/programs/${id}/partners/${body.data.id}`, { status: 'famous' }),
      400,
      'invalid_request',
    )
  })

  test('a code is unique in its program: a chosen one is refused, a made one made again', async () => {
    const [one, two] = [await givenProgram(), await givenProgram()]
    await givenPartner(one.id, { code: 'ada' })
    expectRefusal(
      await owner.call('POST', `/api/programs/${one.id}/partners`, { name: 'x', code: 'ada' }),
      409,
      'conflict',
    )
    expect((await owner.call('POST', `/api/programs/${two.id}/partners`, { name: 'x', code: 'ada' })).status).toBe(201)
    const names = await Promise.all([1, 2, 3].map(() => givenPartner(one.id, { name: 'Grace Hopper' })))
    expect(new Set(names.map(({ code }) => code)).size).toBe(3)
    expect((await givenPartner(one.id, { name: '李小龍' })).code).toMatch(/^partner-/)
  })
})

describe('links', () => {
  test('are made with the aff that is asked for, or with one of their own', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id)
    const aff = unique('summer sale+ü')
    const { status, body } = await owner.call('POST', `/api/programs/${id}/links`, {
      partnerId,
      aff,
      destinationUrl: 'https://shop.example/',
    })
    expect(status).toBe(201)
    expect(referralLink.parse(body.data)).toMatchObject({ aff, partnerId, active: true, clicks: 0, lastClicked: null })
    expect((await givenLink(id, partnerId)).aff.length).toBeGreaterThan(5)
    expectRefusal(await owner.call('POST', `/api/programs/${id}/links`, { partnerId, aff }), 409, 'conflict')
    const url = `https://shop.example/?aff=${encodeURIComponent(aff)}`
    expect((await service.call('POST', '/api/v1/track/click', { affiliate_url: url })).status).toBe(200)
    const listed = (await owner.call('GET', `/api/programs/${id}/links?sort=createdAt`)).body.data
    expect(linkRow.parse(listed[0])).toMatchObject({ clicks: 1, lastClicked: expect.any(String) })
  })

  test('can be switched off and on', async () => {
    const { id } = await givenProgram()
    const link = await givenLink(id, (await givenPartner(id)).id)
    const click = () =>
      service.call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${link.aff}` })
    const change = (active: boolean) => owner.call('PATCH', `/api/programs/${id}/links/${link.id}`, { active })
    expect((await change(false)).body.data.active).toBe(false)
    expectRefusal(await click(), 410, 'link_disabled')
    expect((await change(true)).body.data.active).toBe(true)
    expect((await click()).status).toBe(200)
  })

  test('may be prepared without a partner, refuse clicks until they have one, and then keep it', async () => {
    const { id } = await givenProgram()
    const [first, second] = [await givenPartner(id), await givenPartner(id)]
    const link = (await owner.call('POST', `/api/programs/${id}/links`, { partnerId: null })).body.data
    const click = () =>
      service.call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${link.aff}` })
    const give = (partnerId: number) => owner.call('PATCH', `/api/programs/${id}/links/${link.id}`, { partnerId })
    expectRefusal(await click(), 400, 'link_misconfigured')
    expect((await give(first.id)).body.data.partnerId).toBe(first.id)
    expect((await click()).status).toBe(200)
    expectRefusal(await give(second.id), 409, 'conflict')
    expect((await give(first.id)).status).toBe(200)
  })

  for (const body of [{}, { partnerId: 'x' }, { partnerId: 99_999_999 }, { partnerId: 1e20 }])
    test(`400 for ${JSON.stringify(body)}`, async () => {
      const { id } = await givenProgram()
      expectRefusal(await owner.call('POST', `/api/programs/${id}/links`, body), 400, 'invalid_request')
    })

  test('lead nowhere but to the web', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id)
    for (const destinationUrl of ['javascript:alert(1)', 'data:text/html,x', '/relative', 'nonsense', 5])
      expectRefusal(
        await owner.call('POST', `/api/programs/${id}/links`, { partnerId, destinationUrl }),
        400,
        'invalid_request',
      )
  })
})

describe('events and performance', () => {
  const givenHistory = async (settings: object = {}) => {
    const { id } = await givenProgram(settings)
    const { key } = (await owner.call('POST', `/api/programs/${id}/api-keys`)).body.data
    const { aff } = await givenLink(id, (await givenPartner(id)).id)
    const link = { url: `https://shop.example/?aff=${aff}` } as TestLink
    const keyed = (path: string, body: object) =>
      service.call('POST', `/api/v1/track/${path}`, body, { authorization: `Bearer ${key}` })
    const click_id = await givenClick(service, link)
    await givenClick(service, link, { existing_click_id: click_id })
    await keyed('lead', { click_id, customer_key: 'user-1', email: 'ada@example.com' })
    await keyed('sale', { customer_key: 'user-1', amount: 1234, invoice_id: 'in-1' })
    await keyed('sale', { customer_key: 'user-1', amount: 100, invoice_id: 'in-2', currency: 'EUR' })
    await keyed('sale', { customer_key: 'stranger', amount: 999, invoice_id: 'in-3' })
    await keyed('lead', { additional_data: { test_mode: true } })
    return { id, click_id, keyed }
  }

  test('every click, lead and sale appears under the program’s tracking events, newest first; test events are marked', async () => {
    const { id, click_id } = await givenHistory()
    const { body } = await owner.call('GET', `/api/tracking/events/${id}`)
    const events = body.data.map((event: unknown) => trackingEventRow.parse(event))
    expect(
      events.map(({ eventType, test }: { eventType: string; test: boolean }) => `${eventType}${test ? ' (test)' : ''}`),
    ).toEqual(['lead (test)', 'sale', 'sale', 'sale', 'lead', 'click', 'click'])
    expect(body.meta.pagination).toEqual({ page: 1, pageSize: 50, pageCount: 1, total: 7 })
    expect(events[1]).toMatchObject({
      customerKey: 'stranger',
      clickId: null,
      details: { attributed: false, reason: 'customer_unknown', amountCents: 999 },
    })
    expect(events[4]).toMatchObject({
      clickId: click_id,
      customerKey: 'user-1',
      details: { state: 'settled', email: 'a***@example.com' },
    })
    expect(events[5]).toMatchObject({ clickId: click_id, details: { reused: true } })
  })

  test('events can be filtered by type and date, and paged', async () => {
    const { id } = await givenHistory()
    const list = async (query: string) => (await owner.call('GET', `/api/tracking/events/${id}?${query}`)).body
    expect((await list('eventType=sale')).data).toHaveLength(3)
    expect((await list('eventType=lead')).meta.pagination.total).toBe(2)
    const today = new Date().toISOString().slice(0, 10)
    expect((await list(`dateFrom=${today}&dateTo=${today}`)).meta.pagination.total).toBe(7)
    expect((await list('dateTo=2020-01-01')).meta.pagination.total).toBe(0)
    expect((await list(`dateFrom=${new Date(Date.now() + DAY_MS).toISOString()}`)).data).toEqual([])
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`page=${page}&pageSize=2`)))
    expect(
      new Set(
        pages.flatMap(({ data }) =>
          data.map(({ eventType, test, id }: Record<string, unknown>) => `${eventType} ${test} ${id}`),
        ),
      ).size,
    ).toBe(7)
    const dates = [
      'yesterday',
      '2026-13-45',
      '2026-02-30',
      '0000-01-01',
      '2026-01-01T25:00:00Z',
      '99999-01-01',
      '%00',
      '2026-02-30T00:00:00Z',
    ]
    for (const query of ['eventType=visit', ...dates.flatMap((date) => [`dateFrom=${date}`, `dateTo=${date}`])])
      expectRefusal(await owner.call('GET', `/api/tracking/events/${id}?${query}`), 400, 'invalid_request')
  })

  test('performance has every day of the period, zeros included, and revenue by currency', async () => {
    const { id } = await givenHistory()
    for (const [period, days] of [
      ['7d', 7],
      ['30d', 30],
      ['90d', 90],
      ['all', 1],
    ] as const) {
      const { body } = await owner.call('GET', `/api/tracking/performance/${id}?period=${period}`)
      const answer = performance.parse(body.data)
      expect(answer.days).toHaveLength(days)
      expect(answer.days.at(-1)?.date).toBe(new Date().toISOString().slice(0, 10))
      expect(answer.totals).toEqual({
        clicks: 2,
        leads: 1,
        sales: 2,
        revenue: [
          { currency: 'EUR', amountCents: 100 },
          { currency: 'USD', amountCents: 1234 },
        ],
        commissions: [],
      })
    }
    expectRefusal(await owner.call('GET', `/api/tracking/performance/${id}?period=1y`), 400, 'invalid_request')
  })

  test('a day is a day of the program’s time zone', async () => {
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { id } = await givenHistory({ timezone })
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date())
      const { days } = (await owner.call('GET', `/api/tracking/performance/${id}?period=7d`)).body.data
      expect(days.at(-1)).toMatchObject({ date: today, clicks: 2, leads: 1, sales: 2 })
      const events = await owner.call('GET', `/api/tracking/events/${id}?dateFrom=${today}&dateTo=${today}`)
      expect(events.body.meta.pagination.total).toBe(7)
    }
  })
})
