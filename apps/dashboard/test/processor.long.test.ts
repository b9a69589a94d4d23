import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenProcessor } from '../../server/test/processor/given-processor.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectCleanLayout, LOOKS } from './support/looks.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { givenProcessorEvents, givenScenario } from './support/scenario.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)
const { unidentified } = await givenProcessorEvents(scenario)

const tour = givenTour(service, '/account', { as: scenario.account })
const open = (path: string, title: string, act: (page: Page) => Promise<void>) =>
  tour.open({ path: scenario.path + path, title }, act)

describe.skipIf(!isLongRun).each(LOOKS)('%s', (_, window) => {
  test.skipIf(!isLongRun)('passes axe and does not scroll sideways with many events', () => {
    const look = async (page: Page) => {
      await untilLoaded(page, 'Events received')
      await expectCleanLayout(page, window)
    }
    return visit(service, `${scenario.path}/settings/events-received`, look, { as: scenario.account, window })
  })
})

describe('the inbox', () => {
  test('opens an event with its raw content, references, and a link to the explanation', () =>
    open('/settings/events-received?reason=payment_recorded', 'Events received', async (page) => {
      await press(page, 'checkout.session.completed')
      const panel = page.getByRole('dialog')
      await panel.getByText('"checkout.session.completed"').waitFor()
      await expectAccessibleAgain(page)
      await panel.getByRole('link', { name: 'Check attribution' }).click()
      await page
        .getByText(/was credited to Maya Lindqvist/)
        .first()
        .waitFor()
    }))

  test.skipIf(!isLongRun)('links a payment without metadata to the explanation', () =>
    open('/settings/events-received?reason=no_metadata', 'Events received', async (page) => {
      await press(page, 'checkout.session.completed')
      await page.getByRole('link', { name: unidentified.ids.intent }).click()
      await untilLoaded(page, 'Check attribution')
      await page.getByText('No event about this payment has a valid program_id in its metadata').first().waitFor()
      await page.getByText(/^Set service_click_id, service_customer_key and program_id/).waitFor()
    }),
  )

  test('lists every signed event with its status and reason, and keeps filters in the URL', () =>
    open('/settings/events-received', 'Events received', async (page) => {
      await page.getByText('7 events').waitFor()
      await page.getByRole('cell', { name: 'The payment is recorded as a sale.' }).waitFor()
      await press(page, 'Waiting')
      await page.waitForURL(/fate=waiting/)
      await page.getByText('1 event').waitFor()
      await press(page, 'All')
      await press(page, 'Filters')
      await page.getByLabel('Reason').selectOption('no_metadata')
      await page.waitForURL(/reason=no_metadata/)
      await page.getByText('1 event').waitFor()
    }))
})

describe('a replay', () => {
  test('is offered only once there are events', async () => {
    const owner = await givenOwner(service)
    const look = async (page: Page) => {
      await page.getByText('No events yet').waitFor()
      expect(await page.getByRole('button', { name: 'Replay events' }).count()).toBe(0)
    }
    await visit(service, `${owner.path}/settings/events-received`, look, { as: owner.account })
  })

  test('previews the changes before applying them', async () => {
    // A payment for another workspace's program, which then moves into this workspace.
    const late = await givenProcessor(service)
    await scenario.send((await late.payment()).completed())
    const { workspaceId } = scenario
    await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', late.id).execute()
    await open('/settings/events-received', 'Events received', async (page) => {
      await press(page, 'Replay events')
      await press(page, 'Preview changes')
      await page.getByText('1 of 8 events would change.').waitFor()
      await page.getByText('+1 $10.00').waitFor()
      const sale = page.getByRole('table', { name: 'Changed sales' }).getByRole('row').last()
      await sale.getByText('No sale').waitFor()
      await sale.getByText('Paid $10.00').waitFor()
      await expectAccessibleAgain(page)
      expect(await late.sales()).toEqual([])
      await press(page, 'Replay 8 events')
      await page.getByText('1 of 8 events changed.').waitFor()
      expect(await late.sales()).toHaveLength(1)
      await press(page, 'Done')
      await press(page, 'Replay events')
      await press(page, 'Preview changes')
      await page.getByText('No changes.').waitFor()
      await soon(async () => expect(await page.getByRole('button', { name: /^Replay \d/ }).count()).toBe(0))
    })
  })
})

describe('the connection', () => {
  test('warns about a local URL', async () => {
    const owner = await givenOwner(service)
    const look = async (page: Page) => {
      await page.getByText('Stripe can’t reach this URL.').waitFor()
      await expectAccessibleAgain(page)
    }
    await visit(service, `${owner.path}/settings/payment-processors`, look, { as: owner.account })
  })

  test('is created in setup with a signing secret, can be rotated, and asks before disconnecting', async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await page.getByRole('button', { name: /Track sales/ }).click()
      await press(page, 'From my payment processor')
      await page.getByLabel('Signing secret').fill('not a secret')
      await press(page, 'Save')
      await page.getByText(/starts with whsec_/).waitFor()
      await page.getByLabel('Signing secret').fill('whsec_one')
      await press(page, 'Save')
      await page.getByText('Waiting for the first signed event.').first().waitFor()
      await page.getByRole('link', { name: 'View connection' }).click()
      await untilLoaded(page, 'Payment processors')
      await page.getByText(`/api/v1/processor/stripe/webhook/${owner.path.split('/').at(-1)}`).waitFor()
      await press(page, 'Rotate secret')
      await page.getByLabel('New signing secret').fill('whsec_two')
      await press(page, 'Save')
      await page.getByRole('button', { name: 'Rotate secret' }).waitFor()
      await press(page, 'Disconnect')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      await page.getByText('Pending').first().waitFor()
      await press(page, 'Disconnect')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
      await page.getByText('Stripe disconnected.').waitFor()
    }
    await visit(service, `${owner.path}/set-up`, act, { as: owner.account, expectedErrors: /status of 400/ })
  })

  test.skipIf(!isLongRun)(
    'is offered through the platform only if there is one, and returning shows the result',
    async () => {
      await open('/set-up?processor=denied', 'Setup', async (page) => {
        await page.getByText(/was not connected/).waitFor()
        await expectAccessibleAgain(page)
        await soon(async () => expect(await page.getByRole('button', { name: 'Connect with Stripe' }).count()).toBe(0))
      })
      await open('/set-up?processor=connected', 'Setup', async (page) => {
        await page.getByText('Your account is connected.').waitFor()
        await press(page, 'Dismiss')
        await page.waitForURL((url) => !url.searchParams.has('processor'))
      })
    },
  )
})
