import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { recordDispute } from '../../server/test/support/record-dispute.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
/** A figure by its label. */
const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })

/** One partner with $12 in dispute, $30 in an open payout, a $5 payout that failed and was paid later, one emptied by a $7 refund, and €9 payable. */
const givenAllStates = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const { id: programId, pay, decide } = program
  const account = await givenPartnerAccount(service, program)
  await service.db.updateTable('partners').set({ name: 'Maya' }).where('id', '=', program.link.partnerId).execute()
  await givenSale(program, 5_000)
  const failed = await pay()
  await decide(failed.id, failed.lines[0].id, { status: 'failed' })
  const paid = await pay()
  await decide(paid.id, paid.lines[0].id, { status: 'paid' })
  const refunded = await givenSale(program, 7_000)
  const emptied = await pay()
  expect((await program.refund({ invoice_id: refunded.invoice_id })).status).toBe(200)
  const { invoice_id: invoiceId } = await givenSale(program, 12_000)
  await recordDispute(
    { db: service.db, clock: service.clock.now },
    { programId, invoiceId, disputeId: 'd', status: 'open' },
  )
  await givenSale(program, 30_000)
  const open = await pay()
  await givenSale(program, 9_000, { currency: 'EUR' })
  return { ...program, account, failed, paid, emptied, open, refunded }
}
const scenario = await givenAllStates()
const { account, failed, paid, emptied, open, refunded, id } = scenario
const owner = { email: scenario.owner.email }

test('each portal tile links to its commissions, and failed payouts differ from emptied ones', async () => {
  const act = async (page: Page) => {
    await figure(page, 'In dispute').getByText('$12.00').waitFor()
    // The program has no hold period, and nothing is held.
    expect(await figure(page, 'Held').count()).toBe(0)
    await page
      .getByRole('tab', { name: /^Commissions/ })
      .getByText('and €9.00, before reversals')
      .waitFor()
    await figure(page, 'Payable').getByText('$0.00').waitFor()
    await figure(page, 'In payout').getByText('$30.00').waitFor()
    await expectAccessibleAgain(page)
    await page.getByRole('link', { name: 'In payout' }).click()
    await untilLoaded(page, 'Commissions')
    await row(page, /\$30\.00/)
      .getByText('In a payout that the program has not sent yet.')
      .waitFor()
    await page.getByText('1 commission').waitFor()
    await press(page, 'Payable')
    await row(page, /€9\.00/)
      .getByText('Add payout details to be paid.')
      .waitFor()
    await page.getByText('1 commission').waitFor()
    await press(page, 'In dispute')
    await row(page, /\$12\.00/)
      .getByText(/^The sale is in dispute\. The customer disputed the payment/)
      .waitFor()
    await row(page, /\$12\.00/)
      .getByText('In dispute', { exact: true })
      .waitFor()
    await press(page, 'Held')
    await page.getByText('No commissions found').waitFor()

    await push(page, `/portal/${id}/payouts`)
    await untilLoaded(page, 'Payouts')
    const payoutRow = (number: number) => row(page, new RegExp(`Payout ${number}\\b`))
    await payoutRow(failed.id).getByText('$5.00').waitFor()
    await payoutRow(failed.id)
      .getByText(/^Failed on/)
      .waitFor()
    await payoutRow(paid.id)
      .getByText(/^Paid on/)
      .waitFor()
    await payoutRow(emptied.id).getByText('Nothing to pay').waitFor()
    await payoutRow(emptied.id)
      .getByText(/without a payment because all its commissions were reversed or disputed\./)
      .waitFor()
    await payoutRow(open.id).getByText('The program is preparing this payout.').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `/portal/${id}`, act, { as: account })
})

test('the merchant sees the same dispute under the same name, and each net commission', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await page.getByRole('columnheader', { name: 'In dispute' }).waitFor()
    const disputed = page.getByRole('row', { name: /Maya/ }).getByText('$12.00')
    await soon(async () => expect(await disputed.count()).toBe(1))
    await push(page, `/programs/${id}/commissions`)
    await untilLoaded(page, 'Commissions')
    await page
      .getByRole('button', { name: /^In dispute/ })
      .getByText('$12.00')
      .waitFor()
    // The refunded sale: the reversed part, not the rest.
    await page
      .getByRole('button', { name: /^Reversed/ })
      .getByText('$7.00')
      .waitFor()
    await row(page, /\$12\.00/)
      .getByText('In dispute', { exact: true })
      .waitFor()
    await push(page, `/programs/${id}/sales`)
    await untilLoaded(page, 'Sales')
    const whole = row(page, new RegExp(refunded.invoice_id))
    await whole.getByText('$0.00').waitFor()
    await whole.getByText('Earned $7.00, reversed $7.00').waitFor()
    await whole.getByText('refunded in full').waitFor()
    await push(page, `/programs/${id}`)
    await untilLoaded(page, 'Overview')
    await page
      .getByRole('tab', { name: /^Commissions/ })
      .getByText(/before reversals$/)
      .waitFor()
    await push(page, `/programs/${id}/payouts/${emptied.id}`)
    await untilLoaded(page, `Payout ${emptied.id}`)
    await row(page, /Maya/).getByText('Nothing to pay').waitFor()
    await row(page, /Maya/).getByText('$7.00 before reversals').waitFor()
    await push(page, `/programs/${id}/payouts/${failed.id}`)
    await untilLoaded(page, `Payout ${failed.id}`)
    await row(page, /Maya/).getByText('$5.00').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `/programs/${id}/payouts`, act, { as: owner })
})

test('all screens fit a phone', async () => {
  const look = async (page: Page, paths: string[]) => {
    for (const path of paths) {
      await page.goto(service.url + path)
      await page.locator('h1').first().waitFor()
      await page.waitForFunction(() => document.querySelector('main [role=status]') === null)
      await expectNoSidewaysScroll(page)
    }
  }
  const portal = [`/portal/${id}/earnings`, `/portal/${id}/payouts`]
  await visit(service, `/portal/${id}`, (page) => look(page, portal), { as: account, window: PHONE })
  const program = `/programs/${id}`
  const pages = ['/sales', '/commissions', '/payouts', `/payouts/${emptied.id}`, `/partners/${scenario.link.partnerId}`]
  await visit(
    service,
    program,
    (page) =>
      look(
        page,
        pages.map((path) => program + path),
      ),
    { as: owner, window: PHONE },
  )
})
