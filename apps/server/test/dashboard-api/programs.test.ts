import { describe, expect, test } from 'bun:test'
import { apiKey, program, workspace } from '@tributary/contract'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenDashboard } from './given-dashboard.ts'

const service = await givenService()
const { owner, workspaceId, givenProgram } = await givenDashboard(service)

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

  test('every program setting can be changed, alone or together', async () => {
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

  test('a program response includes its reward exactly as GET reward does', async () => {
    const made = await owner.call('POST', '/api/programs', { workspaceId, name: 'Paying' })
    const path = `/api/programs/${made.body.data.id}`
    const rewardOf = async () => {
      // Warnings are about editing.
      const { warnings: _, ...reward } = (await owner.call('GET', `${path}/reward`)).body.data
      return reward
    }
    expect(program.parse(made.body.data).reward).toEqual(await rewardOf())
    expect(made.body.data.reward).toMatchObject({ lead: null, sale: null, holdDays: 30, version: null })
    await owner.call('PUT', `${path}/reward`, { lead: { amountCents: 250 }, holdDays: 7 })
    const reward = await rewardOf()
    expect(reward).toMatchObject({ lead: { amountCents: 250 }, holdDays: 7, version: 1, own: false })
    expect((await owner.call('GET', path)).body.data.reward).toEqual(reward)
    expect((await owner.call('PATCH', path, { name: 'Renamed' })).body.data).toMatchObject({ name: 'Renamed', reward })
    const { data } = (await owner.call('GET', '/api/programs?pageSize=200')).body
    expect(data.find(({ id }: { id: number }) => id === made.body.data.id).reward).toEqual(reward)
    expect(data.some((row: { reward: { version: number | null } }) => row.reward.version === null)).toBe(true)
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
    // Postgres reads these as abbreviations without daylight saving time.
    ['timezone', { timezone: 'CET' }],
    ['timezone', { timezone: 'MST7MDT' }],
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

  test('a member cannot change lead_auth or currency, but may send the current values', async () => {
    const { id } = await givenProgram()
    const member = await givenUser(service)
    await givenRole(service, workspaceId, member, 'member')
    for (const [change, permission] of [
      [{ leadAuth: 'browser_allowed' }, 'key:manage'],
      [{ currency: 'EUR' }, 'payout:manage'],
    ] as const) {
      const answer = await member.call('PATCH', `/api/programs/${id}`, { name: 'Renamed', ...change })
      expectRefusal(answer, 403, 'forbidden')
      expect(answer.body.error.message).toContain(permission)
      expect((await owner.call('PATCH', `/api/programs/${id}`, change)).status).toBe(200)
    }
    const same = { name: 'By a member', leadAuth: 'browser_allowed', currency: 'eur' }
    expect((await member.call('PATCH', `/api/programs/${id}`, same)).status).toBe(200)
  })

  test('a change is logged with only the changed fields', async () => {
    const { id } = await givenProgram({ name: 'Old' })
    await owner.call('PATCH', `/api/programs/${id}`, { name: 'New' })
    const [entry] = (await owner.call('GET', `/api/programs/${id}/audit`)).body.data
    expect([entry.before, entry.after]).toEqual([{ name: 'Old' }, { name: 'New' }])
  })

  test('a list includes its page number', async () => {
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

  test('a list of keys is masked', async () => {
    const { id } = await givenProgram()
    const { key, ...made } = (await owner.call('POST', `/api/programs/${id}/api-keys`)).body.data
    const { data } = (await owner.call('GET', `/api/programs/${id}/api-keys`)).body
    expect(data).toMatchObject([{ id: made.id, masked: `trk_${made.id}_…` }])
    for (const row of data) apiKey.parse(row)
    expect(JSON.stringify(data)).not.toContain(key)
  })
})
