import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { holdPayoutDestination } from '../../server/src/partners/destination-holds.ts'
import { givenPayoutDetails } from '../../server/test/support/money.ts'
import { DAY_MS, startTestService } from '../../server/test/support/service.ts'
import { expectAccessible } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague, givenSelling } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const go = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  await untilLoaded(page, name)
}

/** An owner whose partner has earned 10 % of each of these sales, payable at once. */
const givenEarned = async (...amounts: number[]) => {
  const owner = await givenOwner(service)
  expect((await owner.call('PUT', `/api${owner.path}/reward`, REWARD)).status).toBe(200)
  const selling = await givenSelling(service, owner)
  const sales: { invoice_id: string }[] = []
  for (const amount of amounts) sales.push(await selling.sell(amount))
  return { owner, ...selling, sales }
}

const givenPayPal = ({ path }: { path: string }, partnerId: number) =>
  givenPayoutDetails(service, {
    programId: Number(path.split('/').at(-1)),
    ...{ partnerId, method: 'paypal', account: 'maya@example.com' },
  })

test('from a reward to a paid commission, in the browser alone', async () => {
  const owner = await givenOwner(service)
  const { sell } = await givenSelling(service, owner)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await press(page, 'A share')
    await page.getByLabel('Share, in percent').fill('20')
    await page.getByLabel('Hold, in days').fill('14')
    await page.getByLabel('A customer pays, each month').fill('10')
    await page.getByTestId('preview-total').getByText('$48.00').waitFor()
    await press(page, 'Save terms')
    await page.getByText('From now on: 20% of every sale.').waitFor()
    await page.getByRole('table', { name: 'History of the terms' }).getByText('20% of every sale').waitFor()

    await sell(5_000)
    await go(page, 'Commissions')
    await row(page, 'Maya Lindqvist').getByText('Held').waitFor()
    await row(page, 'Maya Lindqvist')
      .getByText(/^until /)
      .waitFor()
    await go(page, 'Payouts')
    await page.getByText('Nothing is payable now').waitFor()
    expect(await page.getByRole('button', { name: 'Create payout' }).isDisabled()).toBe(true)

    service.clock.advance(15 * DAY_MS)
    await page.reload()
    await row(page, 'Maya Lindqvist').getByText('Needs details').waitFor()
    await page.getByText('· 1 needs payout details').waitFor()
    await press(page, 'Create payout')
    const question = page.getByRole('alertdialog')
    await question.getByRole('heading', { name: 'Create a payout of $10.00?' }).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Create payout of $10.00' }).click()

    await page.getByRole('heading', { level: 1, name: /^Payout \d+$/ }).waitFor()
    await row(page, 'Maya Lindqvist').getByText('Open').waitFor()
    const failed = page.locator('dl > div').filter({ hasText: 'Failed' })
    expect(await failed.innerText()).toMatch(/^Failed\s+–\s+0 lines$/)
    await expectAccessible(page)
    await press(page, /^Mark paid: Maya/)
    await question.getByRole('button', { name: 'Mark $10.00 paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
    await go(page, 'Commissions')
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
  }
  await visit(service, `${owner.path}/settings/rewards`, act, { as: owner.account })
})

test('a line that failed goes back to the balance; a file is saved, or refused in words', async () => {
  const { owner, partnerId } = await givenEarned(20_000)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  const act = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await row(page, 'Maya Lindqvist').getByText('Needs details').waitFor()
    await press(page, 'Export')
    await page.getByRole('menuitem', { name: 'PayPal file, USD' }).click()
    await page.getByText('No line of this payout can be paid by PayPal now. Needs details: Maya Lindqvist.').waitFor()
    await givenPayPal(owner, partnerId)
    await press(page, 'Export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PayPal file, USD' }).click(),
    ])
    expect(await Bun.file(await file.path()).text()).toStartWith('maya@example.com,20.00,USD,')

    await press(page, 'Actions for Maya Lindqvist, USD')
    await page.getByRole('menuitem', { name: 'Mark failed' }).click()
    await page.getByRole('button', { name: 'Mark $20.00 failed' }).click()
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

