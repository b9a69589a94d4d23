import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { DAY_MS } from '../../server/test/support/service.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague, givenEarned, givenPayPal, givenSelling } from './support/earning.ts'
import { go, row } from './support/money.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('from a reward to a paid commission, in the browser alone', async () => {
  const owner = await givenOwner(service)
  const { sell } = await givenSelling(service, owner)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await press(page, 'Percentage')
    await page.getByLabel('Percentage').fill('20')
    await page.getByLabel('Hold period (days)').fill('14')
    await page.getByLabel('Customer pays per month').fill('10')
    await page.getByTestId('preview-total').getByText('$48.00').waitFor()
    await press(page, 'Save reward terms')
    await page.getByText('Reward terms saved: 20% of every sale.').waitFor()
    await page.getByRole('table', { name: 'Reward history' }).getByText('20% of every sale').waitFor()

    await sell(5_000)
    await go(page, 'Commissions')
    await row(page, 'Maya Lindqvist').getByText('Held').waitFor()
    await row(page, 'Maya Lindqvist')
      .getByText(/^until /)
      .waitFor()
    await go(page, 'Payouts')
    await page.getByText('Nothing is ready to pay').waitFor()
    await page.getByText(/^\$10\.00 becomes payable on \w+ \d+$/).waitFor()
    await soon(async () => expect(await page.getByRole('button', { name: 'Create payout' }).count()).toBe(0))

    service.clock.advance(15 * DAY_MS)
    await page.reload()
    await row(page, 'Maya Lindqvist').getByText('Needs payout details').waitFor()
    await page.getByText('1 partner ($10.00) has no payout details.').waitFor()
    await press(page, 'Create payout')
    const question = page.getByRole('alertdialog')
    await question.getByText('Select at least one partner.').waitFor()
    await question.getByRole('checkbox', { name: /Maya Lindqvist/ }).check()
    await question.getByRole('heading', { name: 'Create payout of $10.00?' }).waitFor()
    await expectAccessibleAgain(page)
    await question.getByRole('button', { name: 'Create payout of $10.00' }).click()

    await page.getByRole('heading', { level: 1, name: /^Payout \d+$/ }).waitFor()
    await row(page, 'Maya Lindqvist').getByText('Open').waitFor()
    const failed = page.locator('dl > div').filter({ hasText: 'Failed' })
    await soon(async () => expect(await failed.innerText()).toMatch(/^Failed\s+\$0\.00\s+0 payments$/))
    await expectAccessibleAgain(page)
    await press(page, /^Mark as paid: Maya/)
    await question.getByRole('button', { name: 'Mark $10.00 as paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
    await go(page, 'Commissions')
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
  }
  await visit(service, `${owner.path}/settings/rewards`, act, { as: owner.account })
})

test('a failed line returns to the balance; an export downloads, or says why it can’t', async () => {
  const { owner, partnerId } = await givenEarned(service, 20_000)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  const act = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await row(page, 'Maya Lindqvist').getByText('Needs payout details').waitFor()
    await press(page, 'Export')
    await page.getByRole('menuitem', { name: 'PayPal file (USD)' }).click()
    await page
      .getByText('No line of this payout can be paid by PayPal right now. Needs details: Maya Lindqvist.')
      .waitFor()
    await givenPayPal(service, owner, partnerId)
    await press(page, 'Export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PayPal file (USD)' }).click(),
    ])
    expect(await Bun.file(await file.path()).text()).toStartWith('maya@example.com,20.00,USD,')

    await press(page, 'Actions for Maya Lindqvist, USD')
    await page.getByRole('menuitem', { name: 'Mark as failed' }).click()
    await page.getByRole('button', { name: 'Mark $20.00 as failed' }).click()
    await row(page, 'Maya Lindqvist').getByText('Failed').waitFor()
    await go(page, 'Payouts')
    await row(page, 'Maya Lindqvist').getByText('Ready').waitFor()
    await page.getByRole('button', { name: 'Payouts', exact: true }).click()
    await page.waitForURL(/view=payouts/)
    await row(page, `Payout ${payout.id}`).getByText('Done').waitFor()
  }
  await visit(service, `${owner.path}/payouts/${payout.id}`, act, {
    as: owner.account,
    expectedErrors: /status of 409/,
  })
})

