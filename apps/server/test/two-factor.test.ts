import { describe, expect, test } from 'bun:test'
import { PASSWORD } from './support/accounts.ts'
import { cookieOf, expectRefusal, givenUser } from './support/given.ts'
import { startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { codeOf, enroll, givenTwoFactorUser, nextCodeOf, signInByPassword, verify } from './support/two-factor.ts'

const service = await givenService()
const limited = await startTestService({ rateLimits: true }, { callsPerMinute: { signIn: 3 } })
limited.clock.stop()

const stateOf = async (email: string) => {
  const { rows } = await service.pool.query(
    `SELECT two_factor_enabled, secret, backup_codes, verified, failed_verification_count, locked_until
     FROM users LEFT JOIN two_factors ON user_id = users.id WHERE email = $1`,
    [email],
  )
  return rows[0]
}
const mayCall = async (cookie: string) => (await service.call('GET', '/api/me', undefined, { cookie })).status
const wrongCode = (code: string) => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))

describe('turning on two-factor sign-in', () => {
  test('changes nothing until a valid code is confirmed', async () => {
    const user = await givenUser(service)
    const { body } = await user.call('POST', '/api/auth/two-factor/enable', { password: PASSWORD })
    expect(body.data.uri).toStartWith('otpauth://totp/Tributary:')
    expect(body.data.uri).toContain(`secret=${body.data.secret}`)
    expect(new Set(body.data.recoveryCodes).size).toBe(10)
    const code = await codeOf(service, user)
    expectRefusal(
      await user.call('POST', '/api/auth/two-factor/confirm', { code: wrongCode(code) }),
      401,
      'invalid_credentials',
    )
    expectRefusal(await user.call('POST', '/api/auth/two-factor/confirm', { code: '12' }), 400, 'invalid_request')
    expect(await stateOf(user.email)).toMatchObject({ two_factor_enabled: false, verified: false })
    expect((await signInByPassword(service, user)).body.user.email).toBe(user.email)
    expect((await user.call('POST', '/api/auth/two-factor/confirm', { code })).status).toBe(200)
    expect(await stateOf(user.email)).toMatchObject({ two_factor_enabled: true, verified: true })
  })

  test('needs the password and signs out all other sessions', async () => {
    const user = await givenUser(service)
    for (const body of [{}, { password: 'wrong password' }])
      expectRefusal(await user.call('POST', '/api/auth/two-factor/enable', body), 401, 'invalid_credentials')
    const other = await signInByPassword(service, user)
    const enrolled = await enroll(service, user)
    expect(await mayCall(other.cookie)).toBe(401)
    expect(await mayCall(user.cookie)).toBe(401)
    expect(await mayCall(enrolled.cookie)).toBe(200)
    const { body } = await enrolled.call('GET', '/api/auth/two-factor')
    expect(body.data).toEqual({ enabled: true, hasPassword: true, recoveryCodesLeft: 10 })
    for (const [path, form] of [
      ['enable', { password: PASSWORD }],
      ['confirm', { code: await nextCodeOf(service, user) }],
    ] as const)
      expectRefusal(await enrolled.call('POST', `/api/auth/two-factor/${path}`, form), 409, 'conflict')
  })

  test('stores neither the secret nor the recovery codes in readable form', async () => {
    const user = await givenUser(service)
    const { body } = await user.call('POST', '/api/auth/two-factor/enable', { password: PASSWORD })
    const { secret, backup_codes } = await stateOf(user.email)
    expect(secret).not.toContain(body.data.secret)
    expect(JSON.parse(backup_codes)).toHaveLength(10)
    for (const code of body.data.recoveryCodes) expect(backup_codes).not.toContain(code)
  })

  test('needs a session', async () => {
    expectRefusal(await service.call('GET', '/api/auth/two-factor'), 401, 'unauthenticated')
    for (const path of ['enable', 'confirm', 'recovery-codes', 'disable'])
      expectRefusal(await service.call('POST', `/api/auth/two-factor/${path}`, {}), 401, 'unauthenticated')
  })
})

