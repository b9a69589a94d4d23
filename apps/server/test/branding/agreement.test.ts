import { describe, expect, test } from 'bun:test'
import { cookieOf, givenPortal, PASSWORD, REWARD } from '../portal/given-portal.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { givenPartner, callerWith } = givenPortal(service)

const givenAgreement = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const partner = await givenPartner(program)
  const path = `${program.api}/agreement`
  const set = (text: string | null) => program.owner.call('PUT', path, { text })
  const portal = `/api/portal/programs/${program.id}`
  const accept = (version: number) => partner.call('POST', `${portal}/agreement/accept`, { version })
  const mine = async () => (await partner.call('GET', '/api/portal/programs')).body.data[0].agreement
  const acceptances = async () =>
    (
      await service.pool.query(
        'SELECT partner_id, version FROM agreement_acceptances WHERE program_id = $1 ORDER BY partner_id, version',
        [program.id],
      )
    ).rows
  await program.owner.call('PATCH', program.api, { applicationsOpen: true })
  return { ...program, partner, path, portal, set, accept, mine, acceptances }
}

const newPerson = () => ({ name: 'Ada', email: `${unique('ada')}@example.com`, password: PASSWORD })

describe('the program agreement', () => {
  test('gets a version per change, and partners are asked again until they accept the current one', async () => {
    const { owner, path, portal, partner, set, accept, mine, acceptances, link } = await givenAgreement()
    expect((await owner.call('GET', path)).body.data).toMatchObject({ current: null, accepted: 0 })
    expect(await mine()).toBeNull()
    expect((await set('# One')).body.data).toMatchObject({ current: { version: 1, text: '# One' }, accepted: 0 })
    expect((await set('# One')).body.data.current.version).toBe(1)
    expect(await mine()).toEqual({ version: 1, acceptedVersion: null, acceptedAt: null })
    expect((await partner.call('GET', `${portal}/agreement`)).body.data).toMatchObject({ version: 1, text: '# One' })
    const answers = await Promise.all([accept(1), accept(1), accept(1)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await mine()).toMatchObject({ version: 1, acceptedVersion: 1, acceptedAt: expect.any(String) })
    expect((await owner.call('GET', path)).body.data.accepted).toBe(1)
    await set('# Two')
    expect(await mine()).toMatchObject({ version: 2, acceptedVersion: 1 })
    for (const version of [1, 3]) expectRefusal(await accept(version), 409, 'conflict')
    await accept(2)
    expect(await acceptances()).toEqual([1, 2].map((version) => ({ partner_id: link.partnerId, version })))
    await set(null)
    expect(await mine()).toBeNull()
    expect((await set('# Three')).body.data).toMatchObject({ current: { version: 4 }, accepted: 0 })
  })

  test('must be accepted to apply, with and without an account', async () => {
    const { set, id, portal, acceptances } = await givenAgreement()
    await set('# One')
    const page = `/api/public/programs/${id}`
    expect((await service.call('GET', `${page}/application`)).body.data.agreement).toMatchObject({ version: 1 })
    const person = newPerson()
    const known = await givenUser(service)
    for (const wrong of [{}, { agreementVersion: 2 }]) {
      expectRefusal(await service.call('POST', `${page}/apply`, { ...person, ...wrong }), 400, 'invalid_request')
      expectRefusal(await known.call('POST', `${portal}/apply`, wrong), 400, 'invalid_request')
    }
    expect(await acceptances()).toEqual([])
    expect((await service.call('POST', `${page}/apply`, { ...person, agreementVersion: 1 })).status).toBe(200)
    expect((await known.call('POST', `${portal}/apply`, { agreementVersion: 1 })).status).toBe(201)
    expect(await acceptances()).toHaveLength(2)
    const ada = callerWith(cookieOf((await service.call('POST', '/api/auth/sign-in/email', person)).headers))
    expect((await ada.call('GET', '/api/portal/programs')).body.data).toMatchObject([
      { status: 'pending', agreement: { version: 1, acceptedVersion: 1 } },
    ])
  })

  test('must be accepted with an invitation, which stays open until then', async () => {
    const { set, owner, api } = await givenAgreement()
    await set('# One')
    const invite = async (email: string) => {
      const { id } = (await owner.call('POST', `${api}/partners`, { name: 'New', email })).body.data
      const { url } = (await owner.call('POST', `${api}/partners/${id}/invite`)).body.data
      return url.split('/').at(-1) as string
    }
    const { email, name, password } = newPerson()
    const invitation = `/api/public/partner-invitations/${await invite(email)}`
    expect((await service.call('GET', invitation)).body.data.agreement).toMatchObject({ text: '# One' })
    const person = { name, password }
    expectRefusal(await service.call('POST', `${invitation}/sign-up`, person), 400, 'invalid_request')
    expect((await service.call('POST', `${invitation}/sign-up`, { ...person, agreementVersion: 1 })).status).toBe(200)
    const known = await givenUser(service)
    const accept = `/api/portal/invitations/${await invite(known.email)}/accept`
    expectRefusal(await known.call('POST', accept), 400, 'invalid_request')
    expect((await known.call('POST', accept, { agreementVersion: 1 })).body.data).toMatchObject({
      agreement: { acceptedVersion: 1 },
    })
  })

  test('is changed only with program:update, and every acceptance and change is in the audit log', async () => {
    const { path, workspaceId, set, accept, owner, api } = await givenAgreement()
    const viewer = await givenUser(service)
    await givenRole(service, workspaceId, viewer, 'viewer')
    expect((await viewer.call('GET', path)).status).toBe(200)
    expectRefusal(await viewer.call('PUT', path, { text: 'Mine' }), 403, 'forbidden')
    for (const wrong of [{}, { text: '' }, { text: 'x'.repeat(20_001) }, { text: 1 }])
      expectRefusal(await owner.call('PUT', path, wrong), 400, 'invalid_request')
    await set('One')
    await accept(1)
    await set('Two')
    const entries = (await owner.call('GET', `${api}/audit?search=agreement`)).body.data
    expect(entries).toMatchObject([
      { action: 'program agreement changed', before: { version: 1 }, after: { version: 2, text: 'Two' } },
      { action: 'program agreement accepted', byPartner: true, after: { version: 1 } },
      { action: 'program agreement changed', before: null, after: { version: 1 } },
    ])
  })
})
