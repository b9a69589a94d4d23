import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** More partners than fit on one page. Zoë, the last by name and by age, has a sale. */
const givenManyPartners = async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 })
  const { db, clock } = service
  const early = new Date(clock.now().getTime() - 86_400_000)
  const others = Array.from({ length: 210 }, (_, index) => {
    const code = `early-${program.id}-${index}`
    return { programId: program.id, name: `Early ${index}`, code, status: 'approved', createdAt: early }
  })
  await db.insertInto('partners').values(others).execute()
  const updateZoe = db.updateTable('partners').set({ name: 'Zoë Zephyr', createdAt: clock.now() })
  await updateZoe.where('id', '=', program.link.partnerId).execute()
  await givenSale(program, 1000)
  const account = { email: program.owner.email }
  return { ...program, account, path: `/programs/${program.id}` }
}

const { path, account, link } = await givenManyPartners()
const tour = givenTour(service, '/account', { as: account })

const LISTS = ['events', 'customers', 'sales', 'commissions']

test('every list shows partner names, even with many partners', async () => {
  const act = async (page: Page) => {
    for (const list of LISTS) {
      await page.goto(new URL(`${path}/${list}`, page.url()).href)
      await page.getByRole('cell', { name: 'Zoë Zephyr' }).first().waitFor()
    }
    await page.goto(new URL(path, page.url()).href)
    await page
      .getByText(/^Zoë Zephyr · /)
      .first()
      .waitFor()
  }
  await visit(service, `${path}/sales/events`, act, { as: account })
})

test('a list keeps its page and filter in the URL, and Back works', () =>
  tour.open({ path: `${path}/partners`, title: 'Partners' }, async (page) => {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/page=2/)
    await page.getByRole('button', { name: 'Approved' }).click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'approved' && !url.searchParams.has('page'))
    await page.goBack()
    await page.waitForURL(/page=2/)
    await page.getByRole('button', { name: 'Approved', pressed: false }).waitFor()
  }))

test('a partner is found by part of the name, and the filter can be shared', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Customers')
    await page.getByRole('button', { name: 'Partner' }).click()
    await page.getByPlaceholder('Search partners').fill('zeph')
    await expectAccessibleAgain(page)
    await page.getByRole('option', { name: /Zoë Zephyr/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`partnerId=%?2?2?${link.partnerId}`))
    await page.reload()
    await page.getByRole('button', { name: 'Partner' }).getByText('Zoë Zephyr').waitFor()
    await page.getByRole('button', { name: 'Partner' }).click()
    await page.getByRole('option', { name: 'All partners' }).click()
    await page.getByRole('button', { name: 'Partner' }).getByText('All partners').waitFor()
  }
  await tour.open({ path: `${path}/sales/customers`, title: 'Customers' }, act)
})

test('a link without a partner can be assigned to one, and its clicks count from then on', async () => {
  const act = async (page: Page) => {
    await page.getByRole('button', { name: 'Create link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create link' })
    await dialog.getByLabel('Link code').fill('prepared')
    const hint = dialog.getByText('The link opens your site, but clicks aren’t tracked until it has a partner.')
    await dialog.getByRole('button', { name: /^Partner/ }).click()
    await page.getByPlaceholder('Search partners').fill('zeph')
    await page.getByRole('option', { name: /Zoë Zephyr/ }).click()
    await hint.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: /^Partner/ }).click()
    await page.getByRole('option', { name: 'No partner yet' }).click()
    await hint.waitFor()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Share this link' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for prepared' }).click()
    await page.getByRole('menuitem', { name: 'Assign partner' }).click()
    await page.getByRole('button', { name: 'Partner: Choose a partner' }).click()
    await page.getByPlaceholder('Search partners').fill('zeph')
    await page.getByRole('option', { name: /Zoë Zephyr/ }).click()
    await page.getByRole('button', { name: 'Assign partner' }).click()
    await page.getByText(/^Partner assigned to .*aff=prepared\.$/).waitFor()
    await soon(async () =>
      expect(await page.getByRole('row', { name: /prepared/ }).innerText()).toContain('Zoë Zephyr'),
    )
    await givenClick(service, { ...link, url: 'https://shop.example/?aff=prepared' })
  }
  await tour.open({ path: `${path}/links`, title: 'Links' }, act)
})
