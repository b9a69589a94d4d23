import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick, givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
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

/** A partner named Maya with $10.00 in an open payout and $20.00 payable. */
const givenMaya = async () => {
  const program = await givenPayingProgram(service, REWARD)
  await service.db.updateTable('partners').set({ name: 'Maya' }).where('id', '=', program.link.partnerId).execute()
  const inPayout = await givenSale(program, 10_000)
  const payout = await program.pay()
  const sold = await givenSale(program, 20_000)
  const account = { email: program.owner.email }
  return { ...program, path: `/programs/${program.id}`, inPayout, payout, sold, account }
}

test('suspending explains the consequences, every screen shows why money is excluded, and it can be undone', async () => {
  const { path, payout, account, link, sale, sold } = await givenMaya()
  const act = async (page: Page) => {
    await press(page, 'Actions for Maya')
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Their links still open your site, but new clicks are no longer tracked.').waitFor()
    await dialog.getByText('They are excluded from payouts and payment files.').waitFor()
    await expectAccessibleAgain(page)
    await dialog.getByRole('button', { name: 'Suspend partner' }).click()
    await page.getByText('Their links no longer track clicks.').waitFor()
    await page.getByRole('button', { name: 'Reinstate' }).waitFor()
    await press(page, 'Actions for Maya')
    await page.getByRole('menuitem', { name: 'Edit partner' }).click()
    await page.getByRole('dialog').getByLabel('Link code').waitFor()
    await page.keyboard.press('Escape')
    await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0))
    await expectAccessibleAgain(page)

    await sale({ customer_key: sold.customer_key, amount: 5_000, invoice_id: 'in-suspended' })
    await push(page, `${path}/commissions?state=review`)
    await untilLoaded(page, 'Commissions')
    await page.getByText('the partner is suspended').filter({ visible: true }).waitFor()
    const file = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    expect(file).toEndWith('/commissions?state=review&format=csv')
    await press(page, /^Held/)
    await page.getByRole('cell', { name: 'Held while the partner is suspended' }).waitFor()
    await push(page, `${path}/payouts/${payout.id}`)
    await untilLoaded(page, `Payout ${payout.id}`)
    await page.getByRole('cell', { name: 'Partner suspended' }).waitFor()
    await expectAccessibleAgain(page)
    await push(page, `${path}/payouts`)
    await untilLoaded(page, 'Payouts')
    await page.getByRole('cell', { name: 'Partner suspended' }).waitFor()
    await push(page, `${path}/links`)
    await untilLoaded(page, 'Links')
    await page.getByRole('cell', { name: 'Partner suspended' }).waitFor()
    await press(page, 'Active')
    await page.getByText('No links found').waitFor()
    await press(page, 'Partner inactive')
    await page.getByRole('cell', { name: 'Partner suspended' }).waitFor()
    await push(page, `${path}/partners`)
    await untilLoaded(page, 'Partners')
    await page.getByRole('cell', { name: 'Suspended' }).waitFor()
    await press(page, 'Actions for Maya')
    await page.getByRole('menuitem', { name: 'Reinstate' }).click()
    await press(page, 'Reinstate partner')
    await page.getByRole('cell', { name: 'Approved' }).waitFor()
  }
  await visit(service, `${path}/partners/${link.partnerId}`, act, { as: account })
})

test.skipIf(!isLongRun)('only roles that manage payouts can reinstate a suspended partner', async () => {
  const { path, owner, api, link, account, workspaceId } = await givenMaya()
  await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'suspended' })
  const member = await givenUser(service)
  await givenRole(service, workspaceId, member, 'member')
  const open = async (page: Page) => {
    await page.getByText('until an owner or admin reinstates them').waitFor()
    await press(page, 'Actions for Maya')
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
  }
  const look = async (page: Page) => {
    await open(page)
    await soon(async () => expect(await page.getByText('Reinstate', { exact: true }).count()).toBe(0))
  }
  await visit(service, `${path}/partners/${link.partnerId}`, look, { as: { ...account, email: member.email } })
  const act = async (page: Page) => {
    await press(page, 'Reinstate')
    await press(page, 'Reinstate partner')
    await page.getByText('Maya was reinstated.').waitFor()
  }
  await visit(service, `${path}/partners/${link.partnerId}`, act, { as: account })
})