test('a review decision shows the amount and needs a reason', async () => {
  const { owner, partnerId, sell } = await givenEarned(service)
  await owner.call('PATCH', `/api${owner.path}/partners/${partnerId}`, { email: 'maya@example.com' })
  await sell(30_000, { email: 'maya@example.com' })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    const item = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
    await item('Commissions, 1 to review').waitFor()
    await press(page, 'Review commissions')
    await page.waitForURL(/state=review/)
    await page.locator('main [aria-busy]').waitFor({ state: 'detached' })
    await expectAccessibleAgain(page)
    await press(page, /^Actions for commission/)
    await page.getByRole('menuitem', { name: 'Reject' }).click()
    await page.getByRole('heading', { name: 'Reject $30.00 for Maya Lindqvist?' }).waitFor()
    await page.keyboard.press('Escape')
    await press(page, /^Actions for commission/)
    await page.getByRole('menuitem', { name: 'Approve' }).click()
    await page.getByLabel('Reason').fill('She is her own best customer.')
    await page.getByRole('button', { name: 'Approve $30.00' }).click()
    await page.getByText('No commissions found').waitFor()
    await item('Commissions').waitFor()
  }
  await visit(service, `${owner.path}/commissions`, act, { as: owner.account })
})

test.skipIf(!isLongRun)('the menu counts commissions in review up to 100', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
  const { owner, api, link } = program
  await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { email: 'me@example.com' })
  const click_id = await givenClick(service, link)
  await program.lead({ click_id, customer_key: 'self', email: 'me@example.com' })
  for (let sales = 0; sales <= 100; sales += 1)
    await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: `in-${sales}` })
  const act = (page: Page) => page.getByRole('link', { name: 'Commissions, 100+ to review' }).waitFor()
  await visit(service, `/programs/${program.id}`, act, { as: { email: owner.email } })
})

test.skipIf(!isLongRun)('a viewer sees money but no actions', async () => {
  const { owner, partnerId } = await givenEarned(service, 10_000)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  const viewer = await givenColleague(service, owner, 'viewer')
  const expectNoActions = async (page: Page) =>
    expect(
      await page.getByRole('button', { name: /Create payout|Mark|Approve|Reject|terms|Invite|Save/ }).count(),
    ).toBe(0)
  const act = async (page: Page) => {
    await row(page, 'Maya Lindqvist').getByText('$10.00').waitFor()
    await expectNoActions(page)
    for (const [path, title] of [
      [`payouts/${payout.id}`, `Payout ${payout.id}`],
      [`partners/${partnerId}`, 'Maya Lindqvist'],
      ['settings/rewards', 'Rewards'],
      ['settings/team', 'Team'],
    ] as const) {
      await push(page, `${owner.path}/${path}`)
      await untilLoaded(page, title)
      await expectNoActions(page)
    }
    await soon(async () => expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0))
  }
  await visit(service, `${owner.path}/payouts`, act, { as: viewer })
})

test.skipIf(!isLongRun)('the billing role pays partners without seeing tracking data', async () => {
  const { owner, partnerId } = await givenEarned(service, 10_000)
  await givenPayPal(service, owner, partnerId)
  const billing = await givenColleague(service, owner, 'billing')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    await row(page, 'Maya Lindqvist').getByText('Payable').waitFor()
    await row(page, 'Maya Lindqvist')
      .getByRole('button', { name: /^Actions for/ })
      .click()
    expect((await page.getByRole('menuitem').allTextContents()).map((text) => text.trim())).toEqual(['Void commission'])
    await page.keyboard.press('Escape')
    await go(page, 'Payouts')
    await soon(async () => expect(await page.getByRole('link', { name: 'Maya Lindqvist' }).count()).toBe(0))
    await press(page, 'Create payout')
    await page.getByRole('button', { name: 'Create payout of $10.00' }).click()
    await press(page, 'Mark all as paid')
    await page.getByRole('button', { name: 'Mark $10.00 as paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
    await push(page, `${owner.path}/settings/exports`)
    await page.getByRole('link', { name: 'Download ledger.csv' }).waitFor()
    await soon(async () => expect(await page.getByRole('link', { name: 'Download events.csv' }).count()).toBe(0))
  }
  await visit(service, owner.path, act, { as: billing })
})

test.skipIf(!isLongRun)('a partner can get custom terms, lose them again, and be invited to the portal', async () => {
  const { owner, partnerId } = await givenEarned(service, 10_000)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Maya Lindqvist')
    await press(page, 'Set custom terms')
    await page.getByLabel('Percentage').fill('30')
    await page.getByTestId('preview-total').getByText('$360.00').waitFor()
    await press(page, 'Save custom terms')
    await page.getByText('Custom terms', { exact: true }).waitFor()
    await page.getByText('30% of every sale', { exact: true }).waitFor()
    await press(page, 'Remove custom terms')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove custom terms' }).click()
    await page.getByText('10% of every sale', { exact: true }).waitFor()
    await press(page, 'Invite to portal')
    await page.getByLabel('Email').fill('maya@example.com')
    await press(page, 'Create invitation')
    await soon(async () =>
      expect(await page.getByTestId('invitation').innerText()).toStartWith('http://localhost:3000/'),
    )
  }
  await visit(service, `${owner.path}/partners/${partnerId}`, act, { as: owner.account })
})
