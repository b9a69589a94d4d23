import { describe, expect, test } from 'bun:test'
import { EXAMPLE_BODIES } from '@tributary/contract/example-bodies'
import { OPERATIONS } from '@tributary/contract/operations'
import { expectRefusal, givenUser, givenWorkspace, type User, unique } from './support/given.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

/** A workspace with one of everything, and an unrelated user. */
const givenTenant = async (owner: User) => {
  const workspaceId = await givenWorkspace(owner)
  const make = async (path: string, body: object) => (await owner.call('POST', path, body)).body.data
  const programId = (await make('/api/programs', { workspaceId, name: 'P' })).id
  const partnerId = (await make(`/api/programs/${programId}/partners`, { name: 'Partner', status: 'approved' })).id
  const groupId = (await make(`/api/programs/${programId}/groups`, { name: 'Gold' })).id
  const link = await make(`/api/programs/${programId}/links`, { partnerId })
  const code = await make(`/api/programs/${programId}/codes`, { partnerId, code: 'SAM20' })
  const apiKey = await make(`/api/programs/${programId}/api-keys`, { name: 'key' })
  const reward = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0, minimumPayoutCents: 0 }
  await owner.call('PUT', `/api/programs/${programId}/reward`, reward)
  const events = await givenEvents(link.aff, apiKey.key)
  const payoutId = (await make(`/api/programs/${programId}/payouts`, {})).id
  const bonus = { type: 'bonus', partnerId, amountCents: 100, reason: 'Well done' }
  const adjustmentId = (await make(`/api/programs/${programId}/adjustments`, bonus)).id
  const [line] = (await owner.call('GET', `/api/programs/${programId}/payouts/${payoutId}`)).body.data.lines
  const text = { title: 'Post', body: 'Try it' }
  const resourceId = (await make(`/api/programs/${programId}/resources/texts`, text)).id as number
  const draft = await service.db
    .insertInto('payoutDrafts')
    .values({ programId, period: '2026-01-01', preparedAt: service.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const invitationId = (await make(`/api/workspaces/${workspaceId}/invitations`, { email: 'new@example.com' })).id
  const viewId = (
    await make(`/api/programs/${programId}/views`, { list: 'sales', name: 'V', shared: true, search: {} })
  ).id
  const hook = { url: 'https://hooks.invalid/', events: ['payout.paid'] }
  const endpointId: number = (await make(`/api/programs/${programId}/webhook-endpoints`, hook)).id
  const deliveryId: number = (await make(`/api/programs/${programId}/webhook-endpoints/${endpointId}/test`, {})).id
  const memberId = (await owner.call('GET', `/api/workspaces/${workspaceId}/members`)).body.data[0].id
  return {
    workspaceId,
    programId,
    partnerId,
    groupId,
    linkId: link.id as number,
    codeId: code.id as number,
    ...events,
    eventType: 'sale',
    processor: 'stripe',
    eventId: events.saleId,
    payoutId,
    adjustmentId,
    lineId: line.id as number,
    draftId: draft.id,
    file: 'sales.csv',
    resourceId,
    keyId: apiKey.id,
    key: apiKey.key as string,
    invitationId,
    memberId,
    viewId: viewId as number,
    endpointId,
    deliveryId,
  }
}

/** A lead and a sale that earns, by their ids. */
const givenEvents = async (aff: string, key: string) => {
  const keyed = async (path: string, body: object) =>
    (await service.call('POST', path, body, { authorization: `Bearer ${key}` })).body
  const clicked = await service.call('POST', '/api/v1/track/click', {
    affiliate_url: `https://shop.example/?aff=${aff}`,
  })
  const customer_key = unique('customer')
  const { lead_id } = await keyed('/api/v1/track/lead', { customer_key, click_id: clicked.body.click_id })
  const sold = await keyed('/api/v1/track/sale', { customer_key, amount: 100, invoice_id: unique('invoice') })
  return {
    leadId: lead_id as number,
    saleId: sold.sale_id as number,
    commissionId: sold.commission_id as number,
    customerId: clicked.body.click_id as string,
  }
}

const [owner, stranger] = [await givenUser(service), await givenUser(service)]
const tenant = await givenTenant(owner)
const strangers = await givenTenant(stranger)

/** A path with an unknown ID would be rejected for that alone, so every parameter must be filled. */
const fill = (path: string, ids: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    if (ids[name] === undefined) throw new Error(`Add {${name}} to givenTenant in tenants.test.ts.`)
    return String(ids[name])
  })
