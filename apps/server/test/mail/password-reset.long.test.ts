import { describe, expect, test } from 'bun:test'
import { until } from '../lifecycle/given-service.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })
const REQUEST = '/api/auth/request-password-reset'
const RESET = '/api/auth/reset-password'

const requestReset = (email: string, more: object = {}) => service.call('POST', REQUEST, { email, ...more })
const reset = (token: string, newPassword = 'another long password') =>
  service.call('POST', RESET, { token, newPassword })
const signIn = (email: string, password: string) => service.call('POST', '/api/auth/sign-in/email', { email, password })
const emailsTo = (email: string) => smtp.received.filter(({ to }) => to === email)
const stranger = () => `${unique('stranger')}@example.com`

/** A user who requested a reset, and the token from their email. */
const givenReset = async (more: object = {}) => {
  const user = await givenUser(service)
  expect((await requestReset(user.email, more)).status).toBe(200)
  await until(async () => emailsTo(user.email).length > 0)
  const text = emailsTo(user.email)[0]?.text ?? ''
  const address = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
  return { user, address, token: address.searchParams.get('token') ?? '' }
}

describe('a forgotten password', () => {
  test('is reset with the emailed link; the old one and every session end', async () => {
    const { user, token } = await givenReset()
    expect((await user.call('GET', '/api/me')).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
    expectRefusal(await user.call('GET', '/api/me'), 401, 'unauthenticated')
    expectRefusal(await signIn(user.email, 'a long password'), 401, 'invalid_credentials')
    expect((await signIn(user.email, 'another long password')).status).toBe(200)
  })

  test('can be reset only once per link, even by two concurrent requests', async () => {
    const { token } = await givenReset()
    const responses = await Promise.all([reset(token, 'the first password'), reset(token, 'the second password')])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expectRefusal(await reset(token), 404, 'not_found')
  })

  test('keeps its link after a new password that is too short', async () => {
    const { token } = await givenReset()
    expectRefusal(await reset(token, 'short'), 400, 'invalid_request')
    expect((await reset(token)).status).toBe(200)
  })

  test('can be reset within an hour', async () => {
    const { user, token } = await givenReset()
    const { rows } = await service.pool.query(
      `UPDATE verifications SET expires_at = expires_at - interval '1 hour'
       WHERE value = (SELECT id FROM users WHERE email = $1) RETURNING identifier`,
      [user.email],
    )
    expect(rows).toHaveLength(1)
    // A reader of the database or a backup must not be able to reset a password.
    expect(rows[0].identifier).not.toContain(token)
    expectRefusal(await reset(token), 404, 'not_found')
    expect((await signIn(user.email, 'a long password')).status).toBe(200)
  })

  test('cannot be reset with a guessed token', async () => {
    expectRefusal(await reset('a guess'), 404, 'not_found')
    expectRefusal(await reset(''), 400, 'invalid_request')
  })
})

describe('a reset request', () => {
  test('gets the same response for an address without an account, and nothing is sent', async () => {
    const unknownEmail = stranger()
    const { user } = await givenReset()
    const [known, unknown] = [await requestReset(user.email), await requestReset(unknownEmail)]
    expect(unknown.status).toBe(200)
    expect(unknown.body).toEqual(known.body)
    await until(async () => emailsTo(user.email).length === 2)
    expect(emailsTo(unknownEmail)).toEqual([])
  })

  test('cannot choose where the link points', async () => {
    const { address } = await givenReset({ redirectTo: 'https://evil.example/' })
    expect(address.origin + address.pathname).toBe('http://localhost:3000/reset-password')
    expect([...address.searchParams.keys()]).toEqual(['token'])
  })

  test('returns before the email is sent, because the delay would reveal an account', async () => {
    const silent = await startSmtp({ silent: true })
    const slow = await startTestService({ mail: silent.mail })
    const { email } = await givenUser(slow)
    expect((await slow.call('POST', REQUEST, { email })).status).toBe(200)
    await until(async () => silent.talkingTo() === 1)
  })

  test('is limited like sign-in attempts', async () => {
    const limited = await startTestService({ mail: smtp.mail, rateLimits: true })
    limited.clock.stop()
    const calls = (to: TestService) => [
      () => to.call('POST', REQUEST, { email: stranger() }),
      () => to.call('POST', RESET, { token: 'a guess', newPassword: 'a long password' }),
    ]
    for (const call of calls(limited)) {
      limited.clock.advance(60_000)
      for (let attempts = 0; attempts < 10; attempts++) expect((await call()).status).not.toBe(429)
      expectRefusal(await call(), 429, 'rate_limited')
    }
  })
})

test('password reset is unavailable without a mail server', async () => {
  const without = await startTestService()
  const { email } = await givenUser(without)
  expectRefusal(await without.call('POST', REQUEST, { email }), 404, 'not_found')
  const body = { token: 'a guess', newPassword: 'a long password' }
  expectRefusal(await without.call('POST', RESET, body), 404, 'not_found')
  const { rows } = await without.pool.query('SELECT 1 FROM verifications')
  expect(rows).toEqual([])
})
