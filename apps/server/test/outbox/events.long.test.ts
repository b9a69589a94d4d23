import { describe, expect, test } from 'bun:test'
import {
  exampleEvent,
  MAX_EVENT_STREAMS_PER_PROGRAM,
  MAX_EVENT_STREAMS_PER_WORKSPACE,
  PUBLISHED_EVENT_TYPES,
  publishedEventOf,
} from '@tributary/contract'
import { announcePayable } from '../../src/money/commissions/announce-payable.ts'
import { expectRefusal, givenClick, givenProgram, givenUser, givenWorkspace, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { isLongRun } from '../support/size.ts'
import { bearer, eventsOf, openStream } from './given-events.ts'

const service = await givenService()
const REWARD = { lead: { amountCents: 500 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 30 }

const givenShop = async () => {
  const program = await givenPayingProgram(service, REWARD)
  return { ...program, events: eventsOf(service, program.key) }
}

const announce = () => announcePayable({ db: service.db, clock: service.clock.now })

test('every type of event has an example that its schema accepts', () => {
  for (const type of PUBLISHED_EVENT_TYPES) publishedEventOf(type).parse(exampleEvent(type))
})

test('a customer’s way from lead to payout is published in order, without gaps', async () => {
  const shop = await givenShop()
  const clickId = await givenClick(service, shop.link)
  await shop.lead({ customer_key: 'ada', click_id: clickId, email: 'ada@example.com' })
  const { body: sale } = await shop.sale({ customer_key: 'ada', amount: 10_000, invoice_id: 'in-1' })
  await shop.refund({ invoice_id: 'in-1', amount: 4_000 })
  await shop.sale({ customer_key: 'nobody', amount: 700, invoice_id: 'in-2' })
  service.clock.advance(31 * DAY_MS)
  await announce()
  await announce()
  const payoutId = (await shop.pay()).id
  await shop.refund({ invoice_id: 'in-1', amount: 1_000 })
  const [line] = (await shop.owner.call('GET', `${shop.api}/payouts/${payoutId}`)).body.data.lines
  expect((await shop.decide(payoutId, line.id, { status: 'paid', reference: 'bank-1' })).status).toBe(200)

  const events = await shop.events()
  expect(events.map(({ type }) => type)).toEqual([
    'terms.changed',
    'lead.created',
    'commission.created',
    'sale.created',
    'commission.created',
    'sale.refunded',
    'commission.updated',
    'sale.created',
    'commission.payable',
    'commission.payable',
    'payout.created',
    'sale.refunded',
    'commission.updated',
    'payout.updated',
    'commission.updated',
    'commission.updated',
    'payout.paid',
  ])
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  for (const event of events) publishedEventOf(event.type).parse(event)
  expect(events[1]?.data).toMatchObject({ customerKey: 'ada', customerId: clickId, partnerId: shop.link.partnerId })
  expect(events[3]).toMatchObject({ data: { id: sale.sale_id, amountCents: 10_000, state: 'credited' } })
  expect(events[3]).not.toHaveProperty('changes')
  expect(events[5]).toMatchObject({ data: { refundedCents: 4_000 }, changes: { refundedCents: [0, 4_000] } })
  expect(events[6]).toMatchObject({ data: { reversedCents: 400 }, changes: { reversedCents: [0, 400] } })
  expect(events[7]?.data).toMatchObject({ state: 'uncredited', reason: 'customer_unknown', partnerId: null })
  expect(events[8]).toMatchObject({ data: { state: 'payable' }, changes: { state: ['held', 'payable'] } })
  // The documentation shows every field, in the order in which it is sent.
  const example = exampleEvent('commission.payable')
  expect([Object.keys(events[8] ?? {}), Object.keys(events[8]?.data ?? {})]).toEqual([
    Object.keys(example),
    Object.keys(example.data),
  ])
  expect(events[10]).toMatchObject({ data: { status: 'open', amountCents: 1_100 } })
  expect(events[13]).toMatchObject({ data: { status: 'open' }, changes: { amountCents: [1_100, 1_000] } })
  expect(events[14]).toMatchObject({ data: { state: 'paid', paidCents: 500 } })
  expect(events[16]).toMatchObject({ data: { status: 'paid', amountCents: 1_000, reference: 'bank-1' } })
  // The address is kept apart, for endpoints that ask for it, and only masked.
  expect(JSON.stringify(events)).not.toContain('example.com')
  const { rows } = await service.pool.query(
    `SELECT customer FROM outbox_events WHERE program_id = $1 AND customer IS NOT NULL`,
    [shop.id],
  )
  expect(rows).toEqual([{ customer: { email: 'a***@example.com' } }])
})

test('partners, links, agreements and the processor are published too', async () => {
  const shop = await givenShop()
  const { owner, api } = shop
  const send = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await owner.call(method, `${api}${path}`, body)
    expect({ path, ok: status < 300 }).toEqual({ path, ok: true })
    return answer?.data
  }
  const { id: partnerId } = await send('POST', '/partners', { name: 'Ada', email: 'ada@example.com' })
  await send('PATCH', `/partners/${partnerId}`, { status: 'approved', name: 'Ada L.' })
  await send('PATCH', `/partners/${partnerId}`, { name: 'Ada L.' })
  await send('PATCH', `/partners/${partnerId}`, { status: 'suspended' })
  const { id: linkId } = await send('POST', '/links', { partnerId, aff: unique('ada') })
  await send('PATCH', `/links/${linkId}`, { active: false })
  await send('PATCH', '/links', { ids: [linkId], active: true })
  await send('PUT', `/partners/${partnerId}/reward`, { ...REWARD, holdDays: 7 })
  await send('DELETE', `/partners/${partnerId}/reward`)
  await send('PUT', '/processor', { webhookSecret: 'whsec_abcdefgh12345678' })
  await send('DELETE', '/processor')
  const [, ...events] = await shop.events()
  expect(events.map(({ type, changes }) => [type, Object.keys(changes ?? {})])).toEqual([
    ['partner.applied', []],
    ['link.created', []],
    ['partner.approved', ['name', 'status']],
    ['partner.updated', ['name', 'status']],
    ['partner.suspended', ['status']],
    ['link.created', []],
    ['link.updated', ['active']],
    ['link.updated', ['active']],
    ['terms.changed', []],
    ['terms.changed', []],
    ['processor.disconnected', []],
  ])
  expect(events[8]?.data).toMatchObject({ partnerId, reward: { holdDays: 7, sale: { percentBps: 1_000 } } })
  expect(events[9]?.data).toMatchObject({ partnerId, reward: null })
  for (const event of events) publishedEventOf(event.type).parse(event)
})

test('a hold period that ended while the partner was suspended is announced on approval', async () => {
  const shop = await givenShop()
  await givenSale(shop, 1_000)
  const { partnerId } = shop.link
  const setStatus = (status: string) => shop.owner.call('PATCH', `${shop.api}/partners/${partnerId}`, { status })
  expect((await setStatus('suspended')).status).toBe(200)
  service.clock.advance(31 * DAY_MS)
  await announce()
  expect((await shop.events()).map(({ type }) => type)).not.toContain('commission.payable')
  expect((await setStatus('approved')).status).toBe(200)
  await announce()
  const types = (await shop.events()).map(({ type }) => type)
  expect(types.slice(-3)).toEqual(['partner.approved', 'commission.payable', 'commission.payable'])
})

describe('reading events', () => {
  test('continues after a sequence, page by page', async () => {
    const shop = await givenShop()
    for (let sale = 0; sale < 3; sale++) await shop.sale({ customer_key: 'x', amount: 100, invoice_id: `in-${sale}` })
    const page = await service.call('GET', '/api/v1/events?limit=2', undefined, bearer(shop.key))
    expect(page.body.data.map((event: { sequence: number }) => event.sequence)).toEqual([1, 2])
    expect(page.body.has_more).toBe(true)
    expect((await shop.events('?after=2')).map(({ sequence }) => sequence)).toEqual([3, 4])
    expect(await shop.events('?after=4')).toEqual([])
  })

  test('needs the key of the program, and shows no other program', async () => {
    const shop = await givenShop()
    const path = '/api/v1/events'
    expectRefusal(await service.call('GET', path), 401, 'missing_api_key')
    expectRefusal(await service.call('GET', path, undefined, bearer('trk_x_y')), 401, 'invalid_api_key')
    expectRefusal(await shop.owner.call('GET', path), 401, 'missing_api_key')
    const other = await givenProgram(service)
    expect(await eventsOf(service, other.key)()).toEqual([])
    for (const query of ['?after=-1', '?after=x', '?limit=0', '?limit=1001', '?after=1.5'])
      expectRefusal(await service.call('GET', path + query, undefined, bearer(shop.key)), 400, 'invalid_request')
  })
})

describe('the stream', () => {
  test('sends stored and new events, and resumes after the last one', async () => {
    const shop = await givenShop()
    await shop.sale({ customer_key: 'x', amount: 100, invoice_id: 'in-1' })
    const stream = await openStream(service, shop.key)
    expect(stream.response.headers.get('content-type')).toStartWith('text/event-stream')
    expect(await stream.events(2)).toHaveLength(2)
    await shop.sale({ customer_key: 'x', amount: 100, invoice_id: 'in-2' })
    const [, second, third] = await stream.events(3)
    expect(second).toMatchObject({ id: '2', type: 'sale.created', event: { sequence: 2 } })
    expect(third?.event.data).toMatchObject({ invoiceId: 'in-2' })
    stream.close()
    await shop.sale({ customer_key: 'x', amount: 100, invoice_id: 'in-3' })
    const resumed = await openStream(service, shop.key, '?after=0', { 'last-event-id': '2' })
    expect((await resumed.events(2)).map(({ id }) => id)).toEqual(['3', '4'])
    resumed.close()
  })

  test(`ends when the key is revoked${isLongRun ? ', and sends heartbeats until then' : ''}`, async () => {
    const shop = await givenShop()
    const stream = await openStream(service, shop.key, '?after=1')
    expect(await stream.comments(isLongRun ? 2 : 1)).toContain(isLongRun ? ': heartbeat' : ': connected')
    const revoked = await shop.owner.call('DELETE', `${shop.api}/api-keys/${shop.key.split('_')[1]}`)
    expect(revoked.status).toBe(200)
    await stream.ended()
  })

  test('429 rate_limited: too many streams of one program, or of one workspace', async () => {
    const owner = await givenUser(service)
    const workspaceId = await givenWorkspace(owner)
    const givenKey = async () => {
      const { body } = await owner.call('POST', '/api/programs', { workspaceId, name: 'Acme' })
      return (await owner.call('POST', `/api/programs/${body.data.id}/api-keys`, { name: 'Server' })).body.data.key
    }
    const refused = async (key: string) => {
      const headers = { ...bearer(key), accept: 'text/event-stream' }
      expectRefusal(await service.call('GET', '/api/v1/events', undefined, headers), 429, 'rate_limited')
    }
    const streams: Awaited<ReturnType<typeof openStream>>[] = []
    while (streams.length < MAX_EVENT_STREAMS_PER_WORKSPACE) {
      const key = await givenKey()
      const open = () => openStream(service, key)
      streams.push(...(await Promise.all(Array.from({ length: MAX_EVENT_STREAMS_PER_PROGRAM }, open))))
      await refused(key)
    }
    const another = await givenKey()
    await refused(another)
    // There is room for others, and for this one as soon as a stream ends.
    const other = await openStream(service, (await givenShop()).key)
    expect(other.response.status).toBe(200)
    streams.push(other)
    streams.shift()?.close()
    let last = await openStream(service, another)
    while (last.response.status === 429) last = await openStream(service, another)
    expect(last.response.status).toBe(200)
    streams.push(last)
    for (const stream of streams) stream.close()
  })
})
