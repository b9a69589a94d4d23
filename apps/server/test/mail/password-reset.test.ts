import { describe, expect, test } from 'bun:test'
import { until } from '../lifecycle/given-service.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })
const REQUEST = '/api/auth/request-password-reset'
const RESET = '/api/auth/reset-password'

const ask = (email: string, more: object = {}) => service.call('POST', REQUEST, { email, ...more })
const reset = (token: string, newPassword = 'another long password') =>
  service.call('POST', RESET, { token, newPassword })
const signIn = (email: string, password: string) => service.call('POST', '/api/auth/sign-in/email', { email, password })
const lettersTo = (email: string) => smtp.received.filter(({ to }) => to === email)
const stranger = () => `${unique('stranger')}@example.com`

/** Somebody who has lost their password, and the secret of the mail that they got. */
const givenReset = async (more: object = {}) => {
  const user = await givenUser(service)
  expect((await ask(user.email, more)).status).toBe(200)
  await until(async () => lettersTo(user.email).length > 0)
  const text = lettersTo(user.email)[0]?.text ?? ''
  const address = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
  return { user, address, token: address.searchParams.get('token') ?? '' }
}

describe('a password that was forgotten', () => {
  test('is chosen anew by the link of a mail; the old one and every session end', async () => {
    const { user, token } = await givenReset()
    expect((await user.call('GET', '/api/me')).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
    expectRefusal(await user.call('GET', '/api/me'), 401, 'unauthenticated')
    expectRefusal(await signIn(user.email, 'a long password'), 401, 'invalid_credentials')
    expect((await signIn(user.email, 'another long password')).status).toBe(200)
  })

  test('is chosen once: the link is used up, also by two at once', async () => {
    const { token } = await givenReset()
    const answers = await Promise.all([reset(token, 'the first password'), reset(token, 'the second password')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expectRefusal(await reset(token), 404, 'not_found')
  })

  test('is not used up by a new one that is too short', async () => {
    const { token } = await givenReset()
    expectRefusal(await reset(token, 'short'), 400, 'invalid_request')
    expect((await reset(token)).status).toBe(200)
  })

  test('can be chosen within an hour', async () => {
    const { user, token } = await givenReset()
    const { rows } = await service.pool.query(
      `UPDATE verifications SET expires_at = expires_at - interval '1 hour'
       WHERE value = (SELECT id FROM users WHERE email = $1) RETURNING identifier`,
      [user.email],
    )
    expect(rows).toHaveLength(1)
    // Whoever reads the database, or a backup of it, has no link.
    expect(rows[0].identifier).not.toContain(token)
    expectRefusal(await reset(token), 404, 'not_found')
    expect((await signIn(user.email, 'a long password')).status).toBe(200)
  })

  test('is not chosen by a guess', async () => {
    expectRefusal(await reset('a guess'), 404, 'not_found')
    expectRefusal(await reset(''), 400, 'invalid_request')
  })
})

describe('whoever asks for a reset', () => {
  test('gets the same answer for an address that has no account, and nothing is sent there', async () => {
    const nobody = stranger()
    const { user } = await givenReset()
    const [known, unknown] = [await ask(user.email), await ask(nobody)]
    expect(unknown.status).toBe(200)
    expect(unknown.body).toEqual(known.body)
    await until(async () => lettersTo(user.email).length === 2)
    expect(lettersTo(nobody)).toEqual([])
  })

  test('does not choose where the link leads', async () => {
    const { address } = await givenReset({ redirectTo: 'https://evil.example/' })
    expect(address.origin + address.pathname).toBe('http://localhost:3000/reset-password')
    expect([...address.searchParams.keys()]).toEqual(['token'])
  })

  test('is answered while the mail is still on its way: how long it takes would tell of an account', async () => {
    const silent = await startSmtp({ silent: true })
    const slow = await startTestService({ mail: silent.mail })
    const { email } = await givenUser(slow)
    expect((await slow.call('POST', REQUEST, { email })).status).toBe(200)
    await until(async () => silent.talkingTo() === 1)
  })

  test('may do so as often as they may try to sign in', async () => {
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

test('without a mail server there is no reset', async () => {
  const without = await startTestService()
  const { email } = await givenUser(without)
  expectRefusal(await without.call('POST', REQUEST, { email }), 404, 'not_found')
  const body = { token: 'a guess', newPassword: 'a long password' }
  expectRefusal(await without.call('POST', RESET, body), 404, 'not_found')
  const { rows } = await without.pool.query('SELECT 1 FROM verifications')
  expect(rows).toEqual([])
})
