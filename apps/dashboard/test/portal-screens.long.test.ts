import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessible, expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectEmpty, expectLoadingErrorFull, givenFailingTour } from './support/four-states.ts'
import { expectCleanLayout, LOOKS } from './support/looks.ts'
import { givenEarningProgram, givenPartnerAccount, givenPartnerInvitation } from './support/partner.ts'
import { NO_PARTNER, PARTNER_PUBLIC_SCREENS, PORTAL_SCREENS, type Screen } from './support/screens.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { type SignedIn, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const program = await givenEarningProgram(service)
await program.owner.call('PATCH', program.api, { applicationsOpen: true, partnersCreateLinks: true })
const partner = await givenPartnerAccount(service, program)
const invitation = await givenPartnerInvitation(program, program.other)
// The other sales are still in their hold period.
await program.owner.call('PUT', `${program.api}/reward`, {
  sale: { percentBps: 2000, duration: 'lifetime' },
  holdDays: 0,
})
await givenSale(program, 2_500)
const payout = await program.pay()

const givenApplicant = async (): Promise<SignedIn> => {
  const user = await givenUser(service)
  expect((await user.call('POST', `/api/portal/programs/${program.id}/apply`)).status).toBe(201)
  return { email: user.email }
}
const applicant = await givenApplicant()
const outsider = { email: (await givenUser(service)).email }
const portal = `/portal/${program.id}`

const names = {
  programId: program.id,
  programName: 'Test',
  lineId: payout.lines[0].id,
  invitationId: invitation.path.split('/').at(-1) ?? '',
  token: `${program.id}_from-a-mail`,
}

/** Every portal screen, and those for users who are not partners yet. */
const SCREENS: { as?: SignedIn; screens: Screen[] }[] = [
  { screens: PARTNER_PUBLIC_SCREENS },
  ...(isLongRun ? [{ as: applicant, screens: [{ route: '/portal/$programId', title: 'Your application' }] }] : []),
  { as: outsider, screens: [NO_PARTNER] },
  { as: partner, screens: PORTAL_SCREENS },
]

describe.each(LOOKS)('%s: a screen shows its skeleton, then an error, then its content', (_, window) => {
  for (const { as, screens } of SCREENS) {
    const tour = givenFailingTour(service, as, window)
    test.each(screens)('$route: $title', (screen) => {
      const look = (page: Page) => expectCleanLayout(page, window, screens.indexOf(screen))
      return expectLoadingErrorFull(tour, screen, { names, look })
    })
  }

  test('the sidebar passes axe too', () =>
    visit(service, portal, (page) => expectAccessible(page, { withSidebar: true }), { as: partner, window }))
})

describe('an empty screen says what will appear', async () => {
  const fresh = await givenPayingProgram(service, {})
  await service.pool.query('DELETE FROM referral_links WHERE program_id = $1', [fresh.id])
  const tour = givenTour(service, '/account', { as: await givenPartnerAccount(service, fresh) })
  test.each(PORTAL_SCREENS.filter(({ empty }) => empty))('$route', (screen) =>
    expectEmpty(tour, screen, { programId: fresh.id }))
})

describe.skipIf(!isLongRun)('dialogs, panels and menus pass axe', () => {
  test.each([
    ['links', 'Create link'],
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

test.skipIf(!isLongRun)('empty screens offer the next step', async () => {
  const fresh = await givenPayingProgram(service, {})
  await fresh.owner.call('PATCH', fresh.api, { partnersCreateLinks: true })
  await service.pool.query('DELETE FROM referral_links WHERE program_id = $1', [fresh.id])
  const act = async (page: Page) => {
    await page.getByText('This program has not set a reward yet.').waitFor()
    await page.getByText('No commissions yet').waitFor()
    await page.getByRole('link', { name: 'Create link' }).click()
    await page.getByText('No links yet').waitFor()
    for (const [screen, text] of [
      ['Sales', 'No sales yet'],
      ['Commissions', 'No commissions yet'],
      ['Payouts', 'No payouts yet'],
    ] as const) {
      await page.getByRole('link', { name: screen, exact: true }).first().click()
      await untilLoaded(page, screen)
      await page.getByText(text).waitFor()
      await expectAccessible(page)
    }
    await page.goto(`${service.url}/portal/${fresh.id}/earnings?state=review`)
    await page.getByText('No commissions found').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('No commissions yet').waitFor()
  }
  await visit(service, `/portal/${fresh.id}`, act, { as: await givenPartnerAccount(service, fresh) })
})

test.skipIf(!isLongRun)(
  'terms without a hold period claim nothing that the balances below them contradict',
  async () => {
    const earning = await givenEarningProgram(service)
    const terms = { sale: { percentBps: 2000, duration: 'lifetime' }, holdDays: 0 }
    await earning.owner.call('PUT', `${earning.api}/reward`, terms)
    const account = await givenPartnerAccount(service, earning)
    const act = async (page: Page) => {
      await page.getByText('There is no hold period for new commissions.').waitFor()
      await page
        .getByRole('term')
        .filter({ hasText: /^Held$/ })
        .waitFor()
      await soon(async () => expect(await page.getByText('payable immediately').count()).toBe(0))
    }
    await visit(service, `/portal/${earning.id}`, act, { as: account })

    const paying = await givenPayingProgram(service, terms)
    const nothingHeld = async (page: Page) => {
      await page
        .getByRole('term')
        .filter({ hasText: /^Payable$/ })
        .waitFor()
      expect(
        await page
          .getByRole('term')
          .filter({ hasText: /^Held$/ })
          .count(),
      ).toBe(0)
    }
    await visit(service, `/portal/${paying.id}`, nothingHeld, { as: await givenPartnerAccount(service, paying) })
  },
)

test('a suspended partner sees a notice on every page and keeps their commissions', async () => {
  const suspended = await givenEarningProgram(service)
  const account = await givenPartnerAccount(service, suspended)
  const { status } = await suspended.owner.call('PATCH', `${suspended.api}/partners/${suspended.link.partnerId}`, {
    status: 'suspended',
  })
  expect(status).toBe(200)
  const act = async (page: Page) => {
    await page.getByText(/Your partnership with .* is suspended/).waitFor()
    await page.getByRole('row', { name: /of \$20\.00/ }).waitFor()
    await expectAccessibleAgain(page)
    const go = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
    await go('Links')
    await page.getByRole('cell', { name: 'Partnership suspended' }).waitFor()
    await page.getByText('New clicks don’t count while your partnership is suspended.').waitFor()
    await page.getByRole('columnheader', { name: 'Commissions before reversals' }).waitFor()
    await soon(async () => expect(await page.getByText('You get credit for the customers they bring').count()).toBe(0))
    await go('Payouts')
    await page.getByText(/^Add your payout details so .* can pay you\./).waitFor()
  }
  await visit(service, `/portal/${suspended.id}/earnings`, act, { as: account })
})
