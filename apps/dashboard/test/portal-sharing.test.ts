import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const PNG_HEADER = [0x89, 0x50, 0x4e, 0x47]

/** Two sales of one customer, of which only the first pays. It is payable immediately. */
const givenPayablePartner = async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 2000, duration: 'first' }, holdDays: 0 })
  await program.owner.call('PATCH', program.api, { name: 'First program', websites: ['https://shop.example'] })
  const { customer_key } = await givenSale(program, 10_000)
  expect((await program.sale({ customer_key, amount: 3_000, invoice_id: 'renewal' })).status).toBe(200)
  return { program, partner: await givenPartnerAccount(service, program) }
}

const saveAs = async (page: Page, name: string) => {
  const saved = page.waitForEvent('download')
  await press(page, name)
  const download = await saved
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** Stands in for the phone's share dialog, which a browser without a screen does not have. */
const withShareDialog = (page: Page) =>
  page.evaluate(() => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, { share: async (data: unknown) => shared.push(data) })
  })

test('a partner shares any page from their phone, as a link or a QR code', async () => {
  const { program, partner } = await givenPayablePartner()
  const { aff } = program.link
  const act = async (page: Page) => {
    await withShareDialog(page)
    await page.getByRole('button', { name: `Share ${aff}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Page').fill('https://elsewhere.example/')
    await dialog.getByText('This page is not on https://shop.example.').waitFor()
    await dialog.getByLabel('Page').fill('https://shop.example/p?q=a%20b&utm_source=old&aff=other#top')
    await dialog.getByLabel('UTM source').fill('my newsletter')
    await dialog.getByLabel('UTM content').fill('banner&1')
    await dialog.getByLabel('UTM term').fill('shoes')
    const utm = 'utm_source=my%20newsletter&utm_content=banner%261&utm_term=shoes'
    const address = `https://shop.example/p?aff=${aff}&q=a%20b&${utm}#top`
    await soon(async () => expect(await dialog.locator('code').innerText()).toBe(address))
    await dialog.getByRole('img', { name: /QR code/ }).waitFor()
    await press(page, 'Share link')
    expect(await page.evaluate(() => (window as unknown as { shared: unknown }).shared)).toEqual([{ url: address }])
    const png = await saveAs(page, 'Download PNG')
    expect([png.name, ...png.bytes.subarray(0, 4)]).toEqual([`${aff}.png`, ...PNG_HEADER])
    const svg = await saveAs(page, 'Download SVG')
    expect([svg.name, svg.bytes.toString().slice(0, 4)]).toEqual([`${aff}.svg`, '<svg'])
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
  }
  await visit(service, `/portal/${program.id}/links`, act, { as: partner, window: PHONE })
})

test.skipIf(!isLongRun)(
  'a partner of two programs sees what each sale earned, what is payable and where details are missing',
  async () => {
    const { program, partner } = await givenPayablePartner()
    const second = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
    await second.owner.call('PATCH', second.api, { name: 'Second program' })
    await givenSale(second, 4_000)
    const { email } = partner
    const { url } = (
      await second.owner.call('POST', `${second.api}/partners/${second.link.partnerId}/invite`, { email })
    ).body.data
    const act = async (page: Page) => {
      await press(page, 'Accept invitation')
      await untilLoaded(page, 'Hello, Partner')
      await press(page, 'Switch program')
      await page.getByRole('menuitem', { name: 'All programs' }).click()
      await untilLoaded(page, 'Your programs')
      const row = page.getByRole('listitem').filter({ hasText: 'First program' })
      await soon(async () => expect(await row.innerText()).toContain('$20.00'))
      await soon(async () => expect(await page.getByRole('link', { name: 'Add payout details' }).count()).toBe(1))
      await page.getByRole('heading', { name: 'All programs' }).waitFor()
      await expectAccessibleAgain(page)
      await row.getByRole('link', { name: 'First program' }).click()
      await page
        .getByText('$20.00 is ready to be paid. Add your payout details so First program can pay you.')
        .waitFor()
      await push(page, `/portal/${program.id}/sales`)
      await untilLoaded(page, 'Sales')
      await page.getByRole('cell', { name: 'Your terms pay only for a customer’s first sale.' }).waitFor()
      await page
        .getByRole('row', { name: /\$100\.00/ })
        .getByRole('button')
        .first()
        .click()
      await page.getByRole('dialog').getByText('Add payout details to be paid.').waitFor()
      await page.keyboard.press('Escape')
      await press(page, 'Maya')
      await page.getByRole('menuitem', { name: 'Account settings' }).click()
      await untilLoaded(page, 'Account settings')
      await page.getByRole('link', { name: 'Partner portal' }).click()
      await untilLoaded(page, 'Hello, Partner')
      // Details are still missing once the money is in a payout.
      await program.pay()
      await page.goto(`${service.url}/portal/${program.id}`)
      await page.getByText('$20.00 is ready to be paid.').waitFor()
    }
    await visit(service, new URL(url).pathname, act, { as: partner })
  },
)
