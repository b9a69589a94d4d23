import { expect, test } from 'bun:test'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenPortal, REWARD } from './given-portal.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)

/** A partner whose link has no clicks and who signs in with another address than the partner's, and a member who cannot pay. */
const givenQuietPartner = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const { owner, api, id, workspaceId } = program
  const fields = { name: 'Quiet', email: `${unique('quiet')}@example.com`, status: 'approved' }
  const { data } = (await owner.call('POST', `${api}/partners`, fields)).body
  const partner = await givenPartner(program, { ...program.link, partnerId: data.id })
  const member = await givenUser(service)
  await givenRole(service, workspaceId, member, 'member')
  /** The invitation of a new partner with the address that the partner signs in with. */
  const acceptDecoy = async () => {
    const decoy = { name: 'Decoy', email: partner.email, status: 'approved' }
    const { id: decoyId } = (await member.call('POST', `${api}/partners`, decoy)).body.data
    const { url } = (await member.call('POST', `${api}/partners/${decoyId}/invite`)).body.data
    return partner.call('POST', `/api/portal/invitations/${url.split('/').at(-1)}/accept`)
  }
  const bonus = { type: 'bonus', partnerId: data.id, amountCents: 5_000, reason: 'Well done' }
  return {
    partnerId: data.id as number,
    partner,
    acceptDecoy,
    earn: () => owner.call('POST', `${api}/adjustments`, bonus),
    enterDetails: () =>
      partner.call('PUT', `/api/portal/programs/${id}/payout-details`, {
        method: 'paypal',
        account: 'quiet@example.com',
        holder: 'Quiet',
      }),
    inviteAgain: () => member.call('POST', `${api}/partners/${data.id}/invite`),
  }
}

for (const step of ['earn', 'enterDetails'] as const)
  test(`an invitation does not move a sign-in away from a partner without clicks who has money at stake (${step})`, async () => {
    const given = await givenQuietPartner()
    expect((await given[step]()).status).toBeLessThan(300)
    expectRefusal(await given.acceptDecoy(), 409, 'conflict')
    const programs = (await given.partner.call('GET', '/api/portal/programs')).body.data
    expect(programs).toMatchObject([{ partnerId: given.partnerId }])
    // Otherwise a member who cannot pay could now invite themselves as this partner.
    expectRefusal(await given.inviteAgain(), 403, 'forbidden')
  })

test('an invitation moves the sign-in of a partner who has neither clicks nor money', async () => {
  const { partner, partnerId, acceptDecoy } = await givenQuietPartner()
  expect((await acceptDecoy()).status).toBe(200)
  const [program] = (await partner.call('GET', '/api/portal/programs')).body.data
  expect(program.partnerId).not.toBe(partnerId)
})