test('a refund after an export: paid books the exported sum, with its reference and day', async () => {
  const { owner, partnerId, sales, refund } = await givenEarned(20_000)
  await givenPayPal(owner, partnerId)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  const day = payout.createdAt.slice(0, 10)
  const exported = async (page: Page) => {
    await press(page, 'Export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'All lines, CSV' }).click(),
    ])
    return Bun.file(await file.path()).text()
  }
  const act = async (page: Page) => {
    expect(await exported(page)).toContain(',20.00,USD,')
    await refund({ invoice_id: sales[0]?.invoice_id, amount: 5_000 })
    await page.reload()
    await press(page, 'Mark all paid')
    await page.getByText('The exported amounts are booked').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await press(page, /^Mark paid: Maya/)
    await page.getByText('the highest exported amount').waitFor()
    await page.getByLabel('Reference').fill('PAYID-7')
    await page.getByLabel('Paid on').fill(day)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Mark $20.00 paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('PAYID-7').waitFor()
    expect(await exported(page)).toContain(`,paid,${day},PAYID-7,`)
    await go(page, 'Payouts')
    await row(page, 'Maya Lindqvist').getByText('-$5.00').waitFor()
  }
  await visit(service, `${owner.path}/payouts/${payout.id}`, act, { as: owner.account })
})

test('a partner whose destination is held is shown so, and can be left out of a payout', async () => {
  const { owner, partnerId } = await givenEarned(20_000)
  const programId = Number(owner.path.split('/').at(-1))
  const at = service.clock.now()
  await inTransaction(service.db, (tx) => holdPayoutDestination(tx, { programId, partnerId, at }))
  const act = async (page: Page) => {
    await press(page, 'Create payout')
    const question = page.getByRole('alertdialog')
    await question.getByRole('heading', { name: 'Create a payout of $20.00?' }).waitFor()
    await question.getByText(/^Destination changed on .*, held until/).waitFor()
    await question.getByRole('checkbox', { name: /Maya Lindqvist/ }).uncheck()
    expect(await question.getByRole('button', { name: 'Create payout' }).isDisabled()).toBe(true)
    await question.getByRole('checkbox', { name: /Maya Lindqvist/ }).check()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Create payout of $20.00' }).click()
    await row(page, 'Maya Lindqvist').getByText('Needs details').waitFor()
    await row(page, 'Maya Lindqvist')
      .getByText(/^Destination changed on .*, held until/)
      .waitFor()
  }
  await visit(service, `${owner.path}/payouts`, act, { as: owner.account })
})

test('after a refund the person says which sum had left, and a debt is shown as one', async () => {
  const { owner, sales, refund } = await givenEarned(20_000)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  await refund({ invoice_id: sales[0]?.invoice_id, amount: 5_000 })
  const act = async (page: Page) => {
    await row(page, 'Maya Lindqvist').getByText('$20.00 before refunds').waitFor()
    await press(page, /^Mark paid: Maya/)
    await page.getByLabel(/^\$20.00/).check()
    await page.getByRole('button', { name: 'Mark $20.00 paid' }).click()
    await go(page, 'Payouts')
    await row(page, 'Maya Lindqvist').getByText('Debt').waitFor()
    await row(page, 'Maya Lindqvist').getByText('-$5.00').waitFor()
  }
  await visit(service, `${owner.path}/payouts/${payout.id}`, act, { as: owner.account })
})

test('a commission in review is decided with the sum in sight and a reason', async () => {
  const { owner, partnerId, sell } = await givenEarned()
  await owner.call('PATCH', `/api${owner.path}/partners/${partnerId}`, { email: 'maya@example.com' })
  await sell(30_000, { email: 'maya@example.com' })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    await press(page, 'Open the queue')
    await page.waitForURL(/state=review/)
    await page.locator('main [aria-busy]').waitFor({ state: 'detached' })
    await expectAccessible(page)
    await press(page, /^Actions for commission/)
    await page.getByRole('menuitem', { name: 'Reject' }).click()
    await page.getByRole('heading', { name: 'Reject $30.00 for Maya Lindqvist?' }).waitFor()
    await page.keyboard.press('Escape')
    await press(page, /^Actions for commission/)
    await page.getByRole('menuitem', { name: 'Approve' }).click()
    await page.getByLabel('Reason').fill('She is her own best customer.')
    await page.getByRole('button', { name: 'Approve $30.00' }).click()
    await page.getByText('No commission found').waitFor()
  }
  await visit(service, `${owner.path}/commissions`, act, { as: owner.account })
})

