import { expect, test } from 'bun:test'
import { verifyWebhook } from '@tributary/sdk'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/lifecycle/given-service.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenReceiver, LOCAL } from '../../server/test/webhooks/given-webhooks.ts'
import { expectAccessible, expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService(LOCAL)

type Receiver = ReturnType<typeof givenReceiver>
const lastOf = ({ received }: Receiver) => {
  const last = received.at(-1)
  if (!last) throw new Error('nothing was received')
  return last
}
const isSignedWith = (receiver: Receiver, secret: string) => {
  const { text, headers } = lastOf(receiver)
  // The service signs with its own clock, which tests may move.
  return verifyWebhook(text, headers, secret, { toleranceMs: 365 * 86_400_000 }).type
}

const choose = async (page: Page, url: string, item: string) => {
  await press(page, `Actions for ${url}`)
  await page.getByRole('menuitem', { name: item }).click()
}

/** Adds an endpoint with the form and returns the secret, which is shown once. */
const addEndpoint = async (page: Page, url: string) => {
  await press(page, 'Add endpoint')
  await page.getByLabel('URL').fill(url)
  await page.getByText('Requests to http are not encrypted').waitFor()
  await page.getByLabel('Description').fill('Credits bonuses')
  await press(page, 'Choose events')
  await page.getByLabel('All events about partners').check()
  await page.getByLabel('partner.rejected').uncheck()
  await expectAccessibleAgain(page)
  await press(page, 'Add endpoint')
  const secret = await page.getByTestId('secret').innerText()
  expect(secret).toMatch(/^whsec_/)
  await press(page, 'Done')
  await page.getByRole('cell', { name: 'partner.applied, partner.approved and 2 more' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  return secret
}

const sendTest = async (page: Page, url: string, response: string) => {
  await choose(page, url, 'Send test event')
  await press(page, 'Send test event')
  await page.getByRole('dialog').getByText(response).waitFor()
  await page.keyboard.press('Escape')
}

test('an endpoint is added, tested, rotated, disabled and deleted', async () => {
  const owner = await givenOwner(service)
  const receiver = givenReceiver(() => ({ body: 'thank you' }))
  const { url } = receiver
  const act = async (page: Page) => {
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
    const secret = await addEndpoint(page, url)
    await sendTest(page, url, 'thank you')
    expect(isSignedWith(receiver, secret)).toBe('test.ping')

    await choose(page, url, 'Rotate secret')
    await press(page, 'Rotate secret')
    await page.getByText('signed with both the previous and the new secret until').waitFor()
    const rotated = await page.getByTestId('secret').innerText()
    await press(page, 'Done')
    await sendTest(page, url, 'thank you')
    for (const each of [secret, rotated]) expect(isSignedWith(receiver, each)).toBe('test.ping')

    await choose(page, url, 'Rotate secret')
    await page.getByText(/^A rotation is running: the previous secret works until/).waitFor()
    await page.keyboard.press('Escape')

    await choose(page, url, 'Edit')
    await page.getByLabel('Description').fill('Tells the warehouse')
    await press(page, 'Save')
    await page.getByRole('cell', { name: /Tells the warehouse$/ }).waitFor()
    await choose(page, url, 'Disable')
    await press(page, 'Disable endpoint')
    await page.getByRole('cell', { name: /^Disabled/ }).waitFor()
    await press(page, `Actions for ${url}`)
    await page.getByRole('menuitem', { name: 'Send test event (endpoint is disabled)', disabled: true }).waitFor()
    await page.keyboard.press('Escape')
    await choose(page, url, 'Delete')
    await press(page, 'Delete endpoint')
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
    await page
      .getByRole('cell', { name: /^test\.ping/ })
      .first()
      .waitFor()
  }
  await visit(service, `${owner.path}/settings/webhooks`, act, { as: owner.account })
  receiver.stop()
})

/** Two deliveries that were given up. Retries would take days, so the test ends them. */
const givenFailedDeliveries = async () => {
  const owner = await givenOwner(service)
  let isDown = true
  const receiver = givenReceiver(() => (isDown ? { status: 500, body: 'database is down' } : { body: 'thank you' }))
  const endpoints = `/api${owner.path}/webhook-endpoints`
  const endpoint = await owner.create(endpoints, { url: receiver.url, events: ['payout.paid'] })
  for (const _ of [1, 2]) await owner.create(`${endpoints}/${endpoint.id}/test`, {})
  const failed = { state: 'failed', nextAttemptAt: null, lease: null } as const
  const ofProgram = service.db.updateTable('webhookDeliveries').where('programId', '=', programOf(owner))
  await until(async () => {
    await ofProgram.set(failed).where('lastStatus', '=', 500).where('lease', 'is', null).execute()
    const { body } = await owner.call('GET', `/api${owner.path}/webhook-deliveries?state=failed`)
    return body.data.length === 2
  })
  const recover = () => {
    isDown = false
  }
  return { owner, receiver, recover }
}

const programOf = ({ path }: { path: string }) => Number(path.split('/').at(-1))

test.skipIf(!isLongRun)('a failed delivery shows its attempts and is resent, alone or with all others', async () => {
  const { owner, receiver, recover } = await givenFailedDeliveries()
  const act = async (page: Page) => {
    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    await expectAccessibleAgain(page)
    await page
      .getByRole('button', { name: /^test\.ping/ })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await drawer.getByText('database is down').waitFor()
    await drawer.getByText('webhook-signature: v1,').waitFor()
    await drawer.getByText('"type": "test.ping"').waitFor()
    await expectAccessible(page)
    recover()
    await press(page, 'Resend')
    await drawer.getByText('Delivered', { exact: true }).first().waitFor()
    const again = receiver.ids().at(-1) ?? ''
    expect(receiver.ids().filter((id) => id === again).length).toBeGreaterThan(1)

    await page.goto(`${service.url}${owner.path}/settings/webhooks`)
    await press(page, 'Resend failed deliveries')
    await press(page, 'Resend')
    await page.getByText('1 delivery will be resent.').waitFor()
    await until(async () => (await page.getByRole('cell', { name: 'Delivered', exact: true }).count()) === 2)
  }
  await visit(service, `${owner.path}/settings/webhooks`, act, { as: owner.account })
  receiver.stop()
})

test.skipIf(!isLongRun)('the command palette opens the form, and a private address is explained', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Webhooks')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or run a command…').fill('webhook endpoint')
    await page.getByRole('option', { name: 'Add webhook endpoint' }).click()
    await page.getByLabel('URL').fill('http://169.254.169.254/latest')
    await press(page, 'Add endpoint')
    await page.getByText(/^Must be a public address/).waitFor()
    await page.keyboard.press('Escape')
    await expectNoSidewaysScroll(page)
    await page.getByRole('tab', { name: 'PHP' }).click()
    await page.getByText('function verify_webhook(').waitFor()
  }
  await visit(service, `${owner.path}/settings/webhooks`, act, {
    as: owner.account,
    window: PHONE,
    expectedErrors: /status of 400/,
  })
})
