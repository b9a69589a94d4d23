import { describe, expect, test } from 'bun:test'
import {
  balanceRow,
  commissionRow,
  commissionTotal,
  ledgerLine,
  payoutLine,
  payoutSummary,
  portalPayout,
} from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'

const service = await startTestService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 }

/** Two partners: Zoë earned 100 and 30, Adam 70 in dollars and 5 in euros. All but 3 of Zoë's 30 was refunded. */
const givenStory = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const other = await givenLink(service, program.id)
  const call = (path: string) => program.owner.call('GET', `${program.api}${path}`)
  const rename = (id: number, name: string) =>
    service.db.updateTable('partners').set({ name }).where('id', '=', id).execute()
  await rename(program.link.partnerId, 'Zoë')
  await rename(other.partnerId, 'adam')
  const sell = async (amount: number, currency = 'USD') => {
    service.clock.advance(1000)
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id: await givenClick(service, other) })
    await program.sale({ customer_key, amount, currency, invoice_id: unique('invoice') })
  }
  await givenSale(program, 1000)
  await sell(700)
  service.clock.advance(1000)
  const half = await givenSale(program, 300)
  await program.refund({ invoice_id: half.invoice_id, amount: 270 })
  await sell(50, 'EUR')
  const get = async (path: string) => {
    const { status, body } = await call(path)
    expect(status).toBe(200)
    return body
  }
  const refuses = async (path: string) => expectRefusal(await call(path), 400, 'invalid_request')
  return { ...program, other, get, refuses }
}

const column = (body: { data: Record<string, unknown>[] }, name: string) => body.data.map((row) => row[name])

describe('commissions', () => {
  test('are sorted by when they were earned, by what is left of them and by when they are payable', async () => {
    const { get, refuses } = await givenStory()
    const amounts = async (query: string) => column(await get(`/commissions?${query}`), 'amountCents')
    expect((await get('/commissions')).data.map((row: unknown) => commissionRow.parse(row).amountCents)).toEqual([
      5, 30, 70, 100,
    ])
    expect(await amounts('sort=earnedAt')).toEqual([100, 70, 30, 5])
    // The refund left 3 of the 30.
    expect(await amounts('sort=-amountCents')).toEqual([100, 70, 5, 30])
    expect(await amounts('sort=payableAt&state=payable')).toEqual([100, 70, 30, 5])
    expect(await amounts('sort=-earnedAt&pageSize=2&page=2')).toEqual([70, 100])
    expect((await get('/commissions?pageSize=2')).meta.pagination).toMatchObject({ total: 4, pageCount: 2 })
    for (const query of ['sort=partnerName', 'state=lost']) await refuses(`/commissions?${query}`)
  })
})

describe('a list that is answered whole', () => {
  test('says so, and a part of it can be asked for', async () => {
    const { get, refuses, owner, link, id } = await givenStory()
    await service.pool.query(`INSERT INTO partner_users SELECT $1, $2, users.id, now() FROM users WHERE email = $3`, [
      id,
      link.partnerId,
      owner.email,
    ])
    const portal = async (query: string) => (await owner.call('GET', `/api/portal/programs${query}`)).body
    const lists: [(query: string) => Promise<{ data: unknown[]; meta: unknown }>, number][] = [
      [(query) => get(`/commissions/totals${query}`), 2],
      [(query) => get(`/payouts/preview${query}`), 3],
      [portal, 1],
    ]
    for (const [list, total] of lists) {
      const whole = await list('')
      expect(whole.data).toHaveLength(total)
      expect(whole.meta).toEqual({ pagination: { page: 1, pageSize: total, pageCount: 1, total } })
      const last = await list(`?page=${total}&pageSize=1`)
      expect(last.data).toEqual(whole.data.slice(-1))
      expect(last.meta).toEqual({ pagination: { page: total, pageSize: 1, pageCount: total, total } })
    }
    for (const path of ['/commissions/totals', '/payouts/preview']) await refuses(`${path}?pageSize=0`)
  })

  test('and none of the contract is without its place', () => {
    const shapeOf = (schema: unknown) => (schema as { shape?: Record<string, { def: { type: string } }> }).shape ?? {}
    const lists = OPERATIONS.flatMap(({ method, path, answers }) =>
      answers
        .map(shapeOf)
        .filter(({ data }) => data?.def.type === 'array')
        .map(({ meta }) => ({ list: `${method} ${path}`, isPaged: 'pagination' in shapeOf(meta) })),
    )
    expect(lists.length).toBeGreaterThan(20)
    expect(lists.filter(({ isPaged }) => !isPaged)).toEqual([])
  })
})

