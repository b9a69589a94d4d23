import { describe, expect, test } from 'bun:test'
import { me, rewardPreview, rotatedApiKey } from '@tributary/contract'
import { until } from '../lifecycle/given-service.ts'
import { expectRefusal, givenProgram, givenUser, givenWorkspace } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const PASSWORD = 'a long password'

const signIn = async (email: string, password = PASSWORD) => {
  const answer = await service.call('POST', '/api/auth/sign-in/email', { email, password })
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return {
    status: answer.status,
    cookie,
    call: (method: string, path: string, body?: unknown) => service.call(method, path, body, { cookie }),
  }
}

describe('a signed-in user', () => {
  test('gets their profile, workspaces and permissions in one call', async () => {
    const program = await givenProgram(service)
    const user = await givenUser(service)
    await givenRole(service, program.workspaceId, user, 'billing')
    const own = await givenWorkspace(user)
    const data = me.parse((await user.call('GET', '/api/me')).body.data)
    expect(data.user.email).toBe(user.email)
    expect(data.partnerOf).toEqual([])
    const billed = data.workspaces.find(({ id }) => id === program.workspaceId)
    expect(billed).toMatchObject({ role: 'billing', programs: [{ id: program.id, currency: 'USD' }] })
    expect(billed?.permissions).not.toContain('tracking:read')
    expect(data.workspaces.find(({ id }) => id === own)).toMatchObject({ role: 'owner', programs: [] })
  })

  test('changes the password and is signed out everywhere else', async () => {
    const user = await givenUser(service)
    const elsewhere = await signIn(user.email)
    expectRefusal(
      await user.call('POST', '/api/auth/change-password', {
        currentPassword: 'wrong password',
        newPassword: 'another long one',
      }),
      401,
      'invalid_credentials',
    )
    for (const body of [
      {},
      { currentPassword: PASSWORD, newPassword: 'short' },
      { currentPassword: 5, newPassword: [] },
    ])
      expectRefusal(await user.call('POST', '/api/auth/change-password', body), 400, 'invalid_request')
    const changed = await user.call('POST', '/api/auth/change-password', {
      currentPassword: PASSWORD,
      newPassword: 'another long one',
    })
    expect(changed.status).toBe(200)
    expectRefusal(await elsewhere.call('GET', '/api/me'), 401, 'unauthenticated')
    expect((await signIn(user.email)).status).toBe(401)
    expect((await signIn(user.email, 'another long one')).status).toBe(200)
  })

  test('lists their sessions and ends one, the others, or all', async () => {
    const user = await givenUser(service)
    const [one, two] = [await signIn(user.email), await signIn(user.email)]
    const sessions = async () =>
      (await user.call('GET', '/api/auth/list-sessions')).body as { id: string; token: string }[]
    expect(await sessions()).toHaveLength(3)
    const oneToken = (await one.call('GET', '/api/auth/get-session')).body.session.token
    expect((await user.call('POST', '/api/auth/revoke-session', { token: oneToken })).status).toBe(200)
    expectRefusal(await one.call('GET', '/api/me'), 401, 'unauthenticated')
    expect((await two.call('GET', '/api/me')).status).toBe(200)
    expect((await user.call('POST', '/api/auth/revoke-other-sessions', {})).status).toBe(200)
    expectRefusal(await two.call('GET', '/api/me'), 401, 'unauthenticated')
    expect((await user.call('POST', '/api/auth/revoke-sessions', {})).status).toBe(200)
    expectRefusal(await user.call('GET', '/api/me'), 401, 'unauthenticated')
  })

  test('cannot end the session of another user', async () => {
    const [mine, theirs] = [await givenUser(service), await givenUser(service)]
    const { token } = (await theirs.call('GET', '/api/auth/get-session')).body.session
    await mine.call('POST', '/api/auth/revoke-session', { token })
    expect((await theirs.call('GET', '/api/me')).status).toBe(200)
  })
})

