import { describe, expect, test } from 'bun:test'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectEmpty, expectLoadingErrorFull, givenTroubledTour } from './support/four-states.ts'
import { givenOwner } from './support/owner.ts'
import { givenEarningProgram, givenPartnerAccount, givenPartnerInvitation } from './support/partner.ts'
import { ENTRANCES, MERCHANT_SCREENS, PARTNER_ENTRANCES, PORTAL_SCREENS, type Screen } from './support/screens.ts'
import type { Account } from './support/service.ts'
import { givenStory } from './support/story.ts'
import { givenTour } from './support/tour.ts'

await givenBuiltDashboard()
const service = await startTestService()

/** A program in which everything has happened once, and the names of all of it. */
const givenNames = async () => {
  const story = await givenStory(service)
  const call = async (method: string, path: string, body?: object) => {
    const answer = await story.owner.call(method, path, body)
    expect(answer.status).toBeLessThan(300)
    return answer.body.data
  }
  // What the story has earned is held for a month.
  await call('PUT', `${story.api}/reward`, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  expect((await story.sale({ customer_key: 'user_1', invoice_id: 'INV-3', amount: 4_900 })).status).toBe(200)
  const payout = await call('POST', `${story.api}/payouts`)
  const invitation = await call('POST', `/api/workspaces/${story.workspaceId}/invitations`, {
    email: 'new@example.com',
    role: 'member',
  })
  // It lasts a week by the library's clock, and the story took longer than that by ours.
  await service.pool.query("UPDATE invitations SET expires_at = expires_at + interval '30 days'")
  const [workspace] = (await story.owner.call('GET', '/api/workspaces')).body.data
  const names = {
    programId: story.id,
    customerId: story.clickId,
    customerKey: 'user_1',
    saleId: story.saleId,
    invoiceId: 'INV-1',
    leadId: story.leadId,
    partnerId: story.link.partnerId,
    partnerName: 'Maya Lindqvist',
    payoutId: payout.id,
    invitationId: invitation.id,
    workspaceName: workspace.name,
  }
  return { names, as: story.account }
}

const { names, as } = await givenNames()
const loads = ({ api }: Screen) => api !== undefined
const byRoute = (screens: Screen[]): [string, Screen][] => screens.map((screen) => [screen.route, screen])

describe('what loads shows its shape, then why it could not be loaded, and is tried again', () => {
  const inside = givenTroubledTour(service, as)
  test.each(byRoute(MERCHANT_SCREENS.filter(loads)))('%s', (_, screen) => expectLoadingErrorFull(inside, screen, names))
  const outside = givenTroubledTour(service)
  test.each(byRoute(ENTRANCES.filter(loads)))('%s', (_, screen) => expectLoadingErrorFull(outside, screen, names))
})

describe('what is empty says what would be there', async () => {
  const owner = await givenOwner(service)
  // Not the one that has a partner already.
  const { id: programId } = await owner.create('/api/programs', { name: 'Empty', workspaceId: owner.workspaceId })
  const tour = givenTour(service, '/account', { as: owner.account })
  test.each(byRoute(MERCHANT_SCREENS.filter(({ empty }) => empty)))('%s', (_, screen) =>
    expectEmpty(tour, screen, { programId }))
})

describe('the portal as well', async () => {
  const program = await givenEarningProgram(service)
  await program.owner.call('PATCH', program.api, { applicationsOpen: true })
  const partner = await givenPartnerAccount(service, program)
  const { path } = await givenPartnerInvitation(program, program.other)
  const ofPortal = {
    programId: program.id,
    programName: 'Test',
    invitationId: path.split('/').at(-1) ?? '',
  }
  const inside = givenTroubledTour(service, partner)
  test.each(byRoute(PORTAL_SCREENS.filter(loads)))('%s', (_, screen) =>
    expectLoadingErrorFull(inside, screen, ofPortal))
  const outside = givenTroubledTour(service)
  test.each(byRoute(PARTNER_ENTRANCES.filter(loads)))('%s', (_, screen) =>
    expectLoadingErrorFull(outside, screen, ofPortal))

  const fresh = await givenPayingProgram(service, {})
  await service.pool.query('DELETE FROM referral_links WHERE program_id = $1', [fresh.id])
  const newcomer: Account = await givenPartnerAccount(service, fresh)
  const tour = givenTour(service, '/account', { as: newcomer })
  test.each(byRoute(PORTAL_SCREENS.filter(({ empty }) => empty)))('%s, empty', (_, screen) =>
    expectEmpty(tour, screen, { programId: fresh.id }))
})
