import { expect } from 'bun:test'
import { click, cookieOf, expectRefusal, type User, unique } from './given.ts'
import { givenPayingProgram, type PayingProgram } from './money.ts'
import type { TestService } from './service.ts'

export const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' } }
export const SQUATTED = 'the squatter’s password'
export const CHOSEN = 'the genuine password'

type Caller = { cookie: string; call: User['call'] }
export type SquattedAccount = { program: PayingProgram; email: string; squatter: Caller; partnerId: number }

/** Accounts created with another person's address, and invitations to that address. */
export const squatting = (service: TestService) => {
  const signIn = (email: string, password: string) =>
    service.call('POST', '/api/auth/sign-in/email', { email, password })

  /** A program that accepts applications, with an applicant who used another person's address. */
  const givenSquatter = async (): Promise<SquattedAccount> => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const email = `${unique('ada')}@example.com`
    const application = { name: 'Squatter', email, password: SQUATTED }
    expect((await service.call('POST', `/api/public/programs/${program.id}/apply`, application)).status).toBe(200)
    const cookie = cookieOf((await signIn(email, SQUATTED)).headers)
    const squatter = {
      cookie,
      call: (method: string, path: string, body?: unknown) => service.call(method, path, body, { cookie }),
    }
    // A click on their code creates a link, which commits no one to anything.
    const [{ code, partnerId }] = (await squatter.call('GET', '/api/portal/programs')).body.data
    expect((await click(service, { affiliate_url: `https://shop.example/?aff=${code}` })).status).toBe(200)
    return { program, email, squatter, partnerId }
  }

  const inviteMember = async (owner: User, workspaceId: string, email: string) =>
    (await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role: 'viewer' })).body.data.id

  const invitePartner = async ({ program, email }: { program: PayingProgram; email: string }) => {
    const invited = await program.owner.call('POST', `${program.api}/partners/${program.link.partnerId}/invite`, {
      email,
    })
    return invited.body.data.url.split('/').at(-1)
  }

  const expectSquatterGone = async ({ program, email, squatter, partnerId }: SquattedAccount) => {
    expectRefusal(await squatter.call('GET', '/api/me'), 401, 'unauthenticated')
    expectRefusal(await signIn(email, SQUATTED), 401, 'invalid_credentials')
    expect((await signIn(email, CHOSEN)).status).toBe(200)
    const { data } = (await program.owner.call('GET', `${program.api}/audit?search=sign-in+removed`)).body
    expect(data).toMatchObject([
      { action: 'partner sign-in removed', subject: `partner ${partnerId}`, before: { emails: [email] }, userId: null },
    ])
  }

  return { signIn, givenSquatter, inviteMember, invitePartner, expectSquatterGone }
}
