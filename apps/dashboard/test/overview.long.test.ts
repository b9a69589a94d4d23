import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser, unique } from '../../server/test/support/given.ts'
import {
  givenDraft,
  givenPayingProgram,
  givenPayoutDetails,
  givenRole,
  givenSale,
} from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const givenBusyProgram = async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 442_800)
  const { id: programId, link } = program
  const details = { method: 'paypal', account: 'maya@example.com' }
  await givenPayoutDetails(service, { programId, partnerId: link.partnerId, ...details })
  await program.owner.call('POST', `${program.api}/partners`, { name: 'Ada', status: 'pending' })
  const customer_key = await program.customer()
  await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'suspended' })
  await program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })
  await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'approved' })
  return { ...program, path: `/programs/${program.id}` }
}

const firstCard = (page: Page) => page.locator('main section').first()

test('the overview starts with money and what needs a person, and ranks by revenue', async () => {
  const program = await givenBusyProgram()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await firstCard(page).getByText('Needs you').waitFor()
    const lines = (await firstCard(page).innerText()).split('\n').filter(Boolean)
    expect(lines).toEqual([
      'Ready to pay',
      '$442.80',
      'Pay 1 partner',
      'Needs you',
      '1 application to decide',
      '1 commission to review',
    ])
    await page.getByRole('table', { name: 'Revenue by day' }).waitFor({ state: 'attached' })
    expect(await page.getByRole('tab').first().innerText()).toContain('Revenue')
    await page.getByRole('table', { name: 'By partner, most revenue first' }).waitFor()
    await expectAccessibleAgain(page)
    await page.getByRole('link', { name: '1 commission to review' }).click()
    await untilLoaded(page, 'Commissions')
    expect(page.url()).toContain('state=review')
  }
  await visit(service, program.path, act, { as: { email: program.owner.email } })
})

test('while a payout draft waits, reviewing it is the one way to pay', async () => {
  const program = await givenBusyProgram()
  await givenDraft(service, program)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await firstCard(page).getByText('to 1 partner').waitFor()
    expect(await page.getByRole('link', { name: /^Pay / }).count()).toBe(0)
    await page.getByRole('link', { name: '1 payout draft to review' }).click()
    await untilLoaded(page, 'Payout draft')
  }
  await visit(service, program.path, act, { as: { email: program.owner.email } })
})

test('the period menu has the time zone and the comparison, which the page does not repeat', async () => {
  const program = await givenBusyProgram()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    const isInMain = async (text: string) => (await page.locator('main').innerText()).includes(text)
    expect(await isInMain('Times are in')).toBe(false)
    await page.getByRole('button', { name: 'Period: 30 days' }).click()
    await page.getByText(/^Compared with .+ – .+, up to the same time\.$/).waitFor()
    await page.getByText(/^Times are in /).waitFor()
    await expectAccessibleAgain(page)
    await page.getByRole('button', { name: '90 days' }).click()
    await page.waitForURL(/period=90d/)
    await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0))
  }
  await visit(service, program.path, act, { as: { email: program.owner.email } })
})

test('a viewer sees the amount without the button, and no decisions that are not theirs', async () => {
  const program = await givenBusyProgram()
  const viewer = await givenUser(service)
  await givenRole(service, program.workspaceId, viewer, 'viewer')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await firstCard(page).getByText('to 1 partner').waitFor()
    const lines = (await firstCard(page).innerText()).split('\n').filter(Boolean)
    expect(lines).toEqual(['Ready to pay', '$442.80', 'to 1 partner'])
  }
  await visit(service, program.path, act, { as: { email: viewer.email } })
})
