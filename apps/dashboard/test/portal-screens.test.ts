import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { expectAccessible } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectGoodLooks, LOOKS } from './support/looks.ts'
import { givenEarningProgram, givenPartnerAccount, givenPartnerInvitation } from './support/partner.ts'
import { addressOf, filled, NO_PARTNER, PARTNER_ENTRANCES, PORTAL_SCREENS } from './support/screens.ts'
import type { Account } from './support/service.ts'
import { givenTour, untilShown } from './support/tour.ts'
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
const SCREENS: [title: string, path: string, as?: Account][] = [
  ...PARTNER_ENTRANCES.map((screen): [string, string] => [filled(screen.title, names), addressOf(screen, names)]),
  ['Your application', portal, applicant],
  [NO_PARTNER.title, NO_PARTNER.route, nobody],
  ...PORTAL_SCREENS.map((screen): [string, string, Account] => [screen.title, addressOf(screen, names), partner]),
]

describe.each(LOOKS)('%s', (_, window) => {
  const tourOf = (as?: Account) => givenTour(service, '/sign-in', { window, ...(as && { as }) })
  const tours = new Map([undefined, applicant, nobody, partner].map((as) => [as, tourOf(as)]))
  for (const [title, path, as] of SCREENS)
    test(`${title} (${path.split('/')[1]}) has a title, pleases axe, does not scroll sideways, and logs no error`, async () => {
      const look = async (page: Page) => {
        await untilShown(page, title)
        await expectGoodLooks(page)
      }
      await tours.get(as)?.open({ path, title }, look)
    })
})

describe('dialogs, panels and menus please axe as well', () => {
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

test('what is empty says so, with the next step', async () => {
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
    await expectAccessible(page)
    await page.goto(`${service.url}/portal/${paused.id}/links`)
    await page.getByRole('cell', { name: 'Off: paused' }).waitFor()
    await page.getByRole('columnheader', { name: 'Earned before refunds' }).waitFor()
    expect(await page.getByText('Whoever follows one and buys is credited to you').count()).toBe(0)
    await page.goto(`${service.url}/portal/${paused.id}/payouts`)
    await page.getByText('Add your payout details so the program can pay you.').waitFor()
  }
  await visit(service, `/portal/${paused.id}/earnings`, act, { as: account })
})
