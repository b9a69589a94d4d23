import { describe, expect, test } from 'bun:test'
import { performance, trackingEventRow } from '@tributary/contract'
import { expectRefusal, givenClick, type TestLink } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { givenDashboard } from './given-dashboard.ts'

const service = await givenService()
const { owner, givenProgram, givenPartner, givenLink } = await givenDashboard(service)

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

  test('every click, lead and sale is in the program’s events, newest first; test events are marked', async () => {
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

  test('performance has every day of the period, including zeros, and revenue by currency', async () => {
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

  test('a day is a calendar day in the program’s time zone', async () => {
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
