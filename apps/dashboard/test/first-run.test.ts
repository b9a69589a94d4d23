import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { press } from './support/press.ts'
import { givenFreshService } from './support/service.ts'
import { untilLoaded, visit } from './support/visit.ts'

const service = await givenFreshService()

const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

test('a person who has never seen it goes from an empty instance to a counted click in the browser alone', async () => {
  await visit(service, '/', async (page) => {
    // Nobody has an account: the sign-in leads to the first one.
    await page.getByRole('link', { name: 'Create your first account' }).click()
    await fill(page, 'Your name', 'Ada')
    await fill(page, 'E-mail', 'ada@example.com')
    await fill(page, 'Password', 'a long password')
    await press(page, 'Create account')

    await fill(page, 'Workspace name', 'Acme Inc.')
    await press(page, 'Continue')
    await fill(page, 'Program name', 'Acme partners')
    await page.getByLabel('Currency').selectOption('EUR')
    await press(page, 'Create program')

    await threeSteps(page)
    await partnerAndLink(page)
    await clickShowsUp(page)
  })
})

const threeSteps = async (page: Page) => {
  await untilLoaded(page, 'Set-up')
  await page.getByText('0 of 3 complete').waitFor()
  expect(await page.getByText('data-program-id="1"').first().innerText()).toContain(
    '<script async src="http://localhost:3000/service-tracker.js" data-program-id="1"></script>',
  )
  await press(page, 'Send a test click')
  await page.getByText('Test click received').waitFor()
  await page.getByText('1 of 3 complete').waitFor()
  await press(page, 'Send a test lead')
  await page.getByText('Test lead received').waitFor()
  await press(page, 'From my server')
  await page.getByText('3 of 3 complete').waitFor()
  expect(await page.getByRole('tab', { name: 'Python' }).count()).toBe(2)
}

const partnerAndLink = async (page: Page) => {
  await page.getByRole('link', { name: 'Add a partner' }).click()
  await untilLoaded(page, 'Partners')
  await page.getByText('No partners yet').waitFor()
  await press(page, 'Add partner')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Maya Lindqvist')
  await dialog.getByRole('button', { name: 'Add partner' }).click()
  await page.getByRole('cell', { name: /^Maya Lindqvist/ }).waitFor()

  await page.getByRole('link', { name: 'Links' }).click()
  await untilLoaded(page, 'Links')
  await press(page, 'New link')
  await dialog.getByLabel('Page it leads to').fill('https://shop.example/')
  await dialog.getByLabel('aff value').fill('maya')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('heading', { name: 'Share maya' }).waitFor()
  await dialog.getByLabel('UTM source').fill('newsletter')
  await dialog.getByText('https://shop.example/?aff=maya&utm_source=newsletter').waitFor()
  await dialog.getByRole('img', { name: /QR code/ }).waitFor()
  await page.keyboard.press('Escape')
}

/** The visitor of the link is played by a call; the page is open all the while and nobody reloads it. */
const clickShowsUp = async (page: Page) => {
  await page.getByRole('link', { name: 'Events' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  const answer = await service.call('POST', '/api/v1/track/click', { affiliate_url: 'https://shop.example/?aff=maya' })
  expect(answer.status).toBe(200)
  await page.getByRole('cell', { name: 'Maya Lindqvist' }).waitFor()
  await page
    .getByRole('row', { name: /Maya Lindqvist/ })
    .getByRole('button')
    .click()
  await page.getByRole('dialog').getByText(answer.body.click_id).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Overview' }).click()
  await untilLoaded(page, 'Overview')
  expect(await page.getByRole('tab', { name: /Clicks/ }).innerText()).toContain('1')
}
