import { describe, expect, test } from 'bun:test'
import { givenPortal, REWARD } from './portal/given-portal.ts'
import { PASSWORD } from './support/accounts.ts'
import { cookieOf, expectRefusal, givenUser, unique } from './support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenRole, givenSale } from './support/money.ts'
import { givenService } from './support/shared-service.ts'
import { CHOSEN, squatting } from './support/squatting.ts'
import { enroll, nextCodeOf, signInByPassword, verify } from './support/two-factor.ts'

const service = await givenService()
const DETAILS = { method: 'paypal', account: 'maya@example.com', holder: 'Maya', note: null }

const countOf = async (table: string, programId: number) =>
  Number((await service.pool.query(`SELECT count(*) FROM ${table} WHERE program_id = $1`, [programId])).rows[0].count)

/** A program that owes money, and whose workspace requires a second factor; `plain` is an admin without one. */
const givenStrictProgram = async () => {
  const program = await givenPayingProgram(service, { ...REWARD, holdDays: 0 })
  await givenPayoutDetails(service, { programId: program.id, partnerId: program.link.partnerId, ...DETAILS })
  await givenSale(program, 5_000)
  const partner = await givenPortal(service).givenPartner(program)
  const plain = await givenUser(service)
  await givenRole(service, program.workspaceId, plain, 'admin')
  const owner = await enroll(service, program.owner)
  const security = `/api/workspaces/${program.workspaceId}/security`
  const { status, body } = await owner.call('PUT', security, { requireTwoFactor: true })
  expect([status, body.data.requireTwoFactor]).toEqual([200, true])
  return { ...program, owner, plain, partner, security }
}

describe('a workspace that requires two-factor sign-in', () => {
  test('refuses everything about payouts to a member without it, and changes nothing', async () => {
    const { id, api, plain, owner, link } = await givenStrictProgram()
    const batch = (await owner.call('POST', `${api}/payouts`)).body.data
    const path = `${api}/payouts/${batch.id}`
    const line = `${path}/lines/${batch.lines[0].id}`
    const calls: [string, string, object?][] = [
      ['POST', `${api}/payouts`],
      ['POST', `${path}/export`, { format: 'paypal' }],
      ['POST', line, { status: 'paid' }],
      ['POST', `${line}/reset`],
      ['POST', `${api}/holds/release`, {}],
      ['PUT', `${api}/reward`, REWARD],
      ['DELETE', `${api}/partners/${link.partnerId}/sign-in`],
      ['PATCH', `${api}/partners/${link.partnerId}`, { email: 'mallory@example.com' }],
      ['POST', `${api}/partners/${link.partnerId}/invite`, { email: 'mallory@example.com' }],
      ['PATCH', api, { currency: 'EUR' }],
      ['GET', `${api}/audit`],
    ]
    const before = await countOf('audit_entries', id)
    for (const [method, address, body] of calls) {
      const answer = await plain.call(method, address, body)
      expectRefusal(answer, 403, 'two_factor_required')
      expect(answer.body.error.message).toContain('account settings')
    }
    expect(await countOf('audit_entries', id)).toBe(before)
    expect(await countOf('payouts', id)).toBe(1)
    // Payout details are hidden, and everything else works.
    const seen = await plain.call('GET', `${path}/lines`)
    expect(seen.body.data).toMatchObject([{ method: null, payoutDetails: null }])
    expect((await owner.call('GET', `${path}/lines`)).body.data).toMatchObject([{ method: 'paypal' }])
    expect((await plain.call('GET', `${api}/commissions`)).status).toBe(200)
    const paid = await owner.call('POST', line, { status: 'paid' })
    expect(paid.status).toBe(200)
  })

  test('accepts the same member after they turned it on, also after changing the password', async () => {
    const { api, plain } = await givenStrictProgram()
    const enrolled = await enroll(service, plain)
    expect((await enrolled.call('GET', `${api}/audit`)).status).toBe(200)
    const { cookie } = await signInByPassword(service, plain)
    expectRefusal(await service.call('GET', `${api}/audit`, undefined, { cookie }), 401, 'unauthenticated')
    const second = await verify(service, cookie, { code: await nextCodeOf(service, plain) })
    const session = { cookie: cookieOf(second.headers) }
    expect((await service.call('GET', `${api}/audit`, undefined, session)).status).toBe(200)
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' }
    const changed = await service.call('POST', '/api/auth/change-password', change, session)
    const next = { cookie: cookieOf(changed.headers) }
    expect((await service.call('GET', `${api}/audit`, undefined, next)).status).toBe(200)
    const form = { password: 'another long password', code: await nextCodeOf(service, plain) }
    const off = await service.call('POST', '/api/auth/two-factor/disable', form, next)
    const without = { cookie: cookieOf(off.headers) }
    expectRefusal(await service.call('GET', `${api}/audit`, undefined, without), 403, 'two_factor_required')
  })

  test('tells roles without the permission about the permission, not about the second factor', async () => {
    const { api, workspaceId, link } = await givenStrictProgram()
    const member = await givenUser(service)
    await givenRole(service, workspaceId, member, 'member')
    expectRefusal(await member.call('POST', `${api}/payouts`), 403, 'forbidden')
    const change = { email: 'mallory@example.com' }
    expectRefusal(await member.call('PATCH', `${api}/partners/${link.partnerId}`, change), 403, 'forbidden')
  })

  test('applies to partners who change their payout details', async () => {
    const { id, partner } = await givenStrictProgram()
    const portal = `/api/portal/programs/${id}`
    const [program] = (await partner.call('GET', '/api/portal/programs')).body.data
    expect(program.requireTwoFactor).toBe(true)
    const details = { ...DETAILS, account: 'new@example.com' }
    expectRefusal(await partner.call('PUT', `${portal}/payout-details`, details), 403, 'two_factor_required')
    expect((await partner.call('GET', `${portal}/payout-details`)).body.data.account).toBe(DETAILS.account)
    const enrolled = await enroll(service, partner)
    expect((await enrolled.call('PUT', `${portal}/payout-details`, details)).status).toBe(200)
  })
})

