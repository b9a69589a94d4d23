import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenBrowser } from '../../../apps/dashboard/test/support/browser.ts'
import { isLongRun, sized } from '../../../apps/server/test/support/size.ts'
import { givenTributary, type OpenShop } from './given-shop.ts'

const browser = await givenBrowser()

const { service, givenShop } = await givenTributary()

/** As a person connects it: the secret into the dashboard, the address into the processor. */
const connect = async ({ processor, program }: OpenShop) => {
  const { secret } = processor.addEndpoint({ url: `${service.url}/api/v1/processor/webhook/${program.id}` })
  const { status } = await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: secret })
  expect(status).toBe(200)
}

/** Asked of the browser and not of the page, whose policy lets nobody evaluate anything in it. */
const untilClickIsKept = async (page: Page) => {
  const isKept = async () => (await page.context().cookies()).some(({ name }) => name === 'service_click_id')
  while (!(await isKept())) await Bun.sleep(20)
}

/** Link, click, sign-up, checkout, in a browser that knows nothing of what is tested. */
const walk = async ({ shop, program }: OpenShop, { plan, pay }: { plan: string; pay: string }) => {
  const page = await (await browser.newContext()).newPage()
  const answered = page.waitForResponse((response) => response.url().includes('/api/v1/track/click') && response.ok())
  await page.goto(`${shop.url}/?aff=${program.link.aff}`)
  await answered
  await untilClickIsKept(page)
  await page.getByRole('link', { name: 'See the plans' }).click()
  await page.getByRole('button', { name: `Choose ${plan}` }).click()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: pay }).click()
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor()
  return page
}

const explain = async ({ shop, program }: OpenShop) => {
  const customer = shop.customers.all()[0]?.id ?? ''
  const { body } = await program.owner.call('GET', `${program.api}/explain?customer_key=${customer}`)
  return body.data
}

const press = async (page: Page, url: string, button: string) => {
  await page.goto(url)
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('status').waitFor()
}

/** The shapes of 2024 are also read in apps/server/test/processor, without a browser. */
const API_VERSIONS = sized<(2024 | 2026)[]>({ short: [2026], long: [2024, 2026] })

test.each(
  API_VERSIONS,
)('a referral through the processor of %p: link, click, sign-up, payment, renewal, refund, and an answer to why', async (apiVersion) => {
  const given = await givenShop({}, { apiVersion })
  await connect(given)
  const page = await walk(given, { plan: 'Team', pay: 'Pay $49.00' })
  await given.processor.settled()
  expect(await given.program.commissions()).toMatchObject([{ kind: 'sale', amountCents: 980, state: 'held' }])

  await press(page, given.processor.url, 'Renew')
  await given.processor.settled()
  const cents = (await given.program.commissions()).map((row: { amountCents: number }) => row.amountCents)
  expect(cents).toEqual([980, 980])

  await press(page, given.processor.url, 'Refund the rest')
  await given.processor.settled()
  const reversed = (await given.program.commissions()).map((row: { reversedCents: number }) => row.reversedCents)
  expect(reversed.toSorted()).toEqual([0, 980])

  expect((await explain(given)).reason).toBe('lead_settled')
  const status = await given.program.owner.call('GET', `/api/tracking/status/${given.program.id}`)
  expect(status.body.data.stepStatuses.payments).toBe('complete')
  // Whatever was told was taken.
  expect(given.processor.deliveries.filter((delivery) => delivery.status !== 200)).toEqual([])
  await page.context().close()
})

/** What the shop says meanwhile is in shop.test.ts, what the service does in apps/server/test/processor. */
test.skipIf(!isLongRun)('a bank debit earns nothing until the bank has paid', async () => {
  const given = await givenShop()
  await connect(given)
  const page = await walk(given, { plan: 'Forever', pay: 'Pay by bank debit (takes a while)' })
  await given.processor.settled()
  expect(await given.program.commissions()).toEqual([])
  await press(page, given.processor.url, 'The bank pays')
  await given.processor.settled()
  expect(await given.program.commissions()).toMatchObject([{ kind: 'sale', amountCents: 4800 }])
  await page.context().close()
})

test('a referral whose sale the shop’s server reports: link, click, sign-up, sale, money back, and an answer to why', async () => {
  const given = await givenShop({ payments: 'server' })
  const page = await walk(given, { plan: 'Solo', pay: 'Pay $9' })
  expect(await given.program.commissions()).toMatchObject([{ kind: 'sale', amountCents: 180, reversedCents: 0 }])
  const { sentences } = await explain(given)
  expect(sentences.join(' ')).toContain('Partner')
  await page.goto(`${given.shop.url}/account`)
  await page.getByRole('button', { name: 'Money back' }).click()
  await page.getByText('Refunded').waitFor()
  expect(await given.program.commissions()).toMatchObject([{ amountCents: 180, reversedCents: 180 }])
  await page.context().close()
})
