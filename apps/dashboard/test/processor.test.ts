import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenProcessor } from '../../server/test/processor/given-processor.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectGoodLooks, LOOKS } from './support/looks.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { givenProcessorEvents, givenStory } from './support/story.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const story = await givenStory(service)
const { nameless } = await givenProcessorEvents(story)

const tour = givenTour(service, '/account', { as: story.account })
const open = (path: string, title: string, act: (page: Page) => Promise<void>) =>
  tour.open({ path: story.path + path, title }, act)

describe.skipIf(!isLongRun).each(LOOKS)('%s', (_, window) => {
  test('pleases axe and does not scroll sideways, full as it is', () => {
    const look = async (page: Page) => {
      await untilLoaded(page, 'Processor')
      await expectGoodLooks(page, window)
    }
    return visit(service, `${story.path}/processor`, look, { as: story.account, window })
  })
})

describe('the inbox', () => {
  test('opens an event: as it was received, its references, and the way to the explanation of its sale', () =>
    open('/processor?reason=payment_recorded', 'Processor', async (page) => {
      await press(page, 'checkout.session.completed')
      const panel = page.getByRole('dialog')
      await panel.getByText('"checkout.session.completed"').waitFor()
      await expectAccessibleAgain(page)
      await panel.getByRole('link', { name: 'Explain' }).click()
      await page
        .getByText(/was credited to Maya Lindqvist/)
        .first()
        .waitFor()
    }))

  test('leads from a payment that names nobody to the answer why there is no sale', () =>
    open('/processor?reason=no_metadata', 'Processor', async (page) => {
      await press(page, 'checkout.session.completed')
      await page.getByRole('link', { name: nameless.ids.intent }).click()
      await untilLoaded(page, 'Why was this not credited?')
      await page.getByText('No message about this payment says whom it is to be credited for').first().waitFor()
      await page.getByText(/^Set service_click_id, service_customer_key and program_id/).waitFor()
    }))

  test('has every signed event with its fate and the reason as a sentence, filtered in the address', () =>
    open('/processor', 'Processor', async (page) => {
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
  test('shows first what would change, and changes it only when asked again', async () => {
    // A payment that named a program of others; then that program moves into the workspace.
    const late = await givenProcessor(service)
    await story.send((await late.payment()).completed())
    const { workspaceId } = story
    await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', late.id).execute()
    await open('/processor', 'Processor', async (page) => {
      await press(page, 'Replay events')
      await press(page, 'See what would change')
      await page.getByText('1 of 8 events would change.').waitFor()
      await page.getByText('+1 $10.00').waitFor()
      const sale = page.getByRole('table', { name: 'Sales that change' }).getByRole('row').last()
      await sale.getByText('Not there').waitFor()
      await sale.getByText('Paid $10.00').waitFor()
      await expectAccessibleAgain(page)
      expect(await late.sales()).toEqual([])
      await press(page, 'Replay 8 events')
      await page.getByText('1 of 8 events changed.').waitFor()
      expect(await late.sales()).toHaveLength(1)
      await press(page, 'Done')
      await press(page, 'Replay events')
      await press(page, 'See what would change')
      await page.getByText('Nothing would change.').waitFor()
      expect(await page.getByRole('button', { name: /^Replay \d/ }).count()).toBe(0)
    })
  })
})

describe('the connection', () => {
  test('is made in the set-up with a signing secret, rotated, and taken away only after a question', async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await press(page, 'From Stripe')
      await page.getByLabel('Signing secret').fill('not a secret')
      await press(page, 'Store')
      await page.getByText(/begins with whsec_/).waitFor()
      await page.getByLabel('Signing secret').fill('whsec_one')
      await press(page, 'Store')
      await page.getByText('Waiting for the first event with a good signature.').first().waitFor()
      await page.getByRole('link', { name: 'What arrived' }).click()
      await untilLoaded(page, 'Processor')
      await page.getByText(`/api/v1/processor/webhook/${owner.path.split('/').at(-1)}`).waitFor()
      await press(page, 'Rotate the secret')
      await page.getByLabel('New signing secret').fill('whsec_two')
      await press(page, 'Store')
      await page.getByRole('button', { name: 'Rotate the secret' }).waitFor()
      await press(page, 'Disconnect')
      await page.keyboard.press('Escape')
      expect(await page.getByText('Pending').count()).toBe(1)
      await press(page, 'Disconnect')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
      await page.getByText('The processor is disconnected.').waitFor()
    }
    await visit(service, `${owner.path}/set-up`, act, { as: owner.account, expectedErrors: /status of 400/ })
  })

  test('through the platform is offered only where there is one, and the way back says how it went', async () => {
    await open('/set-up?processor=denied', 'Set-up', async (page) => {
      await page.getByText(/nothing was connected/).waitFor()
      await expectAccessibleAgain(page)
      expect(await page.getByRole('button', { name: 'Connect with Stripe' }).count()).toBe(0)
    })
    await open('/set-up?processor=connected', 'Set-up', async (page) => {
      await page.getByText('Your Stripe account is connected.').waitFor()
      await press(page, 'Dismiss')
      await page.waitForURL((url) => !url.searchParams.has('processor'))
    })
  })
})
