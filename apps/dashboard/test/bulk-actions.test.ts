import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const program = await givenPayingProgram(service, REWARD)
const account = { email: program.owner.email }
const path = `/programs/${program.id}`

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const rows = (page: Page) => page.getByRole('table').getByRole('checkbox', { name: /^Select (?!all)/ })
const all = (page: Page) => page.getByRole('table').getByRole('checkbox', { name: 'Select all on this page' })

test('everything that matches is selected across pages, and an action names skipped rows', async () => {
  await service.pool.query(
    `INSERT INTO partners (program_id, name, code, status, created_at)
    SELECT $1::integer, 'Applicant ' || n, 'applicant-' || n, 'pending', now() FROM generate_series(1, 119) n`,
    [program.id],
  )
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    const first = rows(page).nth(0)
    const name = await first.getAttribute('aria-label')
    await first.click()
    await page.getByRole('button', { name: 'Next' }).click()
    await soon(async () => expect(await first.getAttribute('aria-label')).not.toBe(name))
    await rows(page).nth(3).click()
    await bar(page).getByText('2 selected').waitFor()
    await all(page).click()
    await bar(page).getByText('26 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Select all 120 partners' }).click()
    await bar(page).getByText('120 selected').waitFor()
    await expectAccessibleAgain(page)
    await bar(page).getByRole('button', { name: 'Approve', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Approve 120 partners?' })
    await dialog.getByLabel('Message').fill('Welcome')
    await expectAccessibleAgain(page)
    await dialog.getByRole('button', { name: 'Approve partners' }).click()
    await page.getByText('119 partners approved, 1 skipped: not waiting for a decision.').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    await rows(page).nth(0).click()
    await bar(page).getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Suspend partner' }).click()
    await page.getByText('1 partner suspended.').waitFor()
  }
  await visit(service, `${path}/partners`, act, { as: account })
  const { body } = await program.owner.call('GET', `${program.api}/partners?status=approved`)
  expect(body.meta.pagination.total).toBe(119)
})

test.skipIf(!isLongRun)('commissions are voided together, for one reason', async () => {
  for (let sales = 0; sales < 2; sales++) await givenSale(program, 5_000)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    await all(page).click()
    await bar(page).getByRole('button', { name: 'Void' }).click()
    const dialog = page.getByRole('dialog', { name: 'Void 2 commissions?' })
    await dialog.getByLabel('Reason').fill('Test orders')
    await expectAccessibleAgain(page)
    await dialog.getByRole('button', { name: 'Void commissions' }).click()
    await page.getByText('2 commissions voided.').waitFor()
  }
  await visit(service, `${path}/commissions`, act, { as: account })
  expect(await program.commissions()).toMatchObject([{ voidReason: 'Test orders' }, { voidReason: 'Test orders' }])
})
