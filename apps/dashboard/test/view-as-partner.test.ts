import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenEarningProgram } from './support/partner.ts'
import { choose, press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('an owner views the portal as a partner, cannot change anything, and exits', async () => {
  const program = await givenEarningProgram(service)
  await program.owner.call('PATCH', program.api, { partnersCreateLinks: true })
  const path = `/programs/${program.id}/partners/${program.link.partnerId}`
  const act = async (page: Page) => {
    await choose(page, 'Actions for Partner', 'View as partner')
    await untilLoaded(page, 'Hello, Partner')
    await page.getByText('You’re viewing the portal as Partner (read-only).').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
    await push(page, `/portal/${program.id}/links`)
    await untilLoaded(page, 'Links')
    await soon(async () => expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(0))
    await soon(async () => expect(await page.getByRole('searchbox').isEnabled()).toBe(true))
    await push(page, `/portal/${program.id}/payouts`)
    await untilLoaded(page, 'Payouts')
    for (const name of ['Save payout details', 'Save legal details'])
      await soon(async () => expect(await page.getByRole('button', { name }).isDisabled()).toBe(true))
    await press(page, 'Exit')
    await page.waitForURL(`**${path}`)
    await push(page, `/portal/${program.id}`)
    await page.getByText('Page not found').waitFor()
  }
  const as = { email: program.owner.email }
  await visit(service, path, act, { as, window: PHONE })
})
