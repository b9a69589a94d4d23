// An attacker signs up with another person's address (open sign-up) and creates a workspace of their own, so that the account "belongs to
// a workspace". The real owner of the address then signs in by email link or identity provider and accepts an invitation.
import { describe, expect, test } from 'bun:test'
import { until } from './lifecycle/given-service.ts'
import { cookieOf, givenUser, givenWorkspace, unique } from './support/given.ts'
import { startIdentityProvider } from './support/identity-provider.ts'
import { startTestService } from './support/service.ts'
import { startSmtp } from './support/smtp.ts'

const smtp = await startSmtp()
const provider = await startIdentityProvider()
const service = await startTestService({ mail: smtp.mail, openSignup: true, oidc: provider.settings })
await givenUser(service)

const as = (cookie: string) => (method: string, path: string, body?: unknown) =>
  service.call(method, path, body, { cookie })

const givenSquatted = async () => {
  const email = `${unique('ada')}@example.com`
  const password = 'the squatter’s password'
  const signedUp = await service.call('POST', '/api/auth/sign-up/email', { name: 'Mallory', email, password })
  expect(signedUp.status).toBe(200)
  const signIn = () => service.call('POST', '/api/auth/sign-in/email', { email, password })
  const squatter = as(cookieOf((await signIn()).headers))
  expect((await squatter('POST', '/api/workspaces', { name: 'Squat' })).status).toBe(201)
  // Acme invites Ada.
  const acme = await givenUser(service)
  const workspaceId = await givenWorkspace(acme)
  const invited = await acme.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role: 'admin' })
  expect(invited.status).toBe(201)
  return { email, signIn, squatter, workspaceId, invitationId: invited.body.data.id as string }
}
type Squatted = Awaited<ReturnType<typeof givenSquatted>>

const expectSquatterOutside = async ({ squatter, signIn, workspaceId }: Squatted) => {
  const seen = (await squatter('GET', '/api/me')).body?.data?.workspaces ?? []
  const again = await signIn()
  const later = again.status === 200 ? (await as(cookieOf(again.headers))('GET', '/api/me')).body.data.workspaces : []
  const reached = [...seen, ...later].filter(({ id }: { id: string }) => id === workspaceId)
  expect(reached).toEqual([])
}

describe('an account that a stranger created with a workspace of their own does not let the stranger into another workspace', () => {
  test('when the owner of the address signs in by link and accepts an invitation', async () => {
    const squatted = await givenSquatted()
    const { email, invitationId } = squatted
    const emails = () => smtp.received.filter(({ to, text }) => to === email && /sign-in\/link/.test(text ?? ''))
    expect((await service.call('POST', '/api/auth/sign-in/link', { email })).status).toBe(200)
    await until(async () => emails().length > 0)
    const address = new URL(/https?:\S+/.exec(emails().at(-1)?.text ?? '')?.[0] ?? '')
    const token = address.searchParams.get('token')
    const signedIn = await service.call('POST', '/api/auth/sign-in/link/confirm', { token })
    expect(signedIn.status).toBe(200)
    await as(cookieOf(signedIn.headers))('POST', `/api/invitations/${invitationId}/accept`)
    await expectSquatterOutside(squatted)
  })

  test('when they sign in with the identity provider and accept an invitation', async () => {
    const squatted = await givenSquatted()
    const { email, invitationId } = squatted
    const started = await service.call('POST', '/api/auth/sign-in/oidc', {})
    const person = { sub: unique('sub'), email, email_verified: true, name: 'Ada' }
    const { path } = provider.agree(started.body.data.url, person)
    const back = await fetch(service.url + path, { headers: { cookie: cookieOf(started.headers) }, redirect: 'manual' })
    await as(cookieOf(back.headers))('POST', `/api/invitations/${invitationId}/accept`)
    await expectSquatterOutside(squatted)
  })
})
