import { describe, expect, test } from 'bun:test'
import { partnerView, portalView } from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'
import { sessionOf } from '../support/accounts.ts'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenPortal, REWARD } from './given-portal.ts'

const open = await startTestService()
const { callerWith, givenPartner, givenEarningPartner } = givenPortal(open)
const MINUTE_MS = 60_000
const DETAILS = { method: 'bank', account: 'DE89370400440532013000', holder: 'Maya Lindqvist', note: 'Reference 7' }

const givenView = async () => {
  const program = await givenEarningPartner()
  const { partner, portal, owner, api, link } = program
  expect((await partner.call('PUT', `${portal}/payout-details`, DETAILS)).status).toBe(200)
  const path = `${api}/partners/${link.partnerId}/view`
  const view = () => owner.call('GET', '/api/portal/view')
  return { ...program, path, view, start: () => owner.call('POST', path) }
}

describe('an owner who views the portal as a partner', () => {
  test('sees what the partner sees, with masked payout details, and is in the audit log', async () => {
    const { start, owner, partner, portal, api, link, id, view } = await givenView()
    expect((await view()).body.data).toBeNull()
    expectRefusal(await owner.call('GET', `${portal}/sales`), 403, 'forbidden')
    const { status, body } = await start()
    expect(status).toBe(201)
    expect(partnerView.parse(body.data)).toMatchObject({ programId: id, partnerId: link.partnerId })
    expect(portalView.parse((await view()).body.data)).toMatchObject({ partnerName: 'Partner' })
    for (const path of ['/api/portal/programs', `${portal}/links`, `${portal}/sales`, `${portal}/earnings`])
      expect((await owner.call('GET', path)).body).toEqual((await partner.call('GET', path)).body)
    const details = (await owner.call('GET', `${portal}/payout-details`)).body.data
    expect(details).toMatchObject({ method: 'bank', account: '•••• 3000', holder: '••••', note: null })
    expect((await partner.call('GET', `${portal}/payout-details`)).body.data).toMatchObject(DETAILS)
    expect((await owner.call('GET', `${api}/audit?search=viewed`)).body.data).toMatchObject([
      { action: 'portal viewed as partner', subject: `partner ${link.partnerId}`, byPartner: false },
    ])
  })

  test('cannot change anything through any route of the portal', async () => {
    const { start, owner, partner, portal, api, id } = await givenView()
    await owner.call('PATCH', api, { partnersCreateLinks: true })
    await start()
    const before = await partner.call('GET', `${portal}/payout-details`)
    const changes = OPERATIONS.filter(({ caller, method }) => caller === 'partner' && method !== 'get')
    expect(changes.length).toBeGreaterThan(5)
    for (const { method, path, refusals } of changes) {
      expect(refusals).toContain('read_only_view')
      const filled = path.replace('{programId}', String(id)).replace(/\{\w+\}/g, '1')
      const body = path.endsWith('payout-details') ? { ...DETAILS, holder: 'Mallory' } : {}
      expectRefusal(await owner.call(method.toUpperCase(), filled, body), 403, 'read_only_view')
    }
    expect(await partner.call('GET', `${portal}/payout-details`)).toMatchObject({ body: before.body })
    expect((await partner.call('GET', `${portal}/links`)).body.data).toHaveLength(1)
    expect((await owner.call('GET', '/api/portal/programs')).body.data).toMatchObject([{ mayCreateLinks: false }])
  })

  test('sees this partner only: neither other partners nor programs of their own', async () => {
    const { start, owner, path } = await givenView()
    const own = await givenPayingProgram(open, REWARD)
    const { body } = await own.owner.call('POST', `${own.api}/partners/${own.link.partnerId}/invite`, {
      email: owner.email,
    })
    const accept = `/api/portal/invitations/${body.data.url.split('/').at(-1)}/accept`
    expect((await owner.call('POST', accept)).status).toBe(200)
    const sales = `/api/portal/programs/${own.id}/sales`
    expect((await owner.call('GET', sales)).status).toBe(200)
    await start()
    expectRefusal(await owner.call('GET', sales), 403, 'forbidden')
    expect((await owner.call('DELETE', path)).status).toBe(200)
    expect((await owner.call('GET', sales)).status).toBe(200)
    expect((await owner.call('DELETE', path)).status).toBe(200)
  })
})

describe('a view ends', () => {
  test('after 30 minutes', async () => {
    const { start, owner, portal, view } = await givenView()
    await start()
    open.clock.advance(29 * MINUTE_MS)
    expect((await owner.call('GET', `${portal}/sales`)).status).toBe(200)
    open.clock.advance(MINUTE_MS)
    expectRefusal(await owner.call('GET', `${portal}/sales`), 403, 'forbidden')
    expect((await view()).body.data).toBeNull()
  })

  test('when the owner is no longer an owner', async () => {
    const { start, owner, portal, workspaceId } = await givenView()
    await start()
    await open.pool.query("UPDATE members SET role = 'admin' WHERE organization_id = $1", [workspaceId])
    expectRefusal(await owner.call('GET', `${portal}/sales`), 403, 'forbidden')
  })

  test('when the owner signs out, and never covers their other sessions', async () => {
    const { start, owner, portal } = await givenView()
    const signIn = () => fetchSession(owner.email)
    const elsewhere = await signIn()
    await start()
    expect((await owner.call('GET', `${portal}/sales`)).status).toBe(200)
    expectRefusal(await elsewhere.call('GET', `${portal}/sales`), 403, 'forbidden')
    expect((await owner.call('POST', '/api/auth/sign-out')).status).toBe(200)
    expectRefusal(await owner.call('GET', `${portal}/sales`), 401, 'unauthenticated')
    expectRefusal(await (await signIn()).call('GET', `${portal}/sales`), 403, 'forbidden')
  })
})

const fetchSession = async (email: string) => {
  const { name, value } = await sessionOf(open.db, email)
  return callerWith(`${name}=${value}`)
}

test('only owners of the workspace start or exit a view, for partners that exist', async () => {
  const program = await givenView()
  const { path, api, owner, partner } = program
  const admin = await givenUser(open)
  await givenRole(open, program.workspaceId, admin, 'admin')
  const stranger = (await givenPayingProgram(open, REWARD)).owner
  const otherPartner = await givenPartner(program, program.other)
  for (const method of ['POST', 'DELETE']) {
    expectRefusal(await open.call(method, path), 401, 'unauthenticated')
    for (const caller of [admin, stranger, partner, otherPartner])
      expectRefusal(await caller.call(method, path), 403, 'forbidden')
    for (const id of ['987654', 'maya', '0'])
      expectRefusal(await owner.call(method, `${api}/partners/${id}/view`), 404, 'not_found')
    expectRefusal(await owner.call(method, path.replace(api, '/api/programs/987654')), 404, 'program_not_found')
  }
  const { rows } = await open.pool.query('SELECT FROM sessions WHERE viewed_program_id = $1', [program.id])
  expect(rows).toHaveLength(0)
  expect((await owner.call('GET', `${api}/audit?search=viewed`)).body.data).toEqual([])
})
