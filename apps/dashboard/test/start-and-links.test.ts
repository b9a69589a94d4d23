import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser, givenWorkspace, unique } from '../../server/test/support/given.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('an interrupted first run continues, without a workspace or without a program', async () => {
  const user = await givenUser(service)
  const account = { email: user.email }
  const act = async (page: Page) => {
    await untilLoaded(page, 'Create a program')
    await page.reload()
    await page.getByLabel('Workspace name').waitFor()
    await givenWorkspace(user)
    for (const path of ['/', '/welcome']) {
      await page.goto(service.url + path)
      await untilLoaded(page, 'Create a program')
      await page.getByLabel('Program name').waitFor()
      expect(await page.getByLabel('Workspace name').count()).toBe(0)
    }
  }
  await visit(service, '/', act, { as: account })
})

test.skipIf(!isLongRun)('the link form validates link code and page before sending', async () => {
  const owner = await givenOwner(service)
  let sent = 0
  const act = async (page: Page) => {
    await untilLoaded(page, 'Links')
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/links')) sent++
    })
    await press(page, 'Create link')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2–128 letters, digits, hyphens or underscores.').waitFor()
    await dialog.getByText('A page on https://shop.example. Leave empty for the home page.').waitFor()
    const submit = dialog.getByRole('button', { name: 'Create link' })
    await dialog.getByLabel('Link code').fill('maya & co')
    await submit.click()
    await dialog.getByRole('alert').getByText('Use 2–128 letters, digits, hyphens or underscores.').waitFor()
    await dialog.getByLabel('Link code').fill(unique('maya'))
    await dialog.getByLabel('Destination page').fill('https://elsewhere.example/pricing')
    await submit.click()
    await dialog.getByRole('alert').getByText('This page is not on https://shop.example.').waitFor()
    expect(sent).toBe(0)
    await dialog.getByLabel('Destination page').fill('https://shop.example/pricing')
    await submit.click()
    await page.getByRole('heading', { name: 'Share this link' }).waitFor()
  }
  await visit(service, `${owner.path}/links`, act, { as: owner.account })
})