const routes = OPERATIONS.filter(({ caller }) => caller === 'session')
const ofTenant = routes.filter(({ path }) => /\{(programId|workspaceId)\}/.test(path))
const bodyFor = (method: string) => (method === 'get' || method === 'delete' ? undefined : {})

describe('every /api route', () => {
  test('is in this matrix', () => {
    expect(routes.length).toBeGreaterThan(20)
    expect(ofTenant.length).toBeGreaterThan(18)
  })

  for (const { method, path } of routes) {
    const call = (ids: object) => [method.toUpperCase(), fill(path, { ...ids }), bodyFor(method)] as const

    test(`${method.toUpperCase()} ${path} rejects a caller who is not signed in, an API key included`, async () => {
      expectRefusal(await service.call(...call(tenant)), 401, 'unauthenticated')
      const withKey = await service.call(...call(tenant), { authorization: `Bearer ${tenant.key}` })
      expectRefusal(withKey, 401, 'unauthenticated')
    })
  }

  for (const { method, path } of ofTenant) {
    const call = (ids: object) => [method.toUpperCase(), fill(path, { ...ids }), bodyFor(method)] as const

    test(`${method.toUpperCase()} ${path} rejects a non-member without revealing what exists`, async () => {
      const answer = await stranger.call(...call(tenant))
      expectRefusal(answer, 403, 'forbidden')
      for (const secret of [tenant.key, tenant.keyId, owner.email])
        expect(JSON.stringify(answer.body)).not.toContain(secret)
    })

    test(`${method.toUpperCase()} ${path} rejects an unknown program or workspace`, async () => {
      const missing = { ...tenant, programId: 987_654, workspaceId: 'nowhere' }
      expectRefusal(
        await owner.call(...call(missing)),
        404,
        path.includes('{programId}') ? 'program_not_found' : 'not_found',
      )
    })
  }

  // An ID below a program or workspace must belong to it, not merely exist.
  for (const { method, path } of ofTenant.filter(({ path }) =>
    /\{(?!programId|workspaceId|eventType|processor|file)\w+\}/.test(path),
  ))
    test(`${method.toUpperCase()} ${path} does not reach another tenant through the caller's own`, async () => {
      const mixed = { ...tenant, programId: strangers.programId, workspaceId: strangers.workspaceId }
      const body = EXAMPLE_BODIES[`${method} ${path}`] ?? bodyFor(method)
      expectRefusal(await stranger.call(method.toUpperCase(), fill(path, mixed), body), 404, 'not_found')
    })
})

describe('lists', () => {
  test('of workspaces and programs contain the caller’s own only', async () => {
    expect((await stranger.call('GET', '/api/workspaces')).body.data).toMatchObject([
      { id: strangers.workspaceId, role: 'owner' },
    ])
    expect((await stranger.call('GET', '/api/programs')).body.data).toMatchObject([{ id: strangers.programId }])
  })

  test('a program cannot be created in another tenant’s workspace', async () => {
    expectRefusal(
      await stranger.call('POST', '/api/programs', { workspaceId: tenant.workspaceId, name: 'Mine' }),
      403,
      'forbidden',
    )
  })

  test('a link cannot be assigned to another tenant’s partner', async () => {
    const links = `/api/programs/${strangers.programId}/links`
    expectRefusal(await stranger.call('POST', links, { partnerId: tenant.partnerId }), 400, 'invalid_request')
  })
})

describe('a page of another site', () => {
  test('cannot act with the visitor’s session', async () => {
    const forged = { cookie: owner.cookie, origin: 'https://evil.example' }
    expectRefusal(await service.call('POST', '/api/workspaces', { name: 'x' }, forged), 403, 'origin_not_allowed')
    expectRefusal(await service.call('POST', '/api/auth/sign-out', {}, forged), 403, 'origin_not_allowed')
    expectRefusal(
      await service.call('POST', '/api/workspaces', { name: 'x' }, { ...forged, origin: 'null' }),
      403,
      'origin_not_allowed',
    )
    expect((await owner.call('GET', '/api/workspaces')).status).toBe(200)
  })

  test('but the dashboard can, by its public address or by the address of the request', async () => {
    for (const origin of ['http://localhost:3000', service.url])
      expect(
        (await service.call('POST', '/api/workspaces', { name: 'x' }, { cookie: owner.cookie, origin })).status,
      ).toBe(201)
  })
})
