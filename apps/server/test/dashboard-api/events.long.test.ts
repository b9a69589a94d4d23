import { describe, expect, test } from 'bun:test'
import { eventList, trackingEvent, trackingEventRow } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, givenUser, type User, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' } }

const givenProgramEvents = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const other = await givenLink(service, program.id)
  await givenClick(service, other)
  const sale = await givenSale(program, 1000)
  const waiting = unique('waiting')
  await program.sale({ customer_key: waiting, amount: 5, invoice_id: unique('invoice') })
  await program.sale({ customer_key: sale.customer_key, additional_data: { test_mode: true }, invoice_id: 'tested' })
  const list = async (query = '') => {
    const { status, body } = await program.owner.call('GET', `/api/tracking/events/${program.id}?${query}`)
    expect(status).toBe(200)
    return eventList.parse(body)
  }
  const words = async (query: string) =>
    (await list(query)).data.map(({ eventType, test }) => `${eventType}${test ? ' (test)' : ''}`)
  return { ...program, other, saleOf: sale, waiting, list, words }
}

describe('the list of events', () => {
  test('shows test events with the same fields as real ones', async () => {
    const program = await givenProgramEvents()
    const additional_data = { test_mode: true }
    await program.lead({ customer_key: 'tk', click_id: 'tc', additional_data })
    await program.sale({ customer_key: 'tk', invoice_id: 'ti', amount: 5, additional_data })
    await service.call('POST', '/api/v1/track/click', {
      affiliate_url: program.link.url,
      page_url: 'https://shop.example/',
      additional_data,
    })
    const { data } = await program.list('test=true')
    const [click, sale, lead] = data
    expect(click).toMatchObject({ details: { aff: program.link.aff, pageUrl: 'https://shop.example/' } })
    expect(sale).toMatchObject({ customerKey: 'tk', clickId: null, details: { invoiceId: 'ti', amountCents: 5 } })
    expect(lead).toMatchObject({ customerKey: 'tk', clickId: 'tc', details: { from: 'server' } })
    for (const { eventType, id, details } of data) {
      expect(JSON.stringify(details)).not.toContain('_')
      const path = `/api/tracking/events/${program.id}/${eventType}/${id}?test=true`
      expect((await program.owner.call('GET', path)).body.data.details).toEqual(details)
    }
  })

  test('is filtered by partner, link and test', async () => {
    const { words, link, other, list } = await givenProgramEvents()
    expect(await words(`partnerId=${link.partnerId}`)).toEqual(['sale', 'lead', 'click'])
    expect(await words(`linkId=${other.id}`)).toEqual(['click'])
    expect(await words(`linkId=${other.id}&eventType=sale`)).toEqual([])
    expect(await words('test=true')).toEqual(['sale (test)'])
    expect(await words('test=false')).toEqual(['sale', 'sale', 'lead', 'click', 'click'])
    expect((await list(`partnerId=${link.partnerId}`)).meta.pagination.total).toBe(3)
    expect((await list('linkId=99999')).meta.pagination.total).toBe(0)
  })

  test('shows the metadata of a sale exactly as sent', async () => {
    const { sale, list } = await givenProgramEvents()
    const metadata = { coupon: null, plan: 'x', list: [null, { a: null }] }
    await sale({ customer_key: 'with-metadata', amount: 5, invoice_id: unique('invoice'), metadata })
    expect((await list('eventType=sale')).data[0]?.details).toMatchObject({ metadata })
    expect((await list('eventType=sale')).data[1]?.details).not.toHaveProperty('metadata')
  })

  test('finds old clicks by country and by link', async () => {
    const { id, link, words, list, owner } = await givenProgramEvents()
    await service.pool.query(
      `INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, country)
       SELECT $1, gen_random_uuid(), now() - n * interval '1 day', (now() - n * interval '1 day')::date, 'old' || n, $2, $3, false, 'DE' FROM generate_series(1, 9) n`,
      [id, link.id, link.partnerId],
    )
    await service.pool.query(
      `INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks)
       SELECT program_id, link_id, partner_id, day, 0, 1 FROM click_events WHERE program_id = $1 AND country = 'DE'`,
      [id],
    )
    service.clock.advance(3_600_000)
    await owner.call('GET', `/api/tracking/breakdown/${id}?by=country`)
    expect(await words('country=de')).toEqual(Array(9).fill('click'))
    expect((await list('country=DE&pageSize=2')).data.map(({ clickId }) => clickId)).toEqual(['old1', 'old2'])
    const first = await list(`linkId=${link.id}&eventType=click&pageSize=4`)
    const second = await list(`linkId=${link.id}&eventType=click&pageSize=4&cursor=${first.meta.nextCursor}`)
    expect([...first.data, ...second.data].slice(1).map(({ clickId }) => clickId)).toEqual([
      'old1',
      'old2',
      'old3',
      'old4',
      'old5',
      'old6',
      'old7',
    ])
    expect(first.meta).toMatchObject({ pagination: { total: 10 }, atLeast: false })
    service.clock.advance(-3_600_000)
  })

  test('with dateTo has the clicks of a link and of a country, however many came later', async () => {
    const { id, link, list, owner } = await givenProgramEvents()
    await service.pool.query(
      `INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, country)
       SELECT $1, gen_random_uuid(), '2026-01-10T12:00Z'::timestamptz + day * interval '1 day', '2026-01-10'::date + day, 'day' || day, $2, $3, false, 'DE'
       FROM generate_series(0, 5) day, generate_series(1, 3)`,
      [id, link.id, link.partnerId],
    )
    await service.pool.query(
      `INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks)
       SELECT program_id, link_id, partner_id, day, 0, count(*) FROM click_events WHERE program_id = $1 AND country = 'DE' GROUP BY 1, 2, 3, 4`,
      [id],
    )
    await owner.call('GET', `/api/tracking/breakdown/${id}?by=country`)
    for (const filter of [`linkId=${link.id}`, `partnerId=${link.partnerId}`, 'country=DE']) {
      const { data } = await list(`${filter}&dateTo=2026-01-11&pageSize=4`)
      expect(data.map(({ clickId }) => clickId)).toEqual(['day1', 'day1', 'day1', 'day0'])
    }
  })

  test('matches a click ID, customer key or invoice ID exactly', async () => {
    const { words, saleOf, waiting, list } = await givenProgramEvents()
    const [click] = (await list(`search=${saleOf.customer_key}&eventType=click`)).data
    expect(await words(`search=${saleOf.customer_key}`)).toEqual(['sale (test)', 'sale', 'lead', 'click'])
    expect(await words(`search=${click?.clickId}`)).toEqual(['sale', 'lead', 'click'])
    expect(await words(`search=${saleOf.invoice_id}`)).toEqual(['sale'])
    expect(await words(`search=${waiting}`)).toEqual(['sale'])
    expect(await words('search=tested')).toEqual(['sale (test)'])
    expect(await words(`search=${saleOf.invoice_id.slice(1)}`)).toEqual([])
  })

  test('keeps its pages stable while new events arrive', async () => {
    const program = await givenProgramEvents()
    const seen: string[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null && page < 10; page++) {
      const { data, meta } = await program.list(`pageSize=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...data.map(({ eventType, test, id }) => `${eventType} ${test} ${id}`))
      cursor = meta.nextCursor
      await givenClick(service, program.link)
    }
    expect(seen).toHaveLength(6)
    expect(new Set(seen).size).toBe(6)
  })

  test('returns events with the same timestamp exactly once, for any page size', async () => {
    const { id, link, list } = await givenProgramEvents()
    await service.pool.query(
      `INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused)
       SELECT $1, gen_random_uuid(), '2026-01-05T10:00:00Z', '2026-01-05', 'x', $2, $3, false FROM generate_series(1, 7)`,
      [id, link.id, link.partnerId],
    )
    const seen = new Set<string>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, meta } = await list(`dateTo=2026-01-05&pageSize=3${cursor ? `&cursor=${cursor}` : ''}`)
      for (const row of data) seen.add(row.id)
      cursor = meta.nextCursor
    }
    expect(seen.size).toBe(7)
  })

  const wrong = [
    'partnerId=x',
    'linkId=0',
    'linkId=99999999999',
    'country=DEU',
    'test=maybe',
    'search=',
    `search=${'x'.repeat(256)}`,
    'search=%00',
    'cursor=abc',
    `cursor=${Buffer.from('2026-01-01T00:00:00.000000Z 0 5').toString('base64url')}`,
    `cursor=${Buffer.from('2026-99-01T00:00:00.000000Z 1 5').toString('base64url')}`,
  ]
  for (const query of wrong)
    test(`400 for ${query.slice(0, 40)}`, async () => {
      const program = await givenPayingProgram(service, REWARD)
      expectRefusal(
        await program.owner.call('GET', `/api/tracking/events/${program.id}?${query}`),
        400,
        'invalid_request',
      )
    })
})

describe('one event', () => {
  test('has every field, by the ID from the list', async () => {
    const { id, owner, list } = await givenProgramEvents()
    for (const row of (await list()).data) {
      const path = `/api/tracking/events/${id}/${row.eventType}/${row.id}?test=${row.test}`
      expect(trackingEventRow.parse((await owner.call('GET', path)).body.data)).toEqual(row)
      expect((await owner.call('GET', `${path}&timestamp=${row.timestamp}`)).body.data).toEqual(row)
    }
  })

  test('404 for an unknown ID or one of another program', async () => {
    const [mine, theirs] = [await givenProgramEvents(), await givenProgramEvents()]
    const [row] = (await theirs.list('eventType=sale&test=false')).data
    for (const path of [
      `sale/${row?.id}`,
      'sale/0',
      'sale/x',
      'visit/1',
      'click/1',
      'click/ffffffff-ffff-ffff-ffff-ffffffffffff',
      `sale/${'9'.repeat(30)}`,
      'lead/%00',
    ])
      expectRefusal(await mine.owner.call('GET', `/api/tracking/events/${mine.id}/${path}`), 404, 'not_found')
    expectRefusal(
      await mine.owner.call('GET', `/api/tracking/events/${mine.id}/click/1?timestamp=now`),
      400,
      'invalid_request',
    )
  })
})

describe('the stream of events', () => {
  const open = async (programId: number, cookie: string) => {
    const abort = new AbortController()
    const response = await fetch(`${service.url}/api/tracking/events/${programId}/stream`, {
      headers: { cookie },
      signal: abort.signal,
    })
    const reader = response.body?.getReader()
    let text = ''
    /** Reads until the text appears this often; null when the stream has ended. */
    const until = async (words: string, times = 1) => {
      while (text.split(words).length <= times) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) return null
        text += Buffer.from(value ?? []).toString()
      }
      return text
    }
    return { response, until, close: () => abort.abort() }
  }

  test('announces from when on nothing is missed, and then a refund', async () => {
    const program = await givenProgramEvents()
    const { invoice_id } = program.saleOf
    const isNumbered = async () =>
      (await service.pool.query('SELECT FROM outbox_events WHERE program_id = $1 AND sequence IS NULL', [program.id]))
        .rowCount === 0
    while (!(await isNumbered())) await Bun.sleep(20)
    const change = 'event: change\ndata: {}\n\n'
    const stream = await open(program.id, program.owner.cookie)
    await stream.until(change)
    expect((await program.refund({ invoice_id, amount: 100 })).status).toBe(200)
    expect(await stream.until(change, 2)).not.toBeNull()
    stream.close()
  })

  test('sends new clicks, leads, sales and tests in the format of the list, and nothing older', async () => {
    const program = await givenProgramEvents()
    const stream = await open(program.id, program.owner.cookie)
    expect(stream.response.headers.get('content-type')).toStartWith('text/event-stream')
    await stream.until(': connected')
    await Bun.sleep(1_200)
    const { customer_key, invoice_id } = await givenSale(program, 4200)
    await program.lead({ additional_data: { test_mode: true } })
    const text = (await stream.until('"test":true')) ?? ''
    const events = text
      .split('\n\n')
      .flatMap((event) => /^event: tracking\ndata: (.*)$/.exec(event)?.[1] ?? [])
      .map((data) => trackingEvent.parse(JSON.parse(data)))
    expect(events.map(({ eventType, test }) => `${eventType} ${test}`).toSorted()).toEqual([
      'click false',
      'lead false',
      'lead true',
      'sale false',
    ])
    expect(events.find(({ eventType }) => eventType === 'sale')).toMatchObject({
      customerKey: customer_key,
      details: { invoiceId: invoice_id },
    })
    stream.close()
  })

  test('ends when the reader signs out or loses access', async () => {
    const program = await givenProgramEvents()
    const signOut = (viewer: User) => viewer.call('POST', '/api/auth/sign-out', {})
    const remove = ({ email }: User) =>
      service.pool.query('DELETE FROM members USING users WHERE users.id = user_id AND email = $1', [email])
    const endAfter = async (leave: (viewer: User) => Promise<unknown>) => {
      const viewer = await givenUser(service)
      await givenRole(service, program.workspaceId, viewer, 'viewer')
      const stream = await open(program.id, viewer.cookie)
      await stream.until(': connected')
      await leave(viewer)
      return stream.until('never said')
    }
    expect(await Promise.all([endAfter(signOut), endAfter(remove)])).toEqual([null, null])
  }, 30_000)

  test('is limited per workspace, so one workspace does not exhaust the others', async () => {
    const [greedy, other] = [await givenProgramEvents(), await givenProgramEvents()]
    const cookies = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const viewer = await givenUser(service)
        await givenRole(service, greedy.workspaceId, viewer, 'viewer')
        return viewer.cookie
      }),
    )
    const streams = await Promise.all(
      Array.from({ length: 40 }, (_, index) => open(greedy.id, cookies[index % 8] ?? '')),
    )
    expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200))
    const refused = await greedy.owner.call('GET', `/api/tracking/events/${greedy.id}/stream`)
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const theirs = await open(other.id, other.owner.cookie)
    expect(theirs.response.status).toBe(200)
    theirs.close()
    for (const stream of streams) stream.close()
    let status = 429
    while (status === 429) {
      const next = await open(greedy.id, greedy.owner.cookie)
      status = next.response.status
      next.close()
    }
    expect(status).toBe(200)
  })

  test('is not opened by HEAD, which would leave it open forever', async () => {
    const program = await givenProgramEvents()
    const address = `${service.url}/api/tracking/events/${program.id}/stream`
    for (let calls = 0; calls <= 6; calls++) {
      const { status } = await fetch(address, { method: 'HEAD', headers: { cookie: program.owner.cookie } })
      expect(status).toBe(200)
    }
    const stream = await open(program.id, program.owner.cookie)
    expect(stream.response.status).toBe(200)
    stream.close()
  })

  test('of one viewer cannot lock the owner out', async () => {
    const program = await givenProgramEvents()
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(program.id, viewer.cookie)))
    expect(streams.filter(({ response }) => response.status === 200)).toHaveLength(6)
    const owner = await open(program.id, program.owner.cookie)
    expect(owner.response.status).toBe(200)
    for (const stream of [owner, ...streams]) stream.close()
  })

  test('is limited per user across workspaces', async () => {
    const [first, second] = [await givenProgramEvents(), await givenProgramEvents()]
    const greedy = await givenUser(service)
    for (const { workspaceId } of [first, second]) await givenRole(service, workspaceId, greedy, 'viewer')
    const streams = await Promise.all(
      Array.from({ length: 6 }, (_, index) => open(index % 2 ? first.id : second.id, greedy.cookie)),
    )
    expectRefusal(await greedy.call('GET', `/api/tracking/events/${first.id}/stream`), 429, 'rate_limited')
    const owner = await open(first.id, first.owner.cookie)
    expect(owner.response.status).toBe(200)
    for (const stream of [owner, ...streams]) stream.close()
  })

  test('is rejected without permission to list events', async () => {
    const program = await givenProgramEvents()
    const billing = await givenUser(service)
    await givenRole(service, program.workspaceId, billing, 'billing')
    expectRefusal(await billing.call('GET', `/api/tracking/events/${program.id}/stream`), 403, 'forbidden')
  })
})

test('no combination of filters answers 500', async () => {
  const { words } = await givenProgramEvents()
  const today = new Date(Date.now() + DAY_MS).toISOString()
  expect(
    await words(
      `country=DE&linkId=1&partnerId=2&search=x&dateFrom=2026-01-01&dateTo=${today}&test=false&eventType=click`,
    ),
  ).toEqual([])
})
