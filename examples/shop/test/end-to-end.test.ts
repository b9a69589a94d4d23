import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenBrowser } from '../../../apps/dashboard/test/support/browser.ts'
import { isLongRun, sized } from '../../../apps/server/test/support/size.ts'
import { givenTributary, type TestShop } from './given-shop.ts'

const browser = await givenBrowser()

const { service, givenShop } = await givenTributary()

/** Adds the webhook endpoint to the processor and its secret to the program. */
const connect = async ({ processor, program }: TestShop) => {
  const { secret } = processor.addEndpoint({ url: `${service.url}/api/v1/processor/webhook/${program.id}` })
  const { status } = await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: secret })
  expect(status).toBe(200)
}

/** Reads cookies from the browser context, because the page's CSP blocks evaluation. */
const waitForClickCookie = async (page: Page) => {
  const isStored = async () => (await page.context().cookies()).some(({ name }) => name === 'service_click_id')
  while (!(await isStored())) await Bun.sleep(20)
}

/** Follows a link, signs up and pays in a real browser. */
const buy = async ({ shop, program }: TestShop, { plan, pay }: { plan: string; pay: string }) => {
  const page = await (await browser.newContext()).newPage()
  const response = page.waitForResponse((each) => each.url().includes('/api/v1/track/click') && each.ok())
  await page.goto(`${shop.url}/?aff=${program.link.aff}`)
  await response
  await waitForClickCookie(page)
  await page.getByRole('link', { name: 'See plans' }).click()
  await page.getByRole('button', { name: `Choose ${plan}` }).click()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: pay }).click()
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor()
  return page
}

const explain = async ({ shop, program }: TestShop) => {
  const customer = shop.customers.all()[0]?.id ?? ''
  const { body } = await program.owner.call('GET', `${program.api}/explain?customer_key=${customer}`)
  return body.data
}

const press = async (page: Page, url: string, button: string) => {
  await page.goto(url)
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('status').waitFor()
}

/** apps/server/test/processor also covers the 2024 API, without a browser. */
const API_VERSIONS = sized<(2024 | 2026)[]>({ short: [2026], long: [2024, 2026] })

test.each(
  API_VERSIONS,
)('a referral through the %p processor API: click, lead, payment, renewal, refund and explanation', async (apiVersion) => {
  const given = await givenShop({}, { apiVersion })
  await connect(given)
  const page = await buy(given, { plan: 'Team', pay: 'Pay $49.00' })
  await given.processor.settled()
  expect(await given.program.commissions()).toMatchObject([{ kind: 'sale', amountCents: 980, state: 'held' }])

  await press(page, given.processor.url, 'Renew')
  await given.processor.settled()
  const cents = (await given.program.commissions()).map((row: { amountCents: number }) => row.amountCents)
  expect(cents).toEqual([980, 980])

  await press(page, given.processor.url, 'Refund remaining')
  await given.processor.settled()
  const reversed = (await given.program.commissions()).map((row: { reversedCents: number }) => row.reversedCents)
  expect(reversed.toSorted()).toEqual([0, 980])

  expect((await explain(given)).reason).toBe('lead_settled')
  const status = await given.program.owner.call('GET', `/api/tracking/status/${given.program.id}`)
  expect(status.body.data.stepStatuses.payments).toBe('complete')
  expect(given.processor.deliveries.filter((delivery) => delivery.status !== 200)).toEqual([])
  await page.context().close()
})

/** shop.test.ts covers the shop, and apps/server/test/processor the service. */
test.skipIf(!isLongRun)('a bank debit earns nothing until the bank confirms it', async () => {
  const given = await givenShop()
  await connect(given)
  const page = await buy(given, { plan: 'Forever', pay: 'Pay by bank debit (settles later)' })
  await given.processor.settled()
  expect(await given.program.commissions()).toEqual([])
  await press(page, given.processor.url, 'Confirm payment')
  await given.processor.settled()
  expect(await given.program.commissions()).toMatchObject([{ kind: 'sale', amountCents: 4800 }])
  await page.context().close()
})

test.skipIf(!isLongRun)('a referral with server-side tracking: click, lead, sale, refund and explanation', async () => {
  const given = await givenShop({ payments: 'server' })
  const page = await buy(given, { plan: 'Solo', pay: 'Pay $9' })
  expect(await given.program.commissions()).toMatchObject([{ kind: 'sale', amountCents: 180, reversedCents: 0 }])
  const { sentences } = await explain(given)
  expect(sentences.join(' ')).toContain('Partner')
  await page.goto(`${given.shop.url}/account`)
  await page.getByRole('button', { name: 'Request refund' }).click()
  await page.getByText('Refunded').waitFor()
  expect(await given.program.commissions()).toMatchObject([{ amountCents: 180, reversedCents: 180 }])
  await page.context().close()
})
