import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { choose, press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const HELD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 30 }
const NEXT = /^\$14\.70 becomes payable on \w+ \d+$/
/** A figure by its label. */
const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })

/** Maya has $14.70 held. */
const givenHeld = async () => {
  const program = await givenPayingProgram(service, HELD)
  const partner = await givenPartnerAccount(service, program)
  await service.db.updateTable('partners').set({ name: 'Maya' }).where('id', '=', program.link.partnerId).execute()
  await givenSale(program, 14_700)
  return { ...program, partner, path: `/programs/${program.id}`, as: { email: program.owner.email } }
}

test('merchant and partner see what becomes payable on which day, instead of zero', async () => {
  const { path, as, partner, link, id } = await givenHeld()
  const merchant = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await page.getByText(NEXT).waitFor()
    await page.getByText('Nothing is ready to pay').waitFor()
    expect(await page.getByText('Ready to pay', { exact: true }).count()).toBe(0)
    await page
      .getByRole('row', { name: /Maya/ })
      .getByText(/^payable on \w+ \d+$/)
      .waitFor()
    await soon(async () => expect(await page.getByRole('button', { name: 'Create payout' }).count()).toBe(0))
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
    await push(page, `${path}/partners/${link.partnerId}`)
    await untilLoaded(page, 'Maya')
    await figure(page, 'Held').getByText(NEXT).waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `${path}/payouts`, merchant, { as })
  const inPortal = async (page: Page) => {
    await untilLoaded(page, 'Hello, Maya')
    await figure(page, 'Held').getByText(NEXT).waitFor()
    const [balance, own] = [await figure(page, 'Held').boundingBox(), await page.getByText('Your link').boundingBox()]
    expect(balance?.y).toBeLessThan(own?.y ?? 0)
    // Before the money is due, because payouts are paused after the first details are saved.
    await page.getByText(/^\$14\.70 becomes payable on \w+ \d+\. Add your payout details so/).waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `/portal/${id}`, inPortal, { as: partner })
})

test('the portal says when the next payout is prepared and what it would pay, or that none is scheduled', async () => {
  const program = await givenPayingProgram(service, { ...HELD, holdDays: 0 })
  const partner = await givenPartnerAccount(service, program)
  await givenSale(program, 14_700)
  const act = async (page: Page) => {
    await page.getByText('Test prepares payouts by hand, without fixed dates.').waitFor()
    const weekly = { frequency: 'weekly', weekday: 1 }
    expect((await program.owner.call('PUT', `${program.api}/payouts/schedule`, weekly)).status).toBe(200)
    await page.reload()
    const next = page.getByText(/^Next payout on \w+ \d+: \$14\.70 expected$/)
    await next.waitFor()
    await expectAccessibleAgain(page)
    await push(page, `/portal/${program.id}/payouts`)
    await untilLoaded(page, 'Payouts')
    await next.waitFor()
  }
  await visit(service, `/portal/${program.id}`, act, { as: partner })
})

test('changing the hold period says what stays held, and offers to release it', async () => {
  const { path, as, balance, owner, api } = await givenHeld()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    const kept = page.getByText(/keep their date: \$14\.70 in 1 commission\. \$14\.70 becomes payable on \w+ \d+\.$/)
    expect(await kept.count()).toBe(0)
    await page.getByLabel('Hold period (days)').fill('0')
    await kept.waitFor()
    await press(page, 'Save reward terms')
    await page.getByText(/^Reward terms saved/).waitFor()
    await kept.waitFor()
    expect(await balance()).toMatchObject({ heldCents: 1_470, payableCents: 0 })
    await press(page, 'Release them now')
    const question = page.getByRole('alertdialog', { name: 'Release the held commissions of all partners?' })
    await question.getByText('$14.70 in 1 commission becomes payable now', { exact: false }).waitFor()
    await expectAccessibleAgain(page)
    await question.getByRole('button', { name: 'Release commissions' }).click()
    await page.getByText('$14.70 in 1 commission is payable now.').waitFor()
    await kept.waitFor({ state: 'detached' })
    expect(await balance()).toMatchObject({ heldCents: 0, payableCents: 1_470 })
    await push(page, `${path}/settings/audit-log`)
    await untilLoaded(page, 'Audit log')
    await page.getByText('$14.70 in 1 commission').first().waitFor()
  }
  await visit(service, `${path}/settings/rewards`, act, { as })
  expect((await owner.call('GET', `${api}/holds`)).body.data).toEqual([])
})

test('the commissions of one partner are released from their page', async () => {
  const { path, as, link, balance } = await givenHeld()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Maya')
    await choose(page, 'Actions for Maya', 'Release held commissions')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release commissions' }).click()
    await figure(page, 'Payable').getByText('$14.70').waitFor()
    expect(await balance()).toMatchObject({ heldCents: 0, payableCents: 1_470 })
  }
  await visit(service, `${path}/partners/${link.partnerId}`, act, { as })
})
