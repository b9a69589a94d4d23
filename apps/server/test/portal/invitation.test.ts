import { describe, expect, test } from 'bun:test'
import { portalProgram } from '@tributary/contract'
import { click, expectRefusal, givenLink, givenUser, givenWorkspace, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { cookieOf, PASSWORD, REWARD } from './given-portal.ts'

const service = await givenService({ openSignup: false })
// Creates the first account, which closes sign-up; the test support inserts the others directly.
const open = await startTestService()

describe('an invitation of a partner', () => {
  test('is a link that creates an account although sign-up is closed', async () => {
    const owner = await givenUser(service)
    const workspaceId = (await owner.call('POST', '/api/workspaces', { name: 'W' })).body.data.id
    const programId = (await owner.call('POST', '/api/programs', { workspaceId, name: 'P' })).body.data.id
    const partner = (
      await owner.call('POST', `/api/programs/${programId}/partners`, { name: 'Maya', email: 'Maya@Example.com' })
    ).body.data
    const { body } = await owner.call('POST', `/api/programs/${programId}/partners/${partner.id}/invite`)
    expect(body.data.email).toBe('Maya@Example.com')
    expect(body.data.url).toStartWith('http://localhost:3000/portal/invite/')
    const id = body.data.url.split('/').at(-1)
    const access = async () => (await owner.call('GET', `/api/programs/${programId}/partners/${partner.id}`)).body.data
    expect(await access()).toMatchObject({ hasAccount: false, invitedUntil: body.data.expiresAt })
    expect((await service.call('GET', `/api/public/partner-invitations/${id}`)).body.data).toMatchObject({
      programName: 'P',
      partnerName: 'Maya',
      email: 'maya@example.com',
    })
    const person = { name: 'Maya', email: 'maya@example.com', password: PASSWORD }
    expectRefusal(
      await service.call('POST', '/api/auth/sign-up/email', { ...person, invitationId: id }),
      403,
      'sign_up_closed',
    )
    for (const wrong of [{}, { name: 'x' }, { name: 'x', password: 'short' }])
      expectRefusal(
        await service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, wrong),
        400,
        'invalid_request',
      )
    const signedUp = await service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, {
      name: 'Maya',
      password: PASSWORD,
    })
    expect(signedUp.status).toBe(200)
    const mine = await service.call('GET', '/api/portal/programs', undefined, { cookie: cookieOf(signedUp.headers) })
    expect(mine.body.data.map((row: unknown) => portalProgram.parse(row))).toMatchObject([
      { programId, partnerId: partner.id, mayCreateLinks: false },
    ])
    // A partner account cannot bypass the closed sign-up by creating a workspace.
    const founding = await service.call(
      'POST',
      '/api/workspaces',
      { name: 'Mine' },
      { cookie: cookieOf(signedUp.headers) },
    )
    expectRefusal(founding, 403, 'forbidden')
    for (const again of ['GET', 'POST'])
      expectRefusal(
        await service.call(
          again,
          `/api/public/partner-invitations/${id}${again === 'POST' ? '/sign-up' : ''}`,
          again === 'POST' ? { name: 'x', password: PASSWORD } : undefined,
        ),
        404,
        'not_found',
      )
    expect(await access()).toMatchObject({ hasAccount: true, invitedUntil: null })
    const { rows } = await service.pool.query('SELECT secret_hash FROM partner_invitations')
    const secret = id.slice(id.indexOf('_') + 1)
    const kept: Buffer = rows[0].secret_hash
    for (const written of [kept.toString('latin1'), kept.toString('base64url')]) expect(written).not.toContain(secret)
  })

  test('can be accepted with an existing account, but only by the invited address and until it expires', async () => {
    const program = await givenPayingProgram(open, REWARD)
    const [right, wrong] = [await givenUser(open), await givenUser(open)]
    await givenWorkspace(right)
    const invite = async () =>
      (
        await program.owner.call('POST', `${program.api}/partners/${program.link.partnerId}/invite`, {
          email: right.email,
        })
      ).body.data.url
        .split('/')
        .at(-1)
    const replaced = await invite()
    const id = await invite()
    expectRefusal(await right.call('POST', `/api/portal/invitations/${replaced}/accept`), 404, 'not_found')
    expectRefusal(await wrong.call('POST', `/api/portal/invitations/${id}/accept`), 403, 'forbidden')
    expectRefusal(
      await open.call('POST', `/api/public/partner-invitations/${id}/sign-up`, { name: 'x', password: PASSWORD }),
      409,
      'conflict',
    )
    expect((await right.call('POST', `/api/portal/invitations/${id}/accept`)).body.data).toMatchObject({
      programId: program.id,
    })
    expectRefusal(await right.call('POST', `/api/portal/invitations/${id}/accept`), 404, 'not_found')
    const late = await invite()
    open.clock.advance(15 * DAY_MS)
    expectRefusal(await open.call('GET', `/api/public/partner-invitations/${late}`), 404, 'not_found')
    expect((await right.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([
      { programId: program.id, partnerId: program.link.partnerId },
    ])
  })

  test('whose sign-up fails midway leaves no account and can be used again', async () => {
    const program = await givenPayingProgram(open, REWARD)
    const email = `${unique('maya')}@example.com`
    const invite = `${program.api}/partners/${program.link.partnerId}/invite`
    const id = (await program.owner.call('POST', invite, { email })).body.data.url.split('/').at(-1)
    const signUp = () =>
      open.call('POST', `/api/public/partner-invitations/${id}/sign-up`, { name: 'Maya', password: PASSWORD })
    const blocker = await open.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE partner_users IN EXCLUSIVE MODE')
    const failed = await signUp()
    await blocker.query('ROLLBACK')
    blocker.release()
    expectRefusal(failed, 503, 'unavailable')
    expect((await signUp()).status).toBe(200)
  })

  test('turns an applicant into the invited partner, unless they have links as another', async () => {
    const program = await givenPayingProgram(open, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const person = await givenUser(open)
    const applied = (await person.call('POST', `/api/portal/programs/${program.id}/apply`)).body.data
    // A click on the code of an applicant creates a link, which must not count here.
    expect((await click(open, { affiliate_url: `https://shop.example/?aff=${applied.code}` })).status).toBe(200)
    const other = await givenLink(open, program.id)
    const accept = async (partnerId: number) => {
      const invited = await program.owner.call('POST', `${program.api}/partners/${partnerId}/invite`, {
        email: person.email,
      })
      const id = invited.body.data.url.split('/').at(-1)
      return { id, answer: await person.call('POST', `/api/portal/invitations/${id}/accept`) }
    }
    const { partnerId } = program.link
    expect(applied.partnerId).not.toBe(partnerId)
    expect((await accept(partnerId)).answer.body.data).toMatchObject({ partnerId, status: 'approved' })
    expect((await accept(partnerId)).answer.body.data).toMatchObject({ partnerId })
    expect((await person.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([{ partnerId }])
    const refused = await accept(other.partnerId)
    expectRefusal(refused.answer, 409, 'conflict')
    expect((await open.call('GET', `/api/public/partner-invitations/${refused.id}`)).status).toBe(200)
    expect((await person.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([{ partnerId }])
  })

  test('needs an address, and a partner of the program', async () => {
    const program = await givenPayingProgram(open, REWARD)
    expectRefusal(
      await program.owner.call('POST', `${program.api}/partners/${program.link.partnerId}/invite`, {}),
      400,
      'invalid_request',
    )
    expectRefusal(
      await program.owner.call('POST', `${program.api}/partners/999999/invite`, { email: 'a@b.example' }),
      404,
      'not_found',
    )
  })
})