describe('what is payable', () => {
  test('says how much of it an open payout has, which is as much as the balances say, until it is decided', async () => {
    const { get, pay, decide } = await givenStory()
    const payable = async () =>
      (await get('/commissions/totals')).data
        .map((row: unknown) => commissionTotal.parse(row))
        .filter(({ state }: { state: string }) => state === 'payable')
        .map(({ currency, amountCents, inPayoutCents }: Record<string, unknown>) => [
          currency,
          amountCents,
          inPayoutCents,
        ])
    const inPayout = async () => column(await get('/commissions?sort=earnedAt'), 'inPayout')
    const ofBalances = async (name: string) =>
      column(await get('/balances?currency=USD'), name).reduce<number>((sum, cents) => sum + Number(cents), 0)
    expect(await payable()).toEqual([
      ['EUR', 5, 0],
      ['USD', 173, 0],
    ])
    expect(await inPayout()).toEqual([false, false, false, false])

    const { id, lines } = await pay()
    expect(await payable()).toEqual([
      ['EUR', 5, 5],
      ['USD', 173, 173],
    ])
    expect([await ofBalances('payableCents'), await ofBalances('batchedCents')]).toEqual([0, 173])
    expect(await inPayout()).toEqual([true, true, true, true])

    for (const { id: lineId, currency } of lines)
      await decide(id, lineId, { status: currency === 'EUR' ? 'failed' : 'paid' })
    expect(await payable()).toEqual([['EUR', 5, 0]])
    expect(await inPayout()).toEqual([false, false, false, false])
  })
})

describe('balances', () => {
  test('are paged, sorted, and found by name and currency', async () => {
    const { get, refuses } = await givenStory()
    const { data, meta } = await get('/balances')
    expect(data.map((row: unknown) => balanceRow.parse(row)).map((row: { currency: string }) => row.currency)).toEqual([
      'EUR',
      'USD',
      'USD',
    ])
    expect(meta.pagination.total).toBe(3)
    const names = async (query: string) => column(await get(`/balances?${query}`), 'partnerName')
    expect(await names('sort=partnerName')).toEqual(['adam', 'adam', 'Zoë'])
    expect(await names('sort=-payableCents')).toEqual(['Zoë', 'adam', 'adam'])
    expect(await names('sort=-payableCents&pageSize=1&page=2')).toEqual(['adam'])
    expect(await names('search=zo')).toEqual(['Zoë'])
    expect(await names('currency=eur')).toEqual(['adam'])
    for (const query of ['sort=currency', 'currency=XXQ', 'search=']) await refuses(`/balances?${query}`)
  })
})

