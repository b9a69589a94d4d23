import { describe, expect, test } from 'bun:test'
import { apiKey, program, workspace } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { startTestService } from '../support/service.ts'
import { givenDashboard } from './given-dashboard.ts'

const service = await startTestService()
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
