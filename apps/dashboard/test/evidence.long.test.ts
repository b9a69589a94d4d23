import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenRole } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const PHONE_AT_NIGHT = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

/** One sale follows a click from an ad; the customer of the other is the partner. */
const givenSales = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const path = `${program.api}/partners/${program.link.partnerId}`
  await program.owner.call('PATCH', path, { email: 'me@shop.example', name: 'Maya' })
  const click = async (query: string) => {
    const affiliate_url = `https://shop.example/?aff=${program.link.aff}${query}`
    return (await service.call('POST', '/api/v1/track/click', { affiliate_url })).body.click_id
  }
  const ad = await program.sale({ click_id: await click('&gclid=x'), amount: 4_900, invoice_id: 'AD-1' })
  const own = { click_id: await click(''), customer_key: 'me@shop.example' }
  await program.sale({ ...own, amount: 4_900, invoice_id: 'OWN-1' })
  return { ...program, adId: ad.body.sale_id, path: `/programs/${program.id}`, as: { email: program.owner.email } }
}

test('sales are filtered by evidence, the address keeps the filter, and the sale shows it', async () => {
  const { path, as, adId } = await givenSales()
  const filter = async (page: Page) => {
    await untilLoaded(page, 'Sales')
    await page.getByText('OWN-1').first().waitFor()
    await press(page, /^Filter/)
    await page.getByLabel('Evidence').selectOption('ad_click')
    await page.getByText('OWN-1').first().waitFor({ state: 'detached' })
    expect(page.url()).toContain('evidence=ad_click')
    await page.getByText('AD-1').first().waitFor()
    await page.reload()
    await page.getByText('AD-1').first().waitFor()
    expect(await page.getByText('OWN-1').count()).toBe(0)
  }
  await visit(service, `${path}/sales`, filter, { as })
  const empty = async (page: Page) => {
    await page
      .getByText('No sales match these filters')
      .or(page.getByText(/No .*match/))
      .first()
      .waitFor()
  }
  await visit(service, `${path}/sales?evidence=data_center`, empty, { as })
  const open = async (page: Page) => {
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()
    await page.getByText('gclid', { exact: true }).first().waitFor()
    await page
      .getByText(/The sale came \d+ seconds? after the click/)
      .first()
      .waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
  }
  await visit(service, `${path}/sales/${adId}`, open, { as, window: PHONE_AT_NIGHT })
})

test('the review says how the customer matches the partner, and is approved from there', async () => {
  const { path, as, commissions } = await givenSales()
  const approve = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    await page
      .getByText(/the customer key is an email address of the partner/)
      .first()
      .waitFor()
    await expectNoSidewaysScroll(page)
    await press(page, /^Actions for commission/)
    await page.getByRole('menuitem', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/the customer key is an email address of the partner/).waitFor()
    await dialog.getByLabel('Reason').fill('A colleague of the partner')
    await dialog.getByRole('button', { name: /^Approve/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await visit(service, `${path}/commissions?state=review`, approve, { as })
  expect((await commissions()).map(({ state }: { state: string }) => state)).toEqual(['payable', 'payable'])
})

test('an owner turns the review rules on; a member reads who may', async () => {
  const { path, as, workspaceId, owner, api } = await givenSales()
  const turnOn = async (page: Page) => {
    await page.getByRole('switch', { name: 'Review sales that follow a click from an ad' }).click()
    await page.getByLabel('Review sales this many seconds after the click').fill('10')
    await press(page, /^Save/)
    await page.getByText(/saved/i).first().waitFor()
  }
  await visit(service, `${path}/settings/tracking`, turnOn, { as })
  expect((await owner.call('GET', api)).body.data).toMatchObject({ reviewAdClicks: true, reviewWithinSeconds: 10 })
  const member = await givenUser(service)
  await givenRole(service, workspaceId, member, 'member')
  const read = async (page: Page) => {
    expect(await page.getByRole('switch', { name: 'Review sales that follow a click from an ad' }).isDisabled()).toBe(
      true,
    )
    await page.getByText('Only owners and admins can change this.').first().waitFor()
  }
  await visit(service, `${path}/settings/tracking`, read, { as: { email: member.email } })
})
