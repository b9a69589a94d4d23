import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** The user returns to the tab. */
const refocusTab = (page: Page) => page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
const nameField = (page: Page) => page.getByLabel('Name', { exact: true })

test.skipIf(!isLongRun)(
  'an untouched form shows another member’s changes, and a touched one does not undo them',
  async () => {
    const owner = await givenOwner(service)
    const api = `/api${owner.path}`
    const act = async (page: Page) => {
      await untilLoaded(page, 'Details')
      await owner.call('PATCH', api, { name: 'By a colleague', partnersCreateLinks: true })
      await refocusTab(page)
      await page.waitForFunction(() => document.querySelector('input')?.value === 'By a colleague')

      await page.getByLabel('Time zone').selectOption('Europe/Lisbon')
      await owner.call('PATCH', api, { name: 'Once more', applicationsOpen: true, attributionModel: 'first_click' })
      await press(page, 'Save settings')
      await page.getByText('Settings saved.').waitFor()
      expect((await owner.call('GET', api)).body.data).toMatchObject({
        name: 'Once more',
        timezone: 'Europe/Lisbon',
        applicationsOpen: true,
        partnersCreateLinks: true,
        attributionModel: 'first_click',
      })
      await page.waitForFunction(() => document.querySelector('input')?.value === 'Once more')
    }
    await visit(service, `${owner.path}/settings/details`, act, { as: owner.account })
  },
)

test.skipIf(!isLongRun)('saving reward terms keeps another member’s changes to other fields', async () => {
  const owner = await givenOwner(service)
  const terms = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 10, minimumPayoutCents: 1000 }
  const put = (body: object) => owner.call('PUT', `/api${owner.path}/reward`, body)
  await put(terms)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await page.getByLabel('Hold').fill('20')
    await put({ ...terms, sale: { percentBps: 3000, duration: 'lifetime' } })
    await refocusTab(page)
    await page.getByText('Current: 30%').waitFor()
    await press(page, 'Save reward terms')
    await page.getByText(/Reward terms saved/).waitFor()
    const { body } = await owner.call('GET', `/api${owner.path}/reward`)
    expect(body.data).toMatchObject({ sale: { percentBps: 3000 }, holdDays: 20 })
  }
  await visit(service, `${owner.path}/settings/rewards`, act, { as: owner.account })
})

test('leaving unsaved settings needs confirmation', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Details')
    await nameField(page).fill('Renamed')
    const teamTab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' })
    await teamTab.click()
    const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    await soon(async () => expect(await nameField(page).inputValue()).toBe('Renamed'))
    await teamTab.click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await untilLoaded(page, 'Team')

    await page.goBack()
    await untilLoaded(page, 'Details')
    await nameField(page).fill('Renamed')
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
    await teamTab.click()
    await untilLoaded(page, 'Team')
  }
  await visit(service, `${owner.path}/settings/details`, act, { as: owner.account })
})

test.skipIf(!isLongRun)('a rejected save shows its error next to the button or at the field', async () => {
  const owner = await givenOwner(service)
  const reject = (page: Page, error: object) =>
    page.route(`**/api${owner.path}`, (route) => route.fulfill({ status: 400, json: { error } }))
  const act = async (page: Page) => {
    await page.setViewportSize({ width: 1280, height: 500 })
    await untilLoaded(page, 'Details')
    await nameField(page).fill('Renamed')
    await reject(page, { code: 'invalid_request', message: 'not today.' })
    await press(page, 'Save settings')
    const alert = page.getByRole('alert').getByText('Not today.')
    await alert.waitFor()
    const untilVisible = (text: string) =>
      page.waitForFunction((text) => {
        const alert = [...document.querySelectorAll('[role=alert]')].find((one) => one.textContent?.includes(text))
        const box = alert?.getBoundingClientRect()
        return box && box.top >= 0 && box.bottom <= innerHeight
      }, text)
    await untilVisible('Not today.')
    await reject(page, { code: 'invalid_request', message: 'name must be another.', field: 'name' })
    await press(page, 'Save settings')
    await untilVisible('Must be another.')
    expect(await nameField(page).evaluate((field) => field === document.activeElement)).toBe(true)
  }
  await visit(service, `${owner.path}/settings/details`, act, { as: owner.account, expectedErrors: /400/ })
})