describe('payouts', () => {
  test('say what they pay, without what failed, and are found while something of them is open', async () => {
    const { get, refuses, pay, decide } = await givenStory()
    const payout = await pay()
    const summary = async (query = '') =>
      (await get(`/payouts${query}`)).data.map((row: unknown) => payoutSummary.parse(row))
    const usd = { currency: 'USD', amountCents: 173 }
    const eur = { currency: 'EUR', amountCents: 5 }
    expect(await summary()).toMatchObject([{ lineCount: 3, openCount: 3, amounts: [eur, usd] }])
    const lineOf = (currency: string) => payout.lines.find((line: { currency: string }) => line.currency === currency)
    await decide(payout.id, lineOf('EUR').id, { status: 'failed' })
    await decide(payout.id, lineOf('USD').id, { status: 'paid' })
    expect(await summary('?state=open')).toMatchObject([{ openCount: 1, amounts: [usd] }])
    expect(await summary('?state=done')).toEqual([])
    service.clock.advance(DAY_MS)
    await pay()
    const counts = async (sort: string) => column(await get(`/payouts?sort=${sort}`), 'lineCount')
    expect(await counts('-createdAt')).toEqual([1, 3])
    expect(await counts('createdAt')).toEqual([3, 1])
    expect(await counts('-lineCount')).toEqual([3, 1])
    for (const query of ['sort=amounts', 'state=paid']) await refuses(`/payouts?${query}`)
  })

  test('have their lines a page at a time', async () => {
    const { get, refuses, pay, decide, owner, api } = await givenStory()
    const { id, lines } = await pay()
    const list = async (query = '') => (await get(`/payouts/${id}/lines${query}`)).data
    expect((await list()).map((row: unknown) => payoutLine.parse(row).partnerName)).toEqual(['adam', 'adam', 'Zoë'])
    expect(column({ data: await list('?sort=-amountCents') }, 'amountCents')).toEqual([103, 70, 5])
    expect(await list('?search=ZO')).toMatchObject([{ partnerName: 'Zoë', amountCents: 103, reservedCents: 103 }])
    expect((await get(`/payouts/${id}/lines?pageSize=2&page=2`)).meta.pagination).toMatchObject({ total: 3 })
    await decide(id, lines[0].id, { status: 'paid' })
    expect(await list('?status=paid')).toMatchObject([{ id: lines[0].id, status: 'paid' }])
    expect(await list('?status=open')).toHaveLength(2)
    for (const query of ['sort=id', 'status=lost']) await refuses(`/payouts/${id}/lines?${query}`)
    for (const path of ['99999', 'x'])
      expectRefusal(await owner.call('GET', `${api}/payouts/${path}/lines`), 404, 'not_found')
  })
})

describe('the team, the keys and the audit log', () => {
  test('members are sorted and found; invitations are sorted', async () => {
    const { workspaceId, owner } = await givenStory()
    const viewer = await givenUser(service)
    await givenRole(service, workspaceId, viewer, 'viewer')
    await service.db.updateTable('users').set({ name: 'Aaron' }).where('email', '=', viewer.email).execute()
    const workspace = `/api/workspaces/${workspaceId}`
    const get = async (path: string) => (await owner.call('GET', `${workspace}${path}`)).body
    expect(column(await get('/members?sort=name'), 'name')[0]).toBe('Aaron')
    expect(column(await get('/members?sort=-name'), 'name').at(-1)).toBe('Aaron')
    expect(column(await get('/members?search=aaro'), 'email')).toEqual([viewer.email])
    expect(column(await get('/members?role=viewer'), 'email')).toEqual([viewer.email])
    for (const email of ['b@example.com', 'a@example.com'])
      await owner.call('POST', `${workspace}/invitations`, { email, role: 'member' })
    expect(column(await get('/invitations?sort=email'), 'email')).toEqual(['a@example.com', 'b@example.com'])
    expect(column(await get('/invitations?sort=-email'), 'email')).toEqual(['b@example.com', 'a@example.com'])
    for (const path of ['/members?sort=email', '/members?role=boss', '/invitations?sort=role'])
      expectRefusal(await owner.call('GET', `${workspace}${path}`), 400, 'invalid_request')
  })

  test('keys are sorted, and found by whether they still work', async () => {
    const { owner, api, get, refuses } = await givenStory()
    const ids = []
    for (const name of ['zebra', 'ant'])
      ids.push((await owner.call('POST', `${api}/api-keys`, { name })).body.data.id as string)
    await owner.call('DELETE', `${api}/api-keys/${ids[0]}`)
    const names = async (query: string) => column(await get(`/api-keys?${query}`), 'name')
    expect((await names('sort=name'))[0]).toBe('ant')
    expect((await names('sort=-name'))[0]).toBe('zebra')
    expect(await names('state=revoked')).toEqual(['zebra'])
    expect(await names('state=active')).not.toContain('zebra')
    // The program's own key has recorded the sales; one that was never used is last.
    expect((await names('sort=-lastUsedAt')).at(-1)).not.toBe((await names('sort=-lastUsedAt'))[0])
    for (const query of ['sort=masked', 'state=lost']) await refuses(`/api-keys?${query}`)
  })

  test('the audit log is sorted by time and by what was done', async () => {
    const { get, refuses, owner, api } = await givenStory()
    await owner.call('PATCH', api, { name: 'Another name' })
    const newest = column(await get('/audit'), 'action')
    expect(newest[0]).toBe('program changed')
    expect(column(await get('/audit?sort=createdAt'), 'action')).toEqual(newest.toReversed())
    expect(column(await get('/audit?sort=action'), 'action')).toEqual(newest.toSorted())
    await refuses('/audit?sort=userId')
  })

  test('the ledger of a partner is read from either end', async () => {
    const { get, link, refuses } = await givenStory()
    const path = `/partners/${link.partnerId}/ledger`
    const newest = column(await get(path), 'id')
    expect(column(await get(`${path}?sort=createdAt`), 'id')).toEqual(newest.toReversed())
    await refuses(`${path}?sort=cause`)
  })

  test('the ledger has no day for what a payout moves', async () => {
    const { get, link, pay } = await givenStory()
    await pay()
    const [reserved, ...before] = (await get(`/partners/${link.partnerId}/ledger`)).data.map((row: unknown) =>
      ledgerLine.parse(row),
    )
    expect(reserved).toMatchObject({ cause: 'reserved for payout', availableAt: null })
    for (const { availableAt } of before) expect(availableAt).toMatch(/^20/)
  })
})

