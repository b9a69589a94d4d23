import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inTransaction } from '../../server/src/database/transaction.ts'
import { holdPayoutDestination } from '../../server/src/partners/destination-holds.ts'
import { givenClick, givenLink, unique } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenPayoutDetails } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const EXCLUDED = ['Held', 'Missing', 'Suspended', 'Bank']
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`${name} partner`) })

/** An open payout with $10.00 for each of five partners, only one of them in payment files. */
const givenFiveLines = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const ids = new Map<string, number>()
  for (const name of ['Ready', ...EXCLUDED]) {
    const link = await givenLink(service, program.id)
    const { partnerId } = link
    ids.set(name, partnerId)
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { name: `${name} partner` })
    const method = name === 'Bank' ? 'bank' : 'paypal'
    const details = { programId: program.id, partnerId, method, account: `${name.toLowerCase()}@example.com` }
    if (name !== 'Missing') await givenPayoutDetails(service, details)
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id: await givenClick(service, link) })
    await program.sale({ customer_key, amount: 10_000, invoice_id: unique('invoice') })
  }
  const payout = await program.pay()
  const at = service.clock.now()
  await inTransaction(service.db, (tx) =>
    holdPayoutDestination(tx, { programId: program.id, partnerId: ids.get('Held') ?? 0, at }),
  )
  await program.owner.call('PATCH', `${program.api}/partners/${ids.get('Suspended')}`, { status: 'suspended' })
  const account = { email: program.owner.email }
  return { path: `/programs/${program.id}/payouts/${payout.id}`, payout, account }
}

test('"Mark all as paid" marks the lines that payment files include, and mentions the others', async () => {
  const { path, payout, account } = await givenFiveLines()
  const act = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await press(page, 'Export')
    await page.getByRole('menuitem', { name: 'PayPal file (USD)' }).click()
    await page
      .getByText(
        'Excluded: 1 payment (not approved), 1 payment (needs payout details), 1 payment (payout details changed), 1 payment (other payout method).',
      )
      .waitFor()
    await press(page, 'Mark all as paid')
    const question = page.getByRole('alertdialog')
    await question
      .getByText('This marks the one open payment in a payment file as paid. Mark the others individually.')
      .waitFor()
    await expectAccessibleAgain(page)
    await question.getByRole('button', { name: 'Mark $10.00 as paid' }).click()
    await row(page, 'Ready').getByText('Paid', { exact: true }).waitFor()
    for (const name of EXCLUDED)
      expect(
        await row(page, name)
          .getByRole('button', { name: /^Mark as paid/ })
          .count(),
      ).toBe(1)
    await page.getByRole('button', { name: 'Mark all as paid' }).waitFor({ state: 'detached' })
  }
  await visit(service, path, act, { as: account })
})
