import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenPayoutDetails, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** An open payout of $10.00, exported as a PayPal file, with $4.00 refunded since. */
const givenExported = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const { partnerId } = program.link
  const paypal = { programId: program.id, partnerId, method: 'paypal', account: 'maya@example.com' }
  await givenPayoutDetails(service, paypal)
  const sold = await givenSale(program, 10_000)
  const payout = await program.pay()
  expect((await program.file(payout.id, { format: 'paypal' })).status).toBe(200)
  expect((await program.refund({ invoice_id: sold.invoice_id, amount: 4_000 })).status).toBe(200)
  const account = { email: program.owner.email }
  const change = (body: object) => program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, body)
  return { payout, account, change, path: `/programs/${program.id}/payouts/${payout.id}` }
}

const EXPORTED = /^Exported: \$10\.00 on \w{3} \d{1,2}, \d{4}$/

test('a line and its dialog show the exported amount, reject a future date, and warn about a suspended partner', async () => {
  const { path, payout, account, change } = await givenExported()
  const act = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await page.getByRole('table').getByText(EXPORTED).filter({ visible: true }).waitFor()
    await press(page, /^Mark as paid/)
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(EXPORTED).waitFor()
    await soon(async () => expect(await dialog.getByText('suspended').count()).toBe(0))
    await expectAccessibleAgain(page)

    await dialog.getByLabel('Paid on').fill('2099-01-01')
    await dialog.getByRole('button', { name: /^Mark .* as paid$/ }).click()
    await dialog.getByRole('alert').first().waitFor()
    const alerts = await dialog.getByRole('alert').allInnerTexts()
    expect(alerts).toHaveLength(1)
    expect(alerts[0]).toMatch(/^Must not be in the future/)

    expect((await change({ status: 'suspended' })).status).toBe(200)
    await page.reload()
    await press(page, /^Mark as paid/)
    await dialog.getByText('Partner is suspended.').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, path, act, { as: account, expectedErrors: /400/ })
})

test.skipIf(!isLongRun)('marking a line as paid warns about an archived partner', async () => {
  const exported = await givenExported()
  expect((await exported.change({ archived: true })).status).toBe(200)
  const act = async (page: Page) => {
    await press(page, /^Mark as paid/)
    await page.getByRole('alertdialog').getByText('Partner is archived.').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, exported.path, act, { as: exported.account })
})
