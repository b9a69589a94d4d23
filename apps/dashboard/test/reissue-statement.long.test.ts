import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenPayoutDetails, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** The partner has earned $10.00, and no one has entered legal details. */
const givenEarned = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const details = { method: 'paypal', account: 'maya@example.com' }
  await givenPayoutDetails(service, { programId: program.id, partnerId: program.link.partnerId, ...details })
  await givenSale(program, 10_000)
  return { ...program, path: `/programs/${program.id}`, account: { email: program.owner.email, password: '' } }
}

test('the first payout asks for legal details, and its statement has them', async () => {
  const program = await givenEarned()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await press(page, 'Create payout')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Legal name').fill('Acme GmbH')
    await expectAccessibleAgain(page)
    await press(page, 'Create payout of $10.00')
    await dialog.getByText(/must/i).waitFor()
    await dialog.getByLabel('Address').fill('1 Example Street\nBerlin')
    await press(page, 'Create payout of $10.00')
    await page.getByRole('heading', { level: 1, name: /^Payout \d+$/ }).waitFor()
    const [payout] = (await program.owner.call('GET', `${program.api}/payouts`)).body.data
    const { lines } = (await program.owner.call('GET', `${program.api}/payouts/${payout.id}`)).body.data
    await page.goto(`${service.url}${program.path}/payouts/${payout.id}/statements/${lines[0].id}`)
    await page.getByText('Acme GmbH').waitFor()
  }
  await visit(service, `${program.path}/payouts`, act, { as: program.account, expectedErrors: /400/ })
  expect((await program.owner.call('GET', `${program.api}/payouts`)).body.data).toHaveLength(1)
})

test('a statement without legal details is reissued with them, and both versions can be read', async () => {
  const program = await givenEarned()
  const { id, lines } = await program.pay()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Statement')
    await page.getByText('Your legal details were missing when this statement was issued.').waitFor()
    const details = { legalName: 'Acme GmbH', address: 'Berlin' }
    await program.owner.call('PUT', `${program.api}/legal-details`, details)
    await page.reload()
    await page.getByText('Legal details were added or changed since this statement was issued.').waitFor()
    await expectAccessibleAgain(page)
    await press(page, 'Reissue with current legal details')
    await page.getByText('Version 2 issued. Earlier versions are kept.').waitFor()
    await page.getByText('Acme GmbH').waitFor()
    await page.getByText('$10.00').first().waitFor()
    await expectAccessibleAgain(page)
    await page.getByRole('link', { name: /^Version 1,/ }).click()
    await page.getByText('Acme GmbH').waitFor({ state: 'detached' })
    await page.getByText('Your legal details were missing').waitFor({ state: 'detached' })
    await page.getByText('$10.00').first().waitFor()
  }
  await visit(service, `${program.path}/payouts/${id}/statements/${lines[0].id}`, act, { as: program.account })
})
