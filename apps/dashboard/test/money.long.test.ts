import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { holdPayoutDestination } from '../../server/src/partners/destination-holds.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessible } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenEarned, givenPayPal } from './support/earning.ts'
import { go, row } from './support/money.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('after a refund, marking as paid books the exported amount with its reference and date', async () => {
  const { owner, partnerId, sales, refund } = await givenEarned(service, 20_000)
  await givenPayPal(service, owner, partnerId)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  const day = payout.createdAt.slice(0, 10)
  const exported = async (page: Page) => {
    await press(page, 'Export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'All payments (CSV)' }).click(),
    ])
    return Bun.file(await file.path()).text()
  }
  const act = async (page: Page) => {
    expect(await exported(page)).toContain(',20.00,USD,')
    await refund({ invoice_id: sales[0]?.invoice_id, amount: 5_000 })
    await page.reload()
    await press(page, 'Mark all as paid')
    await page.getByText('This marks the exported amounts as paid').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await press(page, /^Mark as paid: Maya/)
    await page.getByText('highest exported amount').waitFor()
    await page.getByLabel('Reference').fill('PAYID-7')
    await page.getByLabel('Paid on').fill(day)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Mark $20.00 as paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('PAYID-7').waitFor()
    expect(await exported(page)).toContain(`,paid,${day},PAYID-7,`)
    await go(page, 'Payouts')
    await row(page, 'Maya Lindqvist').getByText('-$5.00').waitFor()
  }
  await visit(service, `${owner.path}/payouts/${payout.id}`, act, { as: owner.account })
})

test('a partner with held payout details is marked and included in a payout only if selected', async () => {
  const { owner, partnerId } = await givenEarned(service, 20_000)
  await givenPayPal(service, owner, partnerId)
  const programId = Number(owner.path.split('/').at(-1))
  const at = service.clock.now()
  await inTransaction(service.db, (tx) => holdPayoutDestination(tx, { programId, partnerId, at }))
  const act = async (page: Page) => {
    await press(page, 'Create payout')
    const question = page.getByRole('alertdialog')
    await question.getByText('Select at least one partner.').waitFor()
    await question.getByText(/^Payout details changed on .*, so payouts are paused until/).waitFor()
    await soon(async () =>
      expect(await question.getByRole('button', { name: 'Create payout' }).isDisabled()).toBe(true),
    )
    await question.getByRole('checkbox', { name: /Maya Lindqvist/ }).check()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Create payout of $20.00' }).click()
    await row(page, 'Maya Lindqvist')
      .getByText(/^Payout details changed on .*, so payouts are paused until/)
      .waitFor()
  }
  await visit(service, `${owner.path}/payouts`, act, { as: owner.account })
})

test('after a refund the user picks the amount sent, and a debt shows as a negative balance', async () => {
  const { owner, sales, refund } = await givenEarned(service, 20_000)
  const payout = await owner.create(`/api${owner.path}/payouts`, {})
  await refund({ invoice_id: sales[0]?.invoice_id, amount: 5_000 })
  const act = async (page: Page) => {
    await row(page, 'Maya Lindqvist').getByText('$20.00 before reversals').waitFor()
    await press(page, /^Mark as paid: Maya/)
    await page.getByLabel(/^\$20.00/).check()
    await page.getByRole('button', { name: 'Mark $20.00 as paid' }).click()
    await go(page, 'Payouts')
    await row(page, 'Maya Lindqvist').getByText('Negative balance').waitFor()
    await row(page, 'Maya Lindqvist').getByText('-$5.00').waitFor()
  }
  await visit(service, `${owner.path}/payouts/${payout.id}`, act, { as: owner.account })
})

test('money screens fit a phone and have empty states', async () => {
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

  const { owner: earning } = await givenEarned(service, 10_000)
  const payout = await earning.create(`/api${earning.path}/payouts`, {})
  const look = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
  await visit(service, `${earning.path}/payouts/${payout.id}`, look, { as: earning.account, window: PHONE })
})
