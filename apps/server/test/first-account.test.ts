import { describe, expect, test } from 'bun:test'
import { deriveSetupToken } from '../src/accounts/first-account.ts'
import { expectRefusal } from './support/given.ts'
import { SECRETS, startTestService, type TestService } from './support/service.ts'
import { account } from './support/sign-up.ts'

const setupToken = deriveSetupToken(SECRETS)

const signUp = ({ call }: TestService, headers: Record<string, string> = {}, more: object = {}) =>
  call('POST', '/api/auth/sign-up/email', { ...account(), ...more }, headers)

const closed = await startTestService({ openSignup: false })

/** A service without accounts; only the database knows whether one exists. */
const fresh = async () => {
  await closed.pool.query('TRUNCATE users CASCADE')
  return closed
}

describe('the first account', () => {
  test('needs no token from the local machine', async () => {
    expect((await signUp(await fresh())).status).toBe(200)
  })

  test.each([
    ['under another name', { host: 'evil.example' }],
    ['under a name that starts like ours', { host: 'localhost.evil.example' }],
    ['through a proxy that names the visitor', { 'x-forwarded-for': '203.0.113.9' }],
    ['through a proxy that names itself', { forwarded: 'for=203.0.113.9' }],
    ['through a proxy that rewrote the host', { 'x-forwarded-host': 'track.example.com' }],
    ['by a page whose name points at this machine', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('cannot be taken %s', async (_, headers) => {
    const service = await fresh()
    const refused = await signUp(service, headers as Record<string, string>)
    expectRefusal(refused, 403, 'sign_up_closed')
    expect(refused.body.error.message).toContain('printed')
    expectRefusal(
      await signUp(service, headers as Record<string, string>, { setupToken: 'a guess' }),
      403,
      'sign_up_closed',
    )
    expect((await service.pool.query('SELECT 1 FROM users')).rows).toEqual([])
    expect((await signUp(service, headers as Record<string, string>, { setupToken })).status).toBe(200)
  })

  test('needs the token if the service has a public address, because a silent proxy looks like the local machine', async () => {
    const service = await startTestService({ openSignup: false, baseUrl: 'https://track.example.com' })
    expectRefusal(await signUp(service), 403, 'sign_up_closed')
    expect((await signUp(service, {}, { setupToken })).status).toBe(200)
  })

  test.each(['http://127.0.0.2:3000', 'http://[::1]:3000'])('needs no token at %s', async (baseUrl) => {
    expect((await signUp(await startTestService({ openSignup: false, baseUrl }))).status).toBe(200)
  })

  test('behind a trusted proxy needs the token', async () => {
    const service = await startTestService({ openSignup: false, trustedProxies: ['127.0.0.1'] })
    const visitor = { 'x-forwarded-for': '203.0.113.9' }
    expectRefusal(await signUp(service, visitor), 403, 'sign_up_closed')
    expect((await signUp(service, visitor, { setupToken })).status).toBe(200)
    expectRefusal(await signUp(service, visitor, { setupToken }), 403, 'sign_up_closed')
  })

  test('needs no token if sign-up is open', async () => {
    const service = await startTestService({ openSignup: true })
    expect((await signUp(service, { host: 'track.example.com' })).status).toBe(200)
  })
})