test('a viewer sees the money and no way to move it', async () => {
  const { owner, partnerId } = await givenEarned(10_000)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  const viewer = await givenColleague(service, owner, 'viewer')
  const nothingToPress = async (page: Page) =>
    expect(
      await page.getByRole('button', { name: /Create payout|Mark|Approve|Reject|terms|Invite|Save/ }).count(),
    ).toBe(0)
  const act = async (page: Page) => {
    await row(page, 'Maya Lindqvist').getByText('$10.00').waitFor()
    await nothingToPress(page)
    for (const path of [`payouts/${payout.id}`, `partners/${partnerId}`, 'settings/rewards', 'settings/team']) {
      await page.goto(`${service.url}${owner.path}/${path}`)
      await page
        .getByText(/Maya|Preview|Members/)
        .first()
        .waitFor()
      await nothingToPress(page)
    }
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  }
  await visit(service, `${owner.path}/payouts`, act, { as: viewer })
})

test('billing pays by name without seeing who was tracked', async () => {
  const { owner, partnerId } = await givenEarned(10_000)
  await givenPayPal(owner, partnerId)
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
    expect(await page.getByRole('link', { name: 'Maya Lindqvist' }).count()).toBe(0)
    await press(page, 'Create payout')
    await page.getByRole('button', { name: 'Create payout of $10.00' }).click()
    await press(page, 'Mark all paid')
    await page.getByRole('button', { name: 'Mark $10.00 paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
    await page.goto(`${service.url}${owner.path}/settings/exports`)
    await page.getByRole('link', { name: 'Download ledger.csv' }).waitFor()
    expect(await page.getByRole('link', { name: 'Download events.csv' }).count()).toBe(0)
  }
  await visit(service, owner.path, act, { as: billing })
})

test('a partner has terms of their own until they are ended, and a link to the portal', async () => {
  const { owner, partnerId } = await givenEarned(10_000)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Maya Lindqvist')
    await press(page, 'Set custom terms')
    await page.getByLabel('Share, in percent').fill('30')
    await page.getByTestId('preview-total').getByText('$360.00').waitFor()
    await press(page, 'Save terms')
    await page.getByText('Custom terms', { exact: true }).waitFor()
    await page.getByText('30% of every sale', { exact: true }).waitFor()
    await press(page, 'End custom terms')
    await page.getByRole('alertdialog').getByRole('button', { name: 'End custom terms' }).click()
    await page.getByText('10% of every sale', { exact: true }).waitFor()
    await press(page, 'Invite to the portal')
    await page.getByLabel('E-mail').fill('maya@example.com')
    await press(page, 'Create invitation')
    expect(await page.getByTestId('invitation').innerText()).toStartWith('http://localhost:3000/')
  }
  await visit(service, `${owner.path}/partners/${partnerId}`, act, { as: owner.account })
})

test('money fits a phone, and says where there is none yet', async () => {
  const owner = await givenOwner(service)
  const empty = async (page: Page) => {
    await page.getByText('No commissions yet').waitFor()
    await page.goto(`${service.url}${owner.path}/payouts`)
    await page.getByText('No balances yet').waitFor()
    await page.goto(`${service.url}${owner.path}/payouts?view=payouts`)
    await page.getByText('No payouts yet').waitFor()
    await page.goto(`${service.url}${owner.path}/payouts/999999`)
    await page.getByText('This payout does not exist').waitFor()
  }
  const path = `${owner.path}/commissions`
  await visit(service, path, empty, { as: owner.account, expectedErrors: /status of 404/ })

  const { owner: earning } = await givenEarned(10_000)
  const payout = await earning.create(`/api${earning.path}/payouts`, {})
  const look = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
  await visit(service, `${earning.path}/payouts/${payout.id}`, look, { as: earning.account, window: PHONE })
})
