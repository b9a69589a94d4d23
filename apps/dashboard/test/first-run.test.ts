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
    await fill(page, 'Website', 'shop.example/pricing')
    await page.getByText('Links can lead only to pages on https://shop.example.').waitFor()
    await page.getByLabel('Currency').selectOption('EUR')
    await fill(page, 'Percentage', '20')
    await press(page, 'Create program')

    await siteAndServer(page)
    await partnerAndLink(page)
    await setUpIsComplete(page)
    await clickShowsUp(page)
  })
})

const siteAndServer = async (page: Page) => {
  await untilLoaded(page, 'Set-up')
  // The website and the reward were asked for with the program.
  await page.getByText('2 of 7 complete').waitFor()
  await page.getByText('Next: Put the script on your website').waitFor()
  expect(await page.getByText('data-program-id="1"').first().innerText()).toContain(
    '<script async src="http://localhost:3000/service-tracker.js" data-program-id="1"></script>',
  )
  await checksCompleteNothing(page)
  await choosingATabSavesNothing(page)

  // What follows comes from the merchant's page and server; the page notices.
  const test_mode = { test_mode: true, program_id: 1 }
  const page_url = 'https://shop.example/pricing'
  await service.call('POST', '/api/v1/track/click', {
    ...{ affiliate_url: `${page_url}?aff=test`, page_url, additional_data: test_mode },
  })
  await page.getByText('Test click received from https://shop.example/pricing').waitFor()
  await page.getByText('3 of 7 complete').waitFor()
  const authorization = `Bearer ${await givenKey(page)}`
  await service.call('POST', '/api/v1/track/lead', { additional_data: test_mode }, { authorization })
  await page.getByText('4 of 7 complete').waitFor()
  await service.call('POST', '/api/v1/track/sale', { additional_data: test_mode }, { authorization })
  await page.getByText('5 of 7 complete').waitFor()
}

/** The dashboard's own buttons say that the service answers, and no more. */
const checksCompleteNothing = async (page: Page) => {
  for (const button of await page.getByRole('button', { name: 'Check the service' }).all()) await button.click()
  await page.getByText('The service answered a check from this dashboard').nth(1).waitFor()
  expect(await page.getByText('It does not complete the step.').count()).toBe(2)
  await page.getByText('2 of 7 complete').waitFor()
}

const modeOfProgram = async (page: Page) =>
  (await (await page.request.get(`${service.url}/api/programs/1`)).json()).data.paymentTrackingMode

const choosingATabSavesNothing = async (page: Page) => {
  await press(page, 'From my server')
  await page.getByText('This program takes payments from Stripe.').waitFor()
  expect(await modeOfProgram(page)).toBe('processor_connect')
  await page.getByText('2 of 7 complete').waitFor()
  await press(page, 'Take payments from your server')
  await page.getByText('Saved. Payments now come from your server.').waitFor()
  await page.getByText('This program takes payments from your server.').waitFor()
  expect(await modeOfProgram(page)).toBe('s2s')
  await page.getByText('2 of 7 complete').waitFor()
  expect(await page.getByRole('tab', { name: 'Python' }).count()).toBe(2)
}

const givenKey = async (page: Page) => {
  const headers = { origin: service.url }
  const answer = await page.request.post(`${service.url}/api/programs/1/api-keys`, { data: {}, headers })
  expect(answer.status()).toBe(201)
  return (await answer.json()).data.key as string
}

const setUpIsComplete = async (page: Page) => {
  await page.getByRole('link', { name: 'Set-up' }).click()
  await page.getByText('7 of 7 complete').waitFor()
  await page.getByText('The set-up is complete.').waitFor()
  // Nothing real has come yet, and the page says so.
  await page.getByText('So far the script, sign-ups and payments steps have received test events only.').waitFor()
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
