import { expect, test } from 'bun:test'
import { CURRENCIES } from '@tributary/contract/currencies'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { givenEarningProgram, givenPartnerAccount } from './support/partner.ts'
import { choose, press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const firstPartner = async (owner: Awaited<ReturnType<typeof givenOwner>>) => {
  const [partner] = (await owner.call('GET', `/api${owner.path}/partners?archived=all`)).body.data
  return partner as { id: number; code: string }
}

test('a partner can be edited, keeps the old code, and cannot take another partner’s email', async () => {
  const owner = await givenOwner(service)
  const { id, code } = await firstPartner(owner)
  await owner.create(`/api${owner.path}/partners`, { name: 'Ben Ode', email: 'ben@example.com' })
  const next = `maya-${Date.now()}`
  const act = async (page: Page) => {
    await untilLoaded(page, 'Maya Lindqvist')
    await page.getByText(`shop.example/?aff=${code}`).waitFor()
    await choose(page, 'Actions for Maya', 'Edit partner')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Maya L.')
    await dialog.getByLabel('Email').fill('BEN@example.com')
    await press(page, 'Save partner')
    await page.getByText('This email address belongs to another partner of the program: Ben Ode.').waitFor()
    await dialog.getByLabel('Email').fill('maya@example.com')
    await dialog.getByLabel('Link code').fill(next)
    await press(page, 'Save partner')
    await untilLoaded(page, 'Maya L.')
    await page.getByText(`Former codes: ${code}`).waitFor()
    await page.getByText(`shop.example/?aff=${next}`).waitFor()
  }
  await visit(service, `${owner.path}/partners/${id}`, act, { as: owner.account, expectedErrors: /409/ })
})

test.skipIf(!isLongRun)('a member sees the email address and why it can’t be changed', async () => {
  const owner = await givenOwner(service)
  const { id } = await firstPartner(owner)
  const act = async (page: Page) => {
    await choose(page, 'Actions for Maya', 'Edit partner')
    const email = page.getByRole('dialog').getByLabel('Email')
    await soon(async () => expect(await email.getAttribute('readonly')).not.toBeNull())
    await page.getByText('because payouts depend on it').waitFor()
  }
  const account = await givenColleague(service, owner, 'member')
  await visit(service, `${owner.path}/partners/${id}`, act, { as: account })
})

test.skipIf(!isLongRun)('a partner can be archived, found and unarchived', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await press(page, 'Actions for Maya Lindqvist')
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await press(page, 'Archive partner')
    await page.getByText('No partners yet').waitFor()
    await page.getByText('Archived', { exact: true }).first().click()
    await page.getByRole('cell', { name: /^Maya Lindqvist/ }).waitFor()
    await press(page, 'Actions for Maya Lindqvist')
    await page.getByRole('menuitem', { name: 'Unarchive' }).click()
    await page.getByText('Maya Lindqvist unarchived.').waitFor()
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account })
  expect(await firstPartner(owner)).toMatchObject({ archived: false })
})

test.skipIf(!isLongRun)(
  'a program can use every currency, and needs at least one website, saved as an origin',
  async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await untilLoaded(page, 'Details')
      expect(await page.getByLabel('Currency').locator('option').allInnerTexts()).toEqual([...CURRENCIES])
      const websites = page.getByLabel('Websites')
      await websites.fill('')
      await press(page, 'Save settings')
      expect(await websites.evaluate((field: HTMLTextAreaElement) => field.validity.valueMissing)).toBe(true)
      await websites.fill('ftp://files.example')
      await press(page, 'Save settings')
      await page.getByText('Each website must be a web address such as https://shop.example.com.').waitFor()
      await websites.fill('Shop.Example/pricing\nhttps://docs.example')
      await press(page, 'Save settings')
      await page.getByText('Settings saved.').waitFor()
      await soon(async () => expect(await websites.inputValue()).toBe('https://shop.example\nhttps://docs.example'))
    }
    await visit(service, `${owner.path}/settings/details`, act, { as: owner.account, expectedErrors: /400/ })
    expect((await owner.call('GET', `/api${owner.path}`)).body.data.websites).toEqual([
      'https://shop.example',
      'https://docs.example',
    ])
  },
)