describe('a partner', () => {
  test('sorts and filters their own links, sales, earnings and payouts', async () => {
    const { link, pay, decide, id, owner, api } = await givenStory()
    const partner = await givenUser(service)
    const { id: userId } = await service.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', partner.email)
      .executeTakeFirstOrThrow()
    const { partnerId } = link
    await service.db
      .insertInto('partnerUsers')
      .values({ programId: id, partnerId, userId, createdAt: service.clock.now() })
      .execute()
    await owner.call('POST', `${api}/links`, { partnerId, aff: unique('aaa') })
    const payout = await pay()
    for (const line of payout.lines) await decide(payout.id, line.id, { status: 'paid' })
    const call = (path: string) => partner.call('GET', `/api/portal/programs/${id}${path}`)
    const get = async (path: string) => (await call(path)).body
    // Their oldest link is the one that they share, so it stays first.
    expect(column(await get('/links'), 'clicks')).toEqual([2, 0])
    expect(column(await get('/links?sort=-clicks'), 'clicks')).toEqual([2, 0])
    expect(column(await get('/links?sort=clicks'), 'clicks')).toEqual([0, 2])
    expect(column(await get('/links?search=aaa'), 'clicks')).toEqual([0])
    expect(column(await get('/sales?sort=amountCents'), 'amountCents')).toEqual([300, 1000])
    expect(column(await get('/sales?sort=-amountCents'), 'amountCents')).toEqual([1000, 300])
    expect(column(await get('/sales?dateTo=2020-01-01'), 'amountCents')).toEqual([])
    expect(column(await get('/earnings?sort=amountCents'), 'amountCents')).toEqual([30, 100])
    expect(column(await get('/earnings?sort=-amountCents&state=paid'), 'amountCents')).toEqual([100, 30])
    const paid = (await get('/payouts?status=paid&sort=-amountCents')).data
    expect(paid.map((row: unknown) => portalPayout.parse(row).amountCents)).toEqual([103])
    expect((await get('/payouts?status=open')).data).toEqual([])
    for (const path of ['/links?sort=id', '/sales?sort=customerKey', '/earnings?sort=x', '/payouts?sort=status'])
      expectRefusal(await call(path), 400, 'invalid_request')
    // A partner's list is theirs whatever is asked for.
    expect((await get('/earnings?partnerId=1')).data).toHaveLength(2)
  })
})

test('every paged list of the dashboard and the portal can be sorted', () => {
  const unsorted = OPERATIONS.filter(({ query }) => query && 'pageSize' in query.shape && !('sort' in query.shape))
  // Few of each, or a stream that is read from its newest end, or what is of use as a whole.
  expect(unsorted.map(({ path }) => path).toSorted()).toEqual([
    '/api/portal/programs',
    '/api/programs',
    '/api/programs/{programId}/payouts/preview',
    '/api/tracking/events/{programId}',
    '/api/workspaces',
  ])
})
