import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { press } from './support/press.ts'
import { givenFreshService } from './support/service.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

const service = await givenFreshService()

const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

test('a new user gets from an empty instance to a counted click in the browser alone', async () => {
  await visit(service, '/', async (page) => {
    // No accounts exist, so the service opens the page that creates the first one.
    await fill(page, 'Name', 'Ada')
    await fill(page, 'Email', 'ada@example.com')
    await fill(page, 'Password', 'a long password')
    await press(page, 'Create account')

    await fill(page, 'Workspace name', 'Acme Inc.')
    await fill(page, 'Program name', 'Acme partners')
    await fill(page, 'Website', 'shop.example/pricing')
    await page.getByText('Links can only point to pages on https://shop.example.').waitFor()
    await page.getByLabel('Currency').selectOption('EUR')
    await fill(page, 'Percentage', '20')
    await press(page, 'Create program')

    await untilLoaded(page, 'Setup')
    await page.getByText('1 of 5 complete').waitFor()
    await partnerAndLink(page)
    await siteAndServer(page)
    await setUpIsComplete(page)
    await clickShowsUp(page)
  })
})

const siteAndServer = async (page: Page) => {
  await page.getByText('2 of 5 complete').waitFor()
  expect(await page.getByText('data-program-id="1"').first().innerText()).toContain(
    '<script async src="http://localhost:3000/service-tracker.js" data-program-id="1"></script>',
  )
  await checksCompleteNothing(page)
  await choosingATabSavesNothing(page)

  // The merchant's page and server send the rest; the page updates itself.
  const test_mode = { test_mode: true, program_id: 1 }
  const page_url = 'https://shop.example/pricing'
  await service.call('POST', '/api/v1/track/click', {
    affiliate_url: `${page_url}?aff=test`,
    page_url,
    additional_data: test_mode,
  })
  await page.getByText('Test click received from https://shop.example/pricing').first().waitFor()
  await page.getByText('3 of 5 complete').waitFor()
  const authorization = `Bearer ${await givenKey(page)}`
  await service.call('POST', '/api/v1/track/lead', { additional_data: test_mode }, { authorization })
  await page.getByText('4 of 5 complete').waitFor()
  await service.call('POST', '/api/v1/track/sale', { additional_data: test_mode }, { authorization })
  await page.getByText('5 of 5 complete').waitFor()
}

/** The dashboard's own check only shows that the service responds. */
const checksCompleteNothing = async (page: Page) => {
  for (const title of ['Track leads', 'Install the script']) {
    await openStep(page, title)
    await page.getByText('Not receiving events?').filter({ visible: true }).click()
    await page.getByRole('button', { name: 'Check service' }).filter({ visible: true }).click()
    await page.getByText('Service check succeeded').filter({ visible: true }).waitFor()
    await page.getByText('It doesn’t complete the step.').filter({ visible: true }).waitFor()
  }
  await page.getByText('2 of 5 complete').waitFor()
}

const openStep = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`: ${title}`) }).click()

const savedMode = async (page: Page) =>
  (await (await page.request.get(`${service.url}/api/programs/1`)).json()).data.paymentTrackingMode

const choosingATabSavesNothing = async (page: Page) => {
  await openStep(page, 'Track sales')
  await press(page, 'From my server')
  await page.getByText('This program expects sales from your payment processor.').waitFor()
  expect(await savedMode(page)).toBe('processor_connect')
  await page.getByText('2 of 5 complete').waitFor()
  await press(page, 'Use sales from your server')
  await page.getByText('Saved. This program now expects sales from your server.').waitFor()
  await page.getByText('This program expects sales from your server.').waitFor()
  expect(await savedMode(page)).toBe('s2s')
  await page.getByText('2 of 5 complete').waitFor()
  await page.getByRole('tab', { name: 'Python' }).filter({ visible: true }).waitFor()
}

const givenKey = async (page: Page) => {
  const headers = { origin: service.url }
  const response = await page.request.post(`${service.url}/api/programs/1/api-keys`, { data: {}, headers })
  expect(response.status()).toBe(201)
  return (await response.json()).data.key as string
}

const setUpIsComplete = async (page: Page) => {
  await page.getByText('Everything works on this computer.').waitFor()
  // Only test events have arrived, and the page says so.
  await page.getByText('Only test events so far for: script, leads and sales.').waitFor()
}

const partnerAndLink = async (page: Page) => {
  await press(page, 'Add partner')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Maya Lindqvist')
  await dialog.getByRole('button', { name: 'Add partner' }).click()
  await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Links' }).click()
  await untilLoaded(page, 'Links')
  await press(page, 'Create link')
  await dialog.getByLabel('Destination page').fill('https://shop.example/')
  await dialog.getByLabel('Link code').fill('maya')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('heading', { name: 'Share this link' }).waitFor()
  await dialog.getByLabel('UTM source').fill('newsletter')
  await dialog.getByText('https://shop.example/?aff=maya&utm_source=newsletter').waitFor()
  await dialog.getByRole('img', { name: /QR code/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Setup' }).click()
  await untilLoaded(page, 'Setup')
}

/** An API call replaces the visitor; the open page updates without a reload. */
const clickShowsUp = async (page: Page) => {
  await page.getByRole('link', { name: 'Sales' }).click()
  await page.getByRole('link', { name: 'Events' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  const response = await service.call('POST', '/api/v1/track/click', {
    affiliate_url: 'https://shop.example/?aff=maya',
  })
  expect(response.status).toBe(200)
  await page.getByRole('cell', { name: 'Maya Lindqvist' }).waitFor()
  await page
    .getByRole('row', { name: /Maya Lindqvist/ })
    .getByRole('button')
    .click()
  await page.getByRole('dialog').getByText(response.body.click_id).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Overview' }).click()
  await untilLoaded(page, 'Overview')
  await soon(async () => expect(await page.getByRole('tab', { name: /Clicks/ }).innerText()).toContain('1'))
}
