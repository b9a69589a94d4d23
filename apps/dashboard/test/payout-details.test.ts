import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague, givenSelling } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** An owner whose partner has $20.00 in an open payout. */
const givenPayout = async () => {
  const owner = await givenOwner(service)
  const api = `/api${owner.path}`
  await owner.call('PUT', `${api}/reward`, REWARD)
  const selling = await givenSelling(service, owner)
  await selling.sell(20_000)
  const { id } = await owner.create(`${api}/payouts`, {})
  const setDetails = (account: string, updatedAt = service.clock.now()) =>
    service.db
      .insertInto('partnerPayoutDetails')
      .values({
        programId: Number(owner.path.split('/').at(-1)),
        partnerId: selling.partnerId,
        method: 'bank',
        account,
        holder: 'M. Lindqvist',
        updatedAt,
      })
      .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet({ account, updatedAt }))
      .execute()
  return { owner, api, ...selling, payoutId: id as number, setDetails }
}

test('a payout line and its dialog show the payout details, or that they are missing', async () => {
  const { owner, partnerId, payoutId, setDetails } = await givenPayout()
  const path = `${owner.path}/payouts/${payoutId}`
  const question = (page: Page) => page.getByRole('alertdialog')
  const openDialog = (page: Page) =>
    page
      .getByRole('button', { name: /^Mark as paid: Maya/ })
      .first()
      .click()
  const act = async (page: Page) => {
    await untilLoaded(page, `Payout ${payoutId}`)
    const missing = row(page, 'Maya Lindqvist').getByRole('link', { name: 'Needs payout details' })
    await soon(async () => expect(await missing.getAttribute('href')).toEndWith(`/partners/${partnerId}`))
    await openDialog(page)
    await question(page).getByText('has not added payout details yet').waitFor()
    await question(page).getByRole('link', { name: 'Maya Lindqvist' }).waitFor()
    await expectAccessibleAgain(page)

    await setDetails('DE02 1203 0000 0000 2020 51')
    await page.reload()
    await row(page, 'Maya Lindqvist').getByText('Bank transfer').waitFor()
    await row(page, 'Maya Lindqvist').getByText('DE02 1203 0000 0000 2020 51').waitFor()
    await openDialog(page)
    for (const text of ['Bank transfer', 'DE02 1203 0000 0000 2020 51', 'M. Lindqvist'])
      await question(page).getByText(text, { exact: true }).waitFor()
    await expectAccessibleAgain(page)
    await question(page).getByRole('button', { name: 'Mark $20.00 as paid' }).click()
    await row(page, 'Maya Lindqvist').getByText('Paid').waitFor()
    await row(page, 'Maya Lindqvist').getByText('DE02 1203 0000 0000 2020 51').waitFor()

    // The partner's current account is not where the older payment went.
    await setDetails('A new account', new Date(service.clock.now().getTime() + 1000))
    await page.reload()
    await row(page, 'Maya Lindqvist').getByText('Changed since').waitFor()
    await soon(async () => expect(await page.getByText('A new account').count()).toBe(0))
  }
  await visit(service, path, act, { as: owner.account })
})

test.skipIf(!isLongRun)(
  'payout details fit a phone, are hidden from viewers, and have no partner link for the billing role',
  async () => {
    const { owner, payoutId, setDetails } = await givenPayout()
    const path = `${owner.path}/payouts/${payoutId}`
    const billing = async (page: Page) => {
      await row(page, 'Maya Lindqvist').getByText('Needs payout details').waitFor()
      await soon(async () => expect(await page.getByRole('link', { name: 'Needs payout details' }).count()).toBe(0))
    }
    await visit(service, path, billing, { as: await givenColleague(service, owner, 'billing') })
    await setDetails('a-very-long-account-name-without-any-place-to-break-it@payments.of.maya.example')
    const phone = async (page: Page) => {
      await page.getByRole('listitem').getByText('a-very-long-account').waitFor()
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: /^Actions for Maya/ }).click()
      await page.getByRole('menuitem', { name: 'Mark as paid' }).click()
      await page.getByRole('alertdialog').getByText('a-very-long-account').waitFor()
      await expectNoSidewaysScroll(page)
    }
    await visit(service, path, phone, { as: owner.account, window: PHONE })
    const viewer = async (page: Page) => {
      await row(page, 'Maya Lindqvist').waitFor()
      await soon(async () => expect(await page.getByText(/Pay to|Bank transfer|Needs payout details/).count()).toBe(0))
    }
    await visit(service, path, viewer, { as: await givenColleague(service, owner, 'viewer') })
  },
)

test.skipIf(!isLongRun)(
  'amounts in an open payout are counted apart from payable ones, like on the payouts page',
  async () => {
    const { owner, sell } = await givenPayout()
    const act = async (page: Page) => {
      const tile = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
      await tile('Payable').getByText('$0.00').waitFor()
      await tile('In payout').getByText('$20.00').waitFor()
      await row(page, 'Maya Lindqvist').getByText('In payout').waitFor()
      await expectAccessibleAgain(page)
      await sell(5_000)
      await page.reload()
      await tile('Payable').getByText('$5.00').waitFor()
      await tile('Payable').click()
      await page.getByText('1 commission', { exact: true }).last().waitFor()
      await page.getByRole('table').getByText('Payable').waitFor()
      await tile('In payout').click()
      await page.getByRole('table').getByText('In payout').waitFor()
      await page.getByRole('table').getByText('Payable').first().waitFor({ state: 'detached' })
    }
    await visit(service, `${owner.path}/commissions`, act, { as: owner.account })
  },
)
