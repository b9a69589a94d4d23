import { describe, expect, test } from 'bun:test'
import { ledgerLine, portalPayout } from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'
import { inTransaction } from '../../src/database/transaction.ts'
import { addPartnerUser } from '../../src/partners/partner-users.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { isLongRun } from '../support/size.ts'
import { column, givenEarnings } from './given-earnings.ts'

const service = await givenService()

describe('a list that is returned whole', () => {
  test('says so, and accepts a limit', async () => {
    const { get, refuses, owner, link, id } = await givenEarnings(service)
    const { id: userId } = await service.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', owner.email)
      .executeTakeFirstOrThrow()
    const row = { programId: id, partnerId: link.partnerId, userId, createdAt: service.clock.now() }
    await inTransaction(service.db, (tx) => addPartnerUser(tx, row))
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

  test('all such lists of the contract are covered', () => {
    const shapeOf = (schema: unknown) => (schema as { shape?: Record<string, { def: { type: string } }> }).shape ?? {}
    const lists = OPERATIONS.flatMap(({ method, path, answers }) =>
      answers
        .map(shapeOf)
        // A comparison is returned whole: one block per currency, so it stays short. Events are read by sequence.
        .filter(({ data }) => data?.def.type === 'array' && !/\/(reward\/backtest|v1\/events)$/.test(path))
        .map(({ meta }) => ({ list: `${method} ${path}`, isPaged: 'pagination' in shapeOf(meta) })),
    )
    expect(lists.length).toBeGreaterThan(20)
    expect(lists.filter(({ isPaged }) => !isPaged)).toEqual([])
  })
})

describe('the team, the keys and the audit log', () => {
  test.skipIf(!isLongRun)('members can be sorted and filtered; invitations can be sorted', async () => {
    const { workspaceId, owner } = await givenEarnings(service)
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

  test.skipIf(!isLongRun)('keys can be sorted and filtered by whether they are active', async () => {
    const { owner, api, get, refuses } = await givenEarnings(service)
    const ids = []
    for (const name of ['zebra', 'ant'])
      ids.push((await owner.call('POST', `${api}/api-keys`, { name })).body.data.id as string)
    await owner.call('DELETE', `${api}/api-keys/${ids[0]}`)
    const names = async (query: string) => column(await get(`/api-keys?${query}`), 'name')
    expect((await names('sort=name'))[0]).toBe('ant')
    expect((await names('sort=-name'))[0]).toBe('zebra')
    expect(await names('state=revoked')).toEqual(['zebra'])
    expect(await names('state=active')).not.toContain('zebra')
    // The program's first key recorded the sales; a key that was never used comes last.
    expect((await names('sort=-lastUsedAt')).at(-1)).not.toBe((await names('sort=-lastUsedAt'))[0])
    for (const query of ['sort=masked', 'state=lost']) await refuses(`/api-keys?${query}`)
  })

  test.skipIf(!isLongRun)('the audit log can be sorted by time and by action', async () => {
    const { get, refuses, owner, api } = await givenEarnings(service)
    await owner.call('PATCH', api, { name: 'Another name' })
    const newest = column(await get('/audit'), 'action')
    expect(newest[0]).toBe('program changed')
    expect(column(await get('/audit?sort=createdAt'), 'action')).toEqual(newest.toReversed())
    expect(column(await get('/audit?sort=action'), 'action')).toEqual(newest.toSorted())
    await refuses('/audit?sort=userId')
  })

  test('the ledger of a partner can be read from either end', async () => {
    const { get, link, refuses } = await givenEarnings(service)
    const path = `/partners/${link.partnerId}/ledger`
    const newest = column(await get(path), 'id')
    expect(column(await get(`${path}?sort=createdAt`), 'id')).toEqual(newest.toReversed())
    await refuses(`${path}?sort=cause`)
  })

  test('the ledger has no payable date for payout lines', async () => {
    const { get, link, pay } = await givenEarnings(service)
    await pay()
    const [reserved, ...before] = (await get(`/partners/${link.partnerId}/ledger`)).data.map((row: unknown) =>
      ledgerLine.parse(row),
    )
    expect(reserved).toMatchObject({ cause: 'reserved for payout', availableAt: null })
    for (const { availableAt } of before) expect(availableAt).toMatch(/^20/)
  })
})

describe('a partner', () => {
  test('can sort and filter their own links, sales, earnings and payouts', async () => {
    const { link, pay, decide, id, owner, api } = await givenEarnings(service)
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
    // The oldest link is the one they share, so it stays first.
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
    // partnerId cannot widen a partner's list.
    expect((await get('/earnings?partnerId=1')).data).toHaveLength(2)
  })
})

test('every paged list of the dashboard and the portal can be sorted', () => {
  const unsorted = OPERATIONS.filter(({ query }) => query && 'pageSize' in query.shape && !('sort' in query.shape))
  // Short lists, a stream that is read from its newest end, or lists that are only useful whole.
  expect(unsorted.map(({ path }) => path).toSorted()).toEqual([
    '/api/portal/balances',
    '/api/portal/programs',
    '/api/portal/programs/{programId}/resources',
    '/api/programs',
    '/api/programs/{programId}/groups',
    '/api/programs/{programId}/payouts/preview',
    '/api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/history',
    '/api/programs/{programId}/resources',
    '/api/programs/{programId}/search',
    '/api/programs/{programId}/views',
    '/api/programs/{programId}/webhook-endpoints',
    '/api/tracking/events/{programId}',
    '/api/workspaces',
  ])
})
