import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenLink } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 2_000, duration: 'lifetime' }, holdDays: 14 }

const givenOwner = async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', program.api, { websites: ['https://shop.example'], partnersCreateLinks: true })
  const account = { email: program.owner.email }
  const groups = async () => (await program.owner.call('GET', `${program.api}/groups`)).body.data
  const create = async (name: string, more: object = {}) =>
    (await program.owner.call('POST', `${program.api}/groups`, { name, ...more })).body.data.id as number
  return { ...program, account, groups, create, path: `/programs/${program.id}` }
}

test('an owner creates a group with its reward and tier rule, and deletes it only when it is empty', async () => {
  const program = await givenOwner()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Groups')
    await page.getByRole('button', { name: 'Create group' }).click()
    const form = page.getByRole('dialog', { name: 'Create group' })
    await form.getByLabel('Name').fill('Gold')
    await form.getByLabel('Landing pages').fill('https://elsewhere.example/')
    await form.getByRole('button', { name: 'Create group' }).click()
    await form.getByText('Must be on the program’s websites (https://shop.example).', { exact: false }).waitFor()
    await form.getByLabel('Landing pages').fill('https://shop.example/gold')
    await form.getByRole('button', { name: 'Create group' }).click()
    // The terms are the next step.
    const terms = page.getByRole('dialog', { name: 'Reward terms for group “Gold”' })
    await terms.getByText('Currently the program’s reward terms.').waitFor()
    await terms.getByLabel('Percentage', { exact: true }).last().fill('30')
    await terms.getByLabel('Hold period (days)').fill('0')
    await expectAccessibleAgain(page)
    await terms.getByRole('button', { name: 'Save reward terms' }).click()
    await page.getByText('Reward terms saved for group “Gold”: 30% of every sale.').waitFor()

    await page.getByRole('button', { name: 'Actions for Default' }).click()
    await page.getByRole('menuitem', { name: 'Edit group' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit group “Default”' })
    await edit.getByRole('switch', { name: /Move partners to another group/ }).click()
    await edit.getByLabel('Sales', { exact: true }).fill('3')
    await expectAccessibleAgain(page)
    await edit.getByRole('button', { name: 'Save group' }).click()
    await page.getByText('Group “Default” saved.').waitFor()
    const table = page.getByRole('table', { name: 'Groups' })
    await table.getByText('After 3 sales in a calendar month, partners move to Gold').waitFor()
    expect(await program.groups()).toMatchObject([
      { isDefault: true, tierRule: { after: { sales: 3 }, within: 'month' } },
      { name: 'Gold', landingPages: ['https://shop.example/gold'], reward: { own: true, holdDays: 0 } },
    ])
    await expectAccessibleAgain(page)

    await page.getByRole('button', { name: 'Actions for Gold' }).click()
    await page.getByRole('menuitem', { name: 'Delete group' }).click()
    await page.getByRole('button', { name: 'Delete group' }).click()
    await page.getByText('The tier rule of Default moves partners to Gold. Change that rule first.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await program.create('Bronze')
    await page.reload()
    await page.getByRole('button', { name: 'Actions for Bronze' }).click()
    await page.getByRole('menuitem', { name: 'Delete group' }).click()
    await page.getByRole('button', { name: 'Delete group' }).click()
    // The row that says so has left the screen.
    await page.getByText('Group “Bronze” deleted.').waitFor()
    expect(await page.getByRole('button', { name: 'Actions for Bronze' }).count()).toBe(0)
  }
  const options = { as: program.account, expectedErrors: /400|409/ }
  await visit(service, `${program.path}/partners/groups`, act, options)
})

test.skipIf(!isLongRun)(
  'a group is chosen for a new partner, an invitation and a backtest, and shown with commissions',
  async () => {
    const program = await givenOwner()
    const gold = await program.create('Gold')
    await givenSale(program, 1_000)
    const act = async (page: Page) => {
      await untilLoaded(page, 'Partners')
      await page.getByRole('button', { name: 'Add partner' }).click()
      const add = page.getByRole('dialog', { name: 'Add partner' })
      await add.getByLabel('Name').fill('Nora')
      await add.getByLabel('Group').selectOption(String(gold))
      await expectAccessibleAgain(page)
      await add.getByRole('button', { name: 'Add partner' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
      await page.getByRole('row', { name: /Nora.*Gold/ }).waitFor()
      await push(page, `${program.path}/partners/${program.link.partnerId}`)
      await page.getByRole('button', { name: 'Invite to portal' }).first().click()
      const invite = page.getByRole('dialog', { name: 'Invite Partner to the portal' })
      await invite.getByLabel('Email').fill('maya@example.com')
      await invite.getByLabel('Group').selectOption(String(gold))
      await expectAccessibleAgain(page)
      await invite.getByRole('button', { name: 'Create invitation' }).click()
      await page.getByText('won’t be shown again', { exact: false }).waitFor()
      await push(page, `${program.path}/settings/rewards`)
      await untilLoaded(page, 'Rewards')
      await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Gold' })
      await page.getByText('See what partners in the group “Gold” would have earned').waitFor()
      await push(page, `${program.path}/commissions?groupId=${gold}`)
      await page.getByText('No commissions found').waitFor()
      await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Default' })
      await page.getByRole('table').getByRole('cell', { name: 'Default', exact: true }).waitFor()
      await expectAccessibleAgain(page)
      await push(page, `${program.path}/analytics`)
      await untilLoaded(page, 'Analytics')
      await page.getByRole('table', { name: 'Partners, highest revenue first' }).getByText('Gold').waitFor()
      await expectAccessibleAgain(page)
    }
    await visit(service, `${program.path}/partners`, act, { as: program.account })
    expect((await program.groups()).map(({ partners }: { partners: number }) => partners)).toEqual([0, 2])
  },
)

test.skipIf(!isLongRun)('partners are filtered by group, and moved singly and in bulk', async () => {
  const program = await givenOwner()
  const other = await givenLink(service, program.id)
  const gold = await program.create('Gold')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    const table = page.getByRole('table')
    await table.getByRole('columnheader', { name: 'Group' }).waitFor()
    await table.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('button', { name: 'Move to group' }).click()
    const move = page.getByRole('dialog', { name: 'Move 2 partners to a group' })
    await move.getByLabel('Group').selectOption(String(gold))
    await expectAccessibleAgain(page)
    await move.getByRole('button', { name: 'Move partners' }).click()
    await page.getByText('2 partners moved to Gold.').waitFor()
    await table.getByRole('cell', { name: 'Gold' }).first().waitFor()
    await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Default' })
    await page.getByText('No results match these filters').or(page.getByText('No matching partners')).waitFor()
    await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Gold' })
    await table.getByRole('cell', { name: 'Gold' }).nth(1).waitFor()
    await expectAccessibleAgain(page)
    await push(page, `${program.path}/partners/${other.partnerId}`)
    await untilLoaded(page, 'Partner')
    await page.getByRole('button', { name: 'Move to group' }).click()
    const one = page.getByRole('dialog', { name: 'Move Partner to a group' })
    await one.getByLabel('Group').selectOption({ label: 'Default (20% of every sale)' })
    await one.getByRole('button', { name: 'Move partner' }).click()
    await page.getByText('Partner moved to Default.').waitFor()
  }
  await visit(service, `${program.path}/partners`, act, { as: program.account })
  expect((await program.groups()).map(({ partners }: { partners: number }) => partners)).toEqual([1, 1])
})

test.skipIf(!isLongRun)('a member reads groups on a phone and changes none', async () => {
  const program = await givenOwner()
  const gold = await program.create('Gold partners who sell a lot, with a very long name')
  const rule = { after: { amountCents: 500_000, currency: 'USD' }, within: 'quarter', moveTo: gold }
  await program.create('Silver', { tierRule: rule })
  const member = await givenPayingProgram(service, null)
  await givenRole(service, program.workspaceId, member.owner, 'member')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Groups')
    const rows = page.getByRole('list', { name: 'Groups' })
    await rows.getByRole('button', { name: 'Silver' }).waitFor()
    await soon(async () => expect(await page.getByRole('button', { name: /Create group|Actions for/ }).count()).toBe(0))
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
    await rows.getByRole('button', { name: 'Silver' }).click()
    const facts = page.getByRole('dialog', { name: 'Silver' })
    await facts.getByText(/^After \$5,000\.00 in sales in a calendar quarter, partners move to Gold partners/).waitFor()
    expect(await facts.getByRole('textbox').count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
  }
  const as = { email: member.owner.email }
  await visit(service, `${program.path}/partners/groups`, act, { as, window: PHONE })
})

test.skipIf(!isLongRun)(
  'a partner sees the progress to the next tier, and new links start from the group’s pages',
  async () => {
    const program = await givenOwner()
    const gold = await program.create('Gold')
    await program.owner.call('PUT', `${program.api}/groups/${gold}/reward`, {
      sale: { percentBps: 3_000, duration: 'lifetime' },
    })
    const [defaults] = await program.groups()
    const landingPages = ['https://shop.example/start', 'https://shop.example/pricing']
    const tierRule = { after: { sales: 3 }, within: 'all', moveTo: gold }
    await program.owner.call('PATCH', `${program.api}/groups/${defaults.id}`, { landingPages, tierRule })
    await givenSale(program, 1_000)
    const partner = await givenPartnerAccount(service, program)
    const act = async (page: Page) => {
      await untilLoaded(page, 'Hello, Partner')
      await page.getByText('1 of 3 sales, then 30% of every sale.').waitFor()
      await soon(async () => expect(await page.getByText('Gold').count()).toBe(0))
      await expectAccessibleAgain(page)
      await push(page, `/portal/${program.id}/links`)
      await untilLoaded(page, 'Links')
      await page.getByRole('button', { name: 'Create link' }).first().click()
      const form = page.getByRole('dialog', { name: 'Create link' })
      await soon(async () => expect(await form.getByLabel('Destination page').inputValue()).toBe(landingPages[0] ?? ''))
      await expectAccessibleAgain(page)
      await form.getByRole('button', { name: 'Create link' }).click()
      await form.waitFor({ state: 'detached' })
    }
    await visit(service, `/portal/${program.id}`, act, { as: partner })
    const { body } = await program.owner.call('GET', `${program.api}/links?search=start`)
    expect(body.data).toMatchObject([{ destinationUrl: landingPages[0] }])
  },
)