test.skipIf(!isLongRun)(
  'a pending partner’s link counts clicks, and says that commissions are held until approval',
  async () => {
    const { path, owner, api, link, account } = await givenMaya()
    await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'pending' })
    await givenClick(service, link)
    const held = 'Commissions held until the partner is approved'
    const act = async (page: Page) => {
      await untilLoaded(page, 'Links')
      await page.getByRole('cell', { name: held }).waitFor()
      await press(page, 'Active')
      await page.waitForURL(/status=active/)
      await page.getByRole('cell', { name: held }).waitFor()
      await expectAccessibleAgain(page)
      await push(page, `${path}/partners/${link.partnerId}`)
      await page.getByRole('listitem').filter({ hasText: link.aff }).getByText('Commissions held').waitFor()
      await press(page, 'Approve')
      await press(page, 'Approve partner')
      await page.getByRole('listitem').filter({ hasText: link.aff }).getByText('Active').waitFor()
      await push(page, `${path}/links`)
      await page.getByRole('cell', { name: 'Active', exact: true }).waitFor()
    }
    await visit(service, `${path}/links`, act, { as: account })
  },
)

test.skipIf(!isLongRun)('a pending partner’s commissions are held until approval', async () => {
  const { path, owner, api, link, account } = await givenMaya()
  await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'pending' })
  const act = async (page: Page) => {
    await page.getByText('Commissions become payable once you approve this partner').waitFor()
    await page.getByText('until the partner is approved').first().waitFor()
    await page.getByRole('button', { name: 'Reject' }).waitFor()
    await press(page, 'Approve')
    await press(page, 'Approve partner')
    await page.getByText('Commissions become payable once you approve this partner').waitFor({ state: 'detached' })
    await page.getByText('until the partner is approved').first().waitFor({ state: 'detached' })
  }
  await visit(service, `${path}/partners/${link.partnerId}`, act, { as: account })
})

test('a commission is voided with a reason, from the list and from the sale, and the partner sees it', async () => {
  const { path, id, sold, inPayout, account, ...program } = await givenMaya()
  const partner = await givenPartnerAccount(service, { ...program, id })
  const voidCommission = async (page: Page, reason: string) => {
    await page.getByText('The partner sees this reason.').waitFor()
    await expectAccessibleAgain(page)
    await page.getByLabel('Reason').fill(reason)
    await page.getByRole('button', { name: 'Void commission' }).last().click()
    await page.getByText('voided.').first().waitFor()
  }
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    await press(page, `Actions for commission ${sold.commission_id}`)
    await page.getByRole('menuitem', { name: 'Void commission' }).click()
    await page.getByRole('heading', { name: 'Void this $20.00 commission?' }).waitFor()
    await voidCommission(page, 'Coupon site traffic')
    await page.getByRole('cell', { name: /Voided.*Coupon site traffic/ }).waitFor()
    await push(page, `${path}/sales/${inPayout.sale_id}`)
    await untilLoaded(page, `Sale ${inPayout.invoice_id}`)
    await page.getByRole('button', { name: 'Void commission' }).click()
    await voidCommission(page, 'A test order')
    await page.getByText('Sam Reed voided the commission: “A test order”.').first().waitFor()
    await page.getByText('Commission Voided').waitFor()
    await page.getByText('Earned $10.00, reversed $10.00').waitFor()
  }
  await visit(service, `${path}/commissions`, act, { as: account })
  const look = async (page: Page) => {
    const rows = page.getByRole('list', { name: 'Commissions' }).getByRole('listitem')
    await rows.filter({ hasText: 'Voided' }).first().waitFor()
    await rows.first().getByRole('button').first().tap()
    await page
      .getByText('The program voided the commission: “Coupon site traffic”.')
      .filter({ visible: true })
      .first()
      .waitFor()
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `/portal/${id}/earnings`, look, { as: partner, window: PHONE })
})