describe('an owner without it who views the portal as a partner', () => {
  test('sees neither statements nor legal details, which the dashboard hides from them too', async () => {
    const { id, api, owner, partner, plain, workspaceId, link } = await givenStrictProgram()
    const portal = `/api/portal/programs/${id}`
    const legal = { name: 'Maya', address: '2 Lane', taxId: 'SE1' }
    expect((await partner.call('PUT', `${portal}/legal-details`, legal)).status).toBe(200)
    await service.pool.query("UPDATE members SET role = 'owner' WHERE organization_id = $1", [workspaceId])
    const payout = (await owner.call('POST', `${api}/payouts`)).body.data
    const view = `${api}/partners/${link.partnerId}/view`
    expectRefusal(await plain.call('POST', view), 403, 'two_factor_required')
    expect((await plain.call('GET', '/api/portal/view')).body.data).toBeNull()
    for (const path of ['legal-details', `payouts/${payout.lines[0].id}/statement`]) {
      expectRefusal(await plain.call('GET', `${portal}/${path}`), 403, 'forbidden')
      expect((await owner.call('POST', view)).status).toBe(201)
      expect((await owner.call('GET', `${portal}/${path}`)).status).toBe(200)
    }
  })

  test('loses a view that they started before the workspace required it', async () => {
    const { id, api, owner, plain, workspaceId, link, security } = await givenStrictProgram()
    await service.pool.query("UPDATE members SET role = 'owner' WHERE organization_id = $1", [workspaceId])
    const earnings = () => plain.call('GET', `/api/portal/programs/${id}/earnings`)
    await owner.call('PUT', security, { requireTwoFactor: false })
    expect((await plain.call('POST', `${api}/partners/${link.partnerId}/view`)).status).toBe(201)
    expect((await earnings()).status).toBe(200)
    await owner.call('PUT', security, { requireTwoFactor: true })
    expectRefusal(await earnings(), 403, 'forbidden')
  })
})

describe('the requirement', () => {
  test('is changed only by owners who have a second factor', async () => {
    const program = await givenPayingProgram(service, null)
    const path = `/api/workspaces/${program.workspaceId}/security`
    const on = { requireTwoFactor: true }
    const [admin, stranger] = [await givenUser(service), await givenUser(service)]
    await givenRole(service, program.workspaceId, admin, 'admin')
    expectRefusal(await service.call('PUT', path, on), 401, 'unauthenticated')
    expectRefusal(await stranger.call('PUT', path, on), 403, 'forbidden')
    expectRefusal(await stranger.call('PUT', `/api/workspaces/${unique('none')}/security`, on), 404, 'not_found')
    expectRefusal(await (await enroll(service, admin)).call('PUT', path, on), 403, 'forbidden')
    expectRefusal(await program.owner.call('PUT', path, on), 403, 'two_factor_required')
    const owner = await enroll(service, program.owner)
    expectRefusal(await owner.call('PUT', path, { requireTwoFactor: 'yes' }), 400, 'invalid_request')
    const workspaces = await owner.call('GET', '/api/workspaces')
    expect(workspaces.body.data).toMatchObject([{ requireTwoFactor: false }])
  })

  test('is turned off only with a second factor, and is recorded once per change', async () => {
    const { security, owner, workspaceId } = await givenStrictProgram()
    const plain = await givenUser(service)
    await givenRole(service, workspaceId, plain, 'owner')
    expectRefusal(await plain.call('PUT', security, { requireTwoFactor: false }), 403, 'two_factor_required')
    for (const requireTwoFactor of [true, false, false])
      expect((await owner.call('PUT', security, { requireTwoFactor })).body.data.requireTwoFactor).toBe(
        requireTwoFactor,
      )
    const { rows } = await service.pool.query(
      `SELECT after FROM audit_entries WHERE workspace_id = $1 AND action = 'security settings changed' ORDER BY id`,
      [workspaceId],
    )
    expect(rows).toEqual([{ after: { requireTwoFactor: true } }, { after: { requireTwoFactor: false } }])
  })
})

test('a claimed account loses the second factor of the squatter', async () => {
  const { givenSquatter, inviteMember } = squatting(service)
  const { program, email } = await givenSquatter()
  const { id } = await service.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await service.db
    .insertInto('twoFactors')
    .values({ id: unique('factor'), userId: id, secret: 'x', backupCodes: '[]', verified: true })
    .execute()
  await service.db.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', id).execute()
  const invitationId = await inviteMember(program.owner, program.workspaceId, email)
  const joined = await service.call('POST', '/api/auth/sign-up/email', {
    name: 'Ada',
    email,
    password: CHOSEN,
    invitationId,
  })
  expect(joined.body.user).toMatchObject({ email, name: 'Ada' })
  const { rows } = await service.pool.query('SELECT 1 FROM two_factors WHERE user_id = $1', [id])
  expect(rows).toEqual([])
})