describe('an API key', () => {
  const givenKey = async () => {
    const program = await givenPayingProgram(service, {})
    const path = `${program.api}/api-keys`
    const { id, key } = (await program.owner.call('POST', path, { name: 'Shop' })).body.data
    const works = async (key: string) =>
      (
        await service.call(
          'POST',
          '/api/v1/track/sale',
          { additional_data: { test_mode: true } },
          { authorization: `Bearer ${key}` },
        )
      ).status === 200
    return { ...program, path, keyId: id as string, key: key as string, works }
  }

  test('is rotated: the new key works immediately, the old one for the requested time', async () => {
    const { owner, path, keyId, key, works, api } = await givenKey()
    const { status, body } = await owner.call('POST', `${path}/${keyId}/rotate`, { graceMinutes: 30 })
    expect(status).toBe(201)
    const rotated = rotatedApiKey.parse(body.data)
    expect(rotated).toMatchObject({ name: 'Shop', revokedAt: null, previous: { id: keyId } })
    expect([await works(rotated.key), await works(key)]).toEqual([true, true])
    expectRefusal(await owner.call('POST', `${path}/${keyId}/rotate`, {}), 409, 'conflict')
    service.clock.advance(31 * 60_000)
    await until(async () => !(await works(key)))
    expect(await works(rotated.key)).toBe(true)
    expect((await owner.call('GET', `${api}/audit?search=rotated`)).body.data).toMatchObject([
      { action: 'API key rotated', userName: 'Sam Reed' },
    ])
    expect((await owner.call('GET', `${api}/audit?search=payout`)).body.data).toEqual([])
    expect((await owner.call('GET', `${api}/audit?userId=nobody`)).body.data).toEqual([])
  })

  test('that was rotated can still be revoked before its grace period ends', async () => {
    const { owner, path, keyId, key, works } = await givenKey()
    await owner.call('POST', `${path}/${keyId}/rotate`, { graceMinutes: 10_000 })
    await owner.call('DELETE', `${path}/${keyId}`)
    expect(await works(key)).toBe(false)
  })

  test('400 and 404 for keys that cannot be rotated', async () => {
    const { owner, path, keyId } = await givenKey()
    for (const graceMinutes of [-1, 1.5, 'x', 10_081])
      expectRefusal(await owner.call('POST', `${path}/${keyId}/rotate`, { graceMinutes }), 400, 'invalid_request')
    expectRefusal(await owner.call('POST', `${path}/nothing/rotate`, {}), 404, 'not_found')
  })
})

describe('the preview of a reward', () => {
  const previewOf = async (reward: object, more: object = {}) => {
    const { owner, api } = await givenPayingProgram(service, {})
    return owner.call('POST', `${api}/reward/preview`, { reward, amountCents: 4999, ...more })
  }

  test('shows what would be paid, by the rules that pay it', async () => {
    const monthly = rewardPreview.parse(
      (await previewOf({ lead: { amountCents: 100 }, sale: { percentBps: 2000, duration: 'months', months: 3 } })).body
        .data,
    )
    expect(monthly.lead).toEqual({ amountCents: 100, currency: 'USD' })
    expect(monthly.firstSale).toEqual({ amountCents: 1000, currency: 'USD' })
    expect(monthly.monthly.map((paid) => paid?.amountCents ?? 0).slice(0, 5)).toEqual([1000, 1000, 1000, 0, 0])
    const flat = (await previewOf({ sale: { amountCents: 500, duration: 'first' } }, { currency: 'EUR' })).body.data
    expect(flat).toMatchObject({ lead: null, firstSale: { amountCents: 500, currency: 'USD' }, holdDays: 30 })
    expect(flat.monthly.filter(Boolean)).toHaveLength(1)
  })

  test('400 for invalid terms', async () => {
    expectRefusal(await previewOf({ sale: { percentBps: 20_000, duration: 'first' } }), 400, 'invalid_request')
    expectRefusal(await previewOf({}, { amountCents: -1 }), 400, 'invalid_request')
    expectRefusal(await previewOf({}, { currency: 'QQQ' }), 400, 'invalid_request')
  })
})