test.skipIf(!isLongRun)('the first setup step asks for the website that links point to', async () => {
  const owner = await givenOwner(service)
  await owner.call('PATCH', `/api${owner.path}`, { websites: [] })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Setup')
    await expectAccessibleAgain(page)
    await page.getByRole('textbox', { name: 'Website', exact: true }).fill('shop.example')
    await press(page, 'Save website')
    const step = page.getByRole('button', { name: /Complete: Add a partner and their link/ })
    await step.getByText('At least one approved partner has a link to https://shop.example.').waitFor()
    await page.getByText('No reward is set').waitFor()
  }
  await visit(service, `${owner.path}/set-up`, act, { as: owner.account })
})

test('links show their site, flag other sites, and can’t be created for one', async () => {
  const owner = await givenOwner(service)
  const { id: partnerId } = await firstPartner(owner)
  const links = `/api${owner.path}/links`
  await owner.call('PATCH', `/api${owner.path}`, { websites: [] })
  const other = await owner.create(links, { partnerId, destinationUrl: 'https://old.example/' })
  const home = await owner.create(links, { partnerId })
  const act = async (page: Page) => {
    const linkRow = ({ aff }: { aff: string }) => page.getByRole('row').filter({ hasText: aff })
    await linkRow(home).getByRole('link', { name: 'Add your website' }).waitFor()
    await soon(async () => expect(await linkRow(home).getByRole('button', { name: /Copy/ }).count()).toBe(0))
    await owner.call('PATCH', `/api${owner.path}`, { websites: ['https://shop.example'] })
    await page.reload()
    await linkRow(home).getByText(`https://shop.example/?aff=${home.aff}`, { exact: true }).waitFor()
    await linkRow(home).getByRole('button', { name: /Copy/ }).waitFor()
    await linkRow(other).getByText('Not on your website').waitFor()
    await press(page, 'Create link')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Link code').fill('maya & co')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('alert').getByText('Use 2–128 letters, digits, hyphens or underscores.').waitFor()
    await dialog.getByLabel('Link code').fill('')
    await dialog.getByLabel('Destination page').fill('https://evil.example/')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('alert').getByText('This page is not on https://shop.example.').waitFor()
    await page.keyboard.press('Escape')
    await press(page, `Actions for ${home.aff}`)
    await page.getByRole('menuitem', { name: 'Share and QR code' }).click()
    await dialog.getByText(`https://shop.example/?aff=${home.aff}`).waitFor()
    await dialog.getByLabel('Page').fill('https://evil.example/')
    await page.getByText('This page is not on https://shop.example').waitFor()
  }
  await visit(service, `${owner.path}/links`, act, { as: owner.account })
})

test.skipIf(!isLongRun)('a partner shares a link to the program’s site, and sees when they are archived', async () => {
  const program = await givenEarningProgram(service)
  await program.owner.call('PATCH', program.api, { websites: ['https://shop.example'] })
  const account = await givenPartnerAccount(service, program)
  const act = async (page: Page) => {
    await page.getByText(`shop.example/?aff=${program.link.aff}`).first().waitFor()
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { archived: true })
    await page.reload()
    await page.getByText(/Your partnership with .* is archived/).waitFor()
  }
  await visit(service, `/portal/${program.id}`, act, { as: account })
})

test.skipIf(!isLongRun)('the audit log shows members and what a partner changed', async () => {
  const owner = await givenOwner(service)
  await owner.create(`/api/workspaces/${owner.workspaceId}/invitations`, { email: 'ben@example.com', role: 'viewer' })
  const act = async (page: Page) => {
    await page.getByRole('cell', { name: 'Invitation of ben@example.com' }).waitFor()
    await press(page, 'Member invited')
    await soon(async () =>
      expect(await page.getByRole('dialog').getByRole('row', { name: /Role/ }).innerText()).toMatch(/Role\s+Viewer/),
    )
  }
  await visit(service, `${owner.path}/settings/audit-log`, act, { as: owner.account })
})
