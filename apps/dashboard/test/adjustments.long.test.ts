import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenLink } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { choose, press } from './support/press.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** A program with the partners Maya, who has a paid sale of $100.00, and Ben, and a sale that no partner is credited for. */
const givenAdjustable = async () => {
  const program = await givenPayingProgram(service, {
    sale: { percentBps: 1_000, duration: 'lifetime' },
    holdDays: 0,
  })
  const ben = await givenLink(service, program.id)
  for (const [id, name] of [
    [program.link.partnerId, 'Maya'],
    [ben.partnerId, 'Ben'],
  ] as const)
    await service.db.updateTable('partners').set({ name }).where('id', '=', id).execute()
  const sold = await givenSale(program, 10_000)
  const payout = await program.pay()
  await program.decide(payout.id, payout.lines[0].id, { status: 'paid' })
  const unknown = await program.sale({ customer_key: 'stranger', amount: 5_000, invoice_id: 'in-unknown' })
  const account = { email: program.owner.email }
  return { ...program, ben, sold, unknownId: unknown.body.sale_id as number, path: `/programs/${program.id}`, account }
}

const choosePartner = async (page: Page, name: string) => {
  await press(page, /^Partner:/)
  await page.getByPlaceholder('Search partners').fill(name)
  await page.getByRole('option', { name }).click()
}

test('a bonus, a credited sale and a moved sale say what happens, and can be undone from the list', async () => {
  const { path, link, sold, unknownId, account } = await givenAdjustable()
  const act = async (page: Page) => {
    await choose(page, 'Actions for Maya', 'Add bonus')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The partner sees this reason.').waitFor()
    await dialog.getByLabel('Amount').fill('50')
    await dialog.getByText('Maya gets $50.00, payable immediately.').waitFor()
    await dialog.getByLabel('Reason').fill('Best partner of May')
    await expectAccessibleAgain(page)
    await dialog.getByRole('button', { name: 'Add bonus' }).click()
    await page.getByText('$50.00 added for Maya.').waitFor()
    await page.getByText('Bonus').first().waitFor()

    await push(page, `${path}/sales/${unknownId}`)
    await untilLoaded(page, 'Sale in-unknown')
    await press(page, 'Credit to a partner')
    await choosePartner(page, 'Ben')
    await dialog.getByText('Ben gets $5.00, payable immediately.').waitFor()
    await dialog.getByLabel('Reason').fill('Ben sent the order by mail')
    await dialog.getByRole('button', { name: 'Credit sale' }).click()
    await page
      .getByText(/Sam Reed credited the sale manually: “Ben sent the order by mail”\./)
      .first()
      .waitFor()
    await page.getByText('Credited manually', { exact: true }).waitFor()

    await push(page, `${path}/sales/${sold.sale_id}`)
    await untilLoaded(page, `Sale ${sold.invoice_id}`)
    await press(page, 'Move to another partner')
    await dialog.getByText('Only this sale moves. The customer’s later sales stay with Maya.').waitFor()
    await press(page, /^Partner:/)
    await page.getByRole('option', { name: 'Ben' }).waitFor()
    expect(await page.getByRole('option', { name: 'Maya' }).count()).toBe(0)
    await page.getByRole('option', { name: 'Ben' }).click()
    // The bonus covers the debt, so nothing is deducted from a later payout.
    await dialog.getByText('Maya loses $10.00.').waitFor()
    await dialog.getByText('Both partners see this reason.').waitFor()
    await expectAccessibleAgain(page)
    await dialog.getByLabel('Reason').fill('The customer used Ben’s code')
    await dialog.getByRole('button', { name: 'Move sale' }).click()
    await page
      .getByText(/was moved from Maya to Ben by Sam Reed: “The customer used Ben’s code”\. Only this sale was moved\.$/)
      .waitFor()
    await page.getByRole('heading', { name: 'How it was attributed before the move' }).waitFor()
    await page.getByText('Won before the move').waitFor()
    await page.locator('dt').getByText('Moved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo move' }).waitFor()
    await expectAccessibleAgain(page)

    await push(page, `${path}/sales`)
    await untilLoaded(page, 'Sales')
    await page
      .getByRole('row', { name: /in-unknown/ })
      .getByText('Credited manually')
      .waitFor()
    await page
      .getByRole('row', { name: new RegExp(sold.invoice_id) })
      .getByText('Moved', { exact: true })
      .waitFor()

    await push(page, `${path}/commissions`)
    await untilLoaded(page, 'Commissions')
    await page.getByText('Sale moved to another partner: The customer used Ben’s code').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or run a command…').fill('bonus')
    await page.getByRole('option', { name: 'Adjustments' }).waitFor()
    await page.getByRole('option', { name: 'Add bonus' }).click()
    await dialog.getByRole('button', { name: 'Partner: Choose a partner' }).waitFor()
    await expectAccessibleAgain(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await untilLoaded(page, 'Adjustments')
    await expectAccessibleAgain(page)
    await page
      .getByRole('button', { name: /^Actions for adjustment/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Undo move' }).click()
    await dialog.getByText('The sale goes back to Maya, and Ben loses its commission.').waitFor()
    await dialog.getByText('Both partners see this reason.').waitFor()
    await dialog.getByLabel('Reason').fill('It was Maya’s code after all')
    await dialog.getByRole('button', { name: 'Undo move' }).click()
    await page.getByText('Undone by Sam Reed: It was Maya’s code after all').first().waitFor()
  }
  await visit(service, `${path}/partners/${link.partnerId}`, act, { as: account })
})

test.skipIf(!isLongRun)('the partner sees the reason of a bonus on a phone', async () => {
  const { id, owner, api, link, ...program } = await givenAdjustable()
  const partner = await givenPartnerAccount(service, { ...program, id, owner, api, link })
  const bonus = { type: 'bonus', partnerId: link.partnerId, amountCents: 5_000, reason: 'Best partner of May' }
  await owner.call('POST', `${api}/adjustments`, bonus)
  const look = async (page: Page) => {
    await page.getByText('Bonus: Best partner of May').filter({ visible: true }).first().waitFor()
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `/portal/${id}/earnings`, look, { as: partner, window: PHONE })
})
