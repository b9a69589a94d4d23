import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessible, expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectEmpty, expectLoadingErrorFull, givenTroubledTour } from './support/four-states.ts'
import { expectGoodLooks, LOOKS } from './support/looks.ts'
import { givenEarningProgram, givenPartnerAccount, givenPartnerInvitation } from './support/partner.ts'
import { NO_PARTNER, PARTNER_ENTRANCES, PORTAL_SCREENS, type Screen } from './support/screens.ts'
import type { Account } from './support/service.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const program = await givenEarningProgram(service)
await program.owner.call('PATCH', program.api, { applicationsOpen: true, partnersCreateLinks: true })
const partner = await givenPartnerAccount(service, program)
const invitation = await givenPartnerInvitation(program, program.other)

const givenApplicant = async (): Promise<Account> => {
  const user = await givenUser(service)
  expect((await user.call('POST', `/api/portal/programs/${program.id}/apply`)).status).toBe(201)
  return { email: user.email, password: 'a long password' }
}
const applicant = await givenApplicant()
const nobody: Account = { email: (await givenUser(service)).email, password: 'a long password' }
const portal = `/portal/${program.id}`

const names = {
  programId: program.id,
  programName: 'Test',
  invitationId: invitation.path.split('/').at(-1) ?? '',
}

/** Every screen that a partner meets, and the two of who is none yet. */
const SCREENS: { as?: Account; screens: Screen[] }[] = [
  { screens: PARTNER_ENTRANCES },
  ...(isLongRun ? [{ as: applicant, screens: [{ route: '/portal/$programId', title: 'Your application' }] }] : []),
  { as: nobody, screens: [NO_PARTNER] },
  { as: partner, screens: PORTAL_SCREENS },
]

describe.each(LOOKS)('%s: a screen shows its shape, then why it could not be loaded, and then pleases', (_, window) => {
  const look = (page: Page) => expectGoodLooks(page, window)
  for (const { as, screens } of SCREENS) {
    const tour = givenTroubledTour(service, as, window)
    test.each(screens)('$route: $title', (screen) => expectLoadingErrorFull(tour, screen, { names, look }))
  }
})

describe('what is empty says what would be there', async () => {
  const fresh = await givenPayingProgram(service, {})
  await service.pool.query('DELETE FROM referral_links WHERE program_id = $1', [fresh.id])
  const tour = givenTour(service, '/account', { as: await givenPartnerAccount(service, fresh) })
  test.each(PORTAL_SCREENS.filter(({ empty }) => empty))('$route', (screen) =>
    expectEmpty(tour, screen, { programId: fresh.id }))
})

describe.skipIf(!isLongRun)('dialogs, panels and menus please axe as well', () => {
  test.each([
    ['links', 'New link'],
    ['links', 'Share'],
    ['earnings', 'Sale'],
    ['payouts', 'Maya'],
  ])('%s: %s', (path, button) => {
    const act = async (page: Page) => {
      await page.getByRole('button', { name: button }).first().click()
      await page.locator('[role=dialog], [role=menu]').waitFor()
      await page.locator('[role=dialog] [role=status]').first().waitFor({ state: 'detached' })
      await expectAccessible(page)
    }
    return visit(service, `${portal}/${path}`, act, { as: partner })
  })
})

test.skipIf(!isLongRun)('what is empty says so, with the next step', async () => {
  const fresh = await givenPayingProgram(service, {})
  await fresh.owner.call('PATCH', fresh.api, { partnersCreateLinks: true })
  await service.pool.query('DELETE FROM referral_links WHERE program_id = $1', [fresh.id])
  const act = async (page: Page) => {
    await page.getByText('The program has not said yet what it pays.').waitFor()
    await page.getByText('Nothing earned yet').waitFor()
    await page.getByRole('link', { name: 'Make a link' }).click()
    await page.getByText('No links yet').waitFor()
    for (const [place, words] of [
      ['Sales', 'No sales yet'],
      ['Earnings', 'Nothing earned yet'],
      ['Payouts', 'No payouts yet'],
    ] as const) {
      await page.getByRole('link', { name: place, exact: true }).first().click()
      await untilLoaded(page, place)
      await page.getByText(words).waitFor()
      await expectAccessible(page)
    }
    await page.goto(`${service.url}/portal/${fresh.id}/earnings?state=review`)
    await page.getByText('No earning found').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Nothing earned yet').waitFor()
  }
  await visit(service, `/portal/${fresh.id}`, act, { as: await givenPartnerAccount(service, fresh) })
})

test('a partner who was suspended is told so above every page, and keeps what they earned in sight', async () => {
  const paused = await givenEarningProgram(service)
  const account = await givenPartnerAccount(service, paused)
  const { status } = await paused.owner.call('PATCH', `${paused.api}/partners/${paused.link.partnerId}`, {
    status: 'suspended',
  })
  expect(status).toBe(200)
  const act = async (page: Page) => {
    await page.getByText('The program has paused your partnership').waitFor()
    await page.getByRole('row', { name: /of \$20\.00/ }).waitFor()
    await expectAccessibleAgain(page)
    const go = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
    await go('Links')
    await page.getByRole('cell', { name: 'Off: paused' }).waitFor()
    await page.getByRole('columnheader', { name: 'Earned before refunds' }).waitFor()
    expect(await page.getByText('Whoever follows one and buys is credited to you').count()).toBe(0)
    await go('Payouts')
    await page.getByText('Add your payout details so the program can pay you.').waitFor()
  }
  await visit(service, `/portal/${paused.id}/earnings`, act, { as: account })
})
