import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { UNSUBSCRIBE_LINKS, unsubscribeToken } from '../../server/src/notifications/unsubscribe-links.ts'
import { deriveKey } from '../../server/src/secrets.ts'
import { givenUser } from '../../server/test/support/given.ts'
import { SECRETS, startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { startSmtp } from '../../server/test/support/smtp.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { givenEarningProgram, givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })

const openBell = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).click()

test('a member reads notifications, chooses what to get and previews the emails', async () => {
  const owner = await givenOwner(service)
  const api = `/api${owner.path}`
  await owner.call('PATCH', api, { applicationsOpen: true })
  for (const _ of [1, 2]) {
    const applicant = await givenUser(service)
    expect((await applicant.call('POST', `/api/portal${owner.path}/apply`, {})).status).toBe(201)
  }
  const act = async (page: Page) => {
    await openBell(page, 'Notifications, 2 unread')
    const list = page.getByRole('dialog', { name: 'Notifications' })
    await soon(async () => expect(await list.getByRole('listitem').count()).toBe(2))
    await expectAccessibleAgain(page)
    await list
      .getByRole('link', { name: /applied to become a partner/ })
      .first()
      .click()
    await untilLoaded(page, 'Applications')
    expect(page.url()).toEndWith('/partners/applications')
    await openBell(page, 'Notifications, 1 unread')
    await list.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('button', { name: 'Notifications', exact: true }).filter({ visible: true }).waitFor()
    await list.getByRole('link', { name: 'Notification settings' }).click()

    await untilLoaded(page, 'Notifications')
    const box = page.getByRole('checkbox', { name: 'New application: email' })
    await box.click()
    await page.waitForFunction(() => !document.querySelector<HTMLInputElement>('[aria-label$="tion: email"]')?.checked)
    await page.reload()
    await box.waitFor()
    await soon(async () => expect(await box.isChecked()).toBe(false))

    await page.getByRole('combobox', { name: 'Email' }).selectOption('payout_sent')
    const preview = page.frameLocator('iframe[title="Preview of the email"]')
    await preview.getByRole('heading', { name: /sent you \$125\.00/ }).waitFor()
    await page.getByRole('button', { name: 'Plain text' }).click()
    await page.getByText('Reference: TR-1042').waitFor()
    await page.getByRole('button', { name: 'Send me a sample' }).click()
    await page.getByText(`Sample sent to ${owner.email}.`).waitFor()
    await page.getByRole('button', { name: 'HTML' }).click()
    await expectAccessibleAgain(page)
    await expectNoSidewaysScroll(page)
  }
  await visit(service, owner.path, act, { as: owner.account })
  const samples = smtp.received.filter(({ to, header }) => to === owner.email && header.includes('[Sample]'))
  expect(samples).toHaveLength(1)
})

test.skipIf(!isLongRun)('a partner reads notifications on a phone in the dark and turns the summary off', async () => {
  const program = await givenEarningProgram(service)
  const as = await givenPartnerAccount(service, program)
  await program.owner.call('PUT', `${program.api}/agreement`, { text: 'Be nice' })
  const act = async (page: Page) => {
    await openBell(page, 'Notifications, 1 unread')
    const list = page.getByRole('dialog', { name: 'Notifications' })
    await list.getByRole('link', { name: /The partner agreement changed/ }).waitFor()
    await expectAccessibleAgain(page)
    await list.getByRole('link', { name: 'Notification settings' }).click()
    await untilLoaded(page, 'Notifications')
    expect(await page.getByRole('checkbox', { name: /^Application/ }).count()).toBe(0)
    const summary = page.getByRole('checkbox', { name: 'Summary: app' })
    await summary.click()
    await soon(async () => expect(await summary.isChecked()).toBe(false))
    await page.reload()
    await soon(async () => expect(await summary.isChecked()).toBe(false))
    expect(await page.getByRole('button', { name: 'Off', exact: true }).count()).toBe(0)
    await expectAccessibleAgain(page)
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `/portal/${program.id}`, act, { as, window: { ...PHONE, colorScheme: 'dark' } })
})

test('the link in an email unsubscribes with one button', async () => {
  const owner = await givenOwner(service)
  const { id: userId } = await service.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', owner.email)
    .executeTakeFirstOrThrow()
  const programId = Number(owner.path.split('/').at(-1))
  const key = deriveKey(SECRETS, UNSUBSCRIBE_LINKS)
  const token = unsubscribeToken(key, { programId, userId, kind: 'draft_ready' })
  await visit(service, `/unsubscribe/${token}`, async (page) => {
    await expectAccessibleAgain(page)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByText('You will no longer get emails about payout drafts').waitFor()
  })
  const { data } = (await owner.call('GET', `/api${owner.path}/notifications/preferences`)).body
  expect(data.kinds).toContainEqual({ kind: 'draft_ready', mail: false, app: true })
})