describe('signing in with two-factor sign-in', () => {
  test('has no rights at all before the code', async () => {
    const user = await givenTwoFactorUser(service)
    const first = await signInByPassword(service, user)
    expect(first.body).toEqual({ twoFactorRequired: true })
    expect(await mayCall(first.cookie)).toBe(401)
    for (const path of ['list-sessions', 'two-factor'])
      expectRefusal(
        await service.call('GET', `/api/auth/${path}`, undefined, { cookie: first.cookie }),
        401,
        'unauthenticated',
      )
    const { body } = await service.call('GET', '/api/auth/get-session', undefined, { cookie: first.cookie })
    expect(body).toBeNull()
    const second = await verify(service, first.cookie, { code: await nextCodeOf(service, user) })
    expect(second.body.user.email).toBe(user.email)
    expect(await mayCall(cookieOf(second.headers))).toBe(200)
    // The first step is used up.
    const again = await verify(service, first.cookie, { code: await nextCodeOf(service, user) })
    expectRefusal(again, 401, 'unauthenticated')
  })

  test('accepts a code only once, even from two concurrent sign-ins', async () => {
    const user = await givenTwoFactorUser(service)
    const steps = [await signInByPassword(service, user), await signInByPassword(service, user)]
    const code = await nextCodeOf(service, user)
    const answers = await Promise.all(steps.map(({ cookie }) => verify(service, cookie, { code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const later = await signInByPassword(service, user)
    const replayed = await verify(service, later.cookie, { code })
    expectRefusal(replayed, 401, 'invalid_credentials')
    expect(replayed.body.error.message).toBe('This code was already used. Wait for the next one.')
    // The sign-in is still open for the next code.
    expect((await verify(service, later.cookie, { code: await nextCodeOf(service, user) })).status).toBe(200)
  })

  test('accepts each recovery code once, in any spelling', async () => {
    const user = await givenTwoFactorUser(service)
    const [recoveryCode = '', other = ''] = user.recoveryCodes
    const { cookie } = await signInByPassword(service, user)
    const spelled = recoveryCode.toUpperCase().replace('-', ' ')
    const signedIn = await verify(service, cookie, { recoveryCode: spelled })
    expect(signedIn.status).toBe(200)
    const session = { cookie: cookieOf(signedIn.headers) }
    const { body } = await service.call('GET', '/api/auth/two-factor', undefined, session)
    expect(body.data.recoveryCodesLeft).toBe(9)
    const again = await signInByPassword(service, user)
    expectRefusal(await verify(service, again.cookie, { recoveryCode }), 401, 'invalid_credentials')
    const { backup_codes } = await stateOf(user.email)
    const [stored] = JSON.parse(backup_codes)
    expectRefusal(
      await verify(service, again.cookie, { recoveryCode: stored.slice(0, 40) }),
      401,
      'invalid_credentials',
    )
    expect((await verify(service, again.cookie, { recoveryCode: other })).status).toBe(200)
  })

  test('is locked for 15 minutes after 10 wrong codes, across sign-ins', async () => {
    const user = await givenTwoFactorUser(service)
    const wrong = { code: wrongCode(await codeOf(service, user)) }
    const tryFiveTimes = async () => {
      const { cookie } = await signInByPassword(service, user)
      for (let attempt = 0; attempt < 5; attempt++)
        expectRefusal(await verify(service, cookie, wrong), 401, 'invalid_credentials')
      return verify(service, cookie, wrong)
    }
    expectRefusal(await tryFiveTimes(), 401, 'unauthenticated')
    expectRefusal(await tryFiveTimes(), ...LOCKED)
    const { cookie } = await signInByPassword(service, user)
    const right = await verify(service, cookie, { code: await nextCodeOf(service, user) })
    expectRefusal(right, ...LOCKED)
    expect(right.headers.get('retry-after')).toBe('900')
    await service.pool.query(
      `UPDATE two_factors SET locked_until = now() - interval '1 second' WHERE locked_until IS NOT NULL`,
    )
    expect((await verify(service, cookie, { code: await nextCodeOf(service, user) })).status).toBe(200)
  })

  test('ignores a session next to the first step, and refuses both codes or none', async () => {
    const user = await givenTwoFactorUser(service)
    const { cookie } = await signInByPassword(service, user)
    const both = `${cookie}; ${user.cookie}`
    const code = wrongCode(await codeOf(service, user))
    expectRefusal(await verify(service, both, { code }), 401, 'invalid_credentials')
    expect((await stateOf(user.email)).failed_verification_count).toBe(1)
    expectRefusal(await verify(service, user.cookie, { code }), 401, 'unauthenticated')
    for (const body of [{}, { code, recoveryCode: 'x' }])
      expectRefusal(await verify(service, cookie, body), 400, 'invalid_request')
    // No device is trusted without a code, whatever the caller sends.
    const trusting = { code: await nextCodeOf(service, user), trustDevice: true }
    const { headers } = await verify(service, cookie, trusting)
    expect(cookieOf(headers)).not.toContain('trust')
  })
})

const LOCKED = [429, 'rate_limited'] as const

describe('changing two-factor sign-in', () => {
  test('needs the password and a new code; the session then has no second factor', async () => {
    const user = await givenTwoFactorUser(service)
    for (const path of ['disable', 'recovery-codes']) {
      const change = (body: object) => user.call('POST', `/api/auth/two-factor/${path}`, body)
      const code = await nextCodeOf(service, user)
      expectRefusal(await change({ password: PASSWORD }), 400, 'invalid_request')
      expectRefusal(await change({ code }), 401, 'invalid_credentials')
      expectRefusal(await change({ password: 'wrong password', code }), 401, 'invalid_credentials')
      expectRefusal(await change({ password: PASSWORD, code: wrongCode(code) }), 401, 'invalid_credentials')
    }
    expect(await stateOf(user.email)).toMatchObject({ two_factor_enabled: true, failed_verification_count: 2 })
    const form = { password: PASSWORD, code: await nextCodeOf(service, user) }
    const replaced = await user.call('POST', '/api/auth/two-factor/recovery-codes', form)
    expect(replaced.body.data.recoveryCodes).toHaveLength(10)
    expectRefusal(await user.call('POST', '/api/auth/two-factor/disable', form), 401, 'invalid_credentials')
    const { cookie } = await signInByPassword(service, user)
    const [old] = user.recoveryCodes
    expectRefusal(await verify(service, cookie, { recoveryCode: old }), 401, 'invalid_credentials')
    const again = { password: PASSWORD, code: await nextCodeOf(service, user) }
    expect((await user.call('POST', '/api/auth/two-factor/disable', again)).status).toBe(200)
    expect(await stateOf(user.email)).toMatchObject({ two_factor_enabled: false, secret: null })
    expect((await signInByPassword(service, user)).body.user.email).toBe(user.email)
  })

  test('is refused where it is off', async () => {
    const user = await givenUser(service)
    for (const path of ['disable', 'recovery-codes'])
      expectRefusal(
        await user.call('POST', `/api/auth/two-factor/${path}`, { password: PASSWORD, code: '123456' }),
        409,
        'conflict',
      )
  })

  test('locks after 10 wrong codes too', async () => {
    const user = await givenTwoFactorUser(service)
    const form = { password: PASSWORD, code: wrongCode(await codeOf(service, user)) }
    for (let attempt = 0; attempt < 10; attempt++)
      expectRefusal(await user.call('POST', '/api/auth/two-factor/disable', form), 401, 'invalid_credentials')
    const right = { password: PASSWORD, code: await nextCodeOf(service, user) }
    expectRefusal(await user.call('POST', '/api/auth/two-factor/disable', right), ...LOCKED)
    const { cookie } = await signInByPassword(service, user)
    expectRefusal(await verify(service, cookie, { code: right.code }), ...LOCKED)
  })
})

test('codes are limited like passwords', async () => {
  for (let attempt = 0; attempt < 3; attempt++)
    expectRefusal(await verify(limited, '', { code: '123456' }), 401, 'unauthenticated')
  expectRefusal(await verify(limited, '', { code: '123456' }), 429, 'rate_limited')
})
