import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { givenEarningProgram, givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** The label of an optional field says so. */
const field = (page: Page, label: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${label.replace('?', '\\?')}( ?Optional)?$`) })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const toast = (page: Page, text: string) => page.getByText(text).first().waitFor()

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A red image that browsers can show. */
const png = (width: number, height: number) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([200, 30, 40]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

const choose = async (page: Page, button: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
  const chooser = page.waitForEvent('filechooser')
  await press(page, button)
  await (await chooser).setFiles(file)
}

test('a merchant sets the branding, the agreement, the application form and resources', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Branding')
    await choose(page, 'Upload logo', { name: 'logo.svg.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
    await toast(page, 'The logo must be a PNG, JPEG or WebP image.')
    await press(page, 'Dismiss message')
    await choose(page, 'Upload logo', { name: 'logo.png', mimeType: 'image/png', buffer: png(120, 40) })
    await toast(page, 'Logo saved.')
    await field(page, 'Name').fill('Acme Friends')
    await field(page, 'Accent color').fill('#ffcc00')
    await field(page, 'Support email').fill('help@acme.example')
    await press(page, 'Save branding')
    await toast(page, 'Branding saved.')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Agreement' }).click()
    await untilLoaded(page, 'Agreement')
    await field(page, 'Agreement').fill('# Rules\n\n- Be **nice**\n- [Ask us](https://acme.example/help)')
    await press(page, 'Publish agreement')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish agreement' }).click()
    await page.getByText('Version 1, published').waitFor()
    await expectAccessibleAgain(page)

    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Applications' }).click()
    await untilLoaded(page, 'Applications')
    await press(page, 'Add question')
    await field(page, 'Question').fill('Your website')
    await page.getByRole('combobox', { name: 'Answer type' }).selectOption('url')
    await page.getByRole('switch', { name: 'Approve applicants who meet your conditions' }).click()
    await press(page, 'Save questions and approval')
    await page.getByText('needs at least one domain or country').waitFor()
    await field(page, 'Website domains').fill('blog.example, shop.example')
    await press(page, 'Save questions and approval')
    await toast(page, 'Questions and approval saved.')
    await expectAccessibleAgain(page)

    await page.getByRole('link', { name: 'Resources' }).click()
    await untilLoaded(page, 'Resources')
    await press(page, 'Add text')
    await field(page, 'Title').fill('Short post')
    await field(page, 'Text').fill('Try Acme: {link}')
    await page.getByRole('dialog').getByRole('button', { name: 'Add text' }).click()
    await toast(page, 'Text added.')
    await choose(page, 'Upload file', { name: 'banner.png', mimeType: 'image/png', buffer: png(8, 8) })
    await page.getByRole('link', { name: 'Download banner.png' }).waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `${owner.path}/settings/branding`, act, {
    as: owner.account,
    expectedErrors: /status of 400/,
  })
})

/** A program with everything that partners see. */
const givenBrandedProgram = async () => {
  const program = await givenEarningProgram(service)
  const put = (path: string, body: object) => program.owner.call('PUT', `${program.api}/${path}`, body)
  await program.owner.call('PATCH', program.api, { applicationsOpen: true, websites: ['https://shop.example'] })
  await put('branding', { displayName: 'Acme Friends', accentColor: '#ffcc00', supportEmail: 'help@acme.example' })
  const headers = { cookie: program.owner.cookie }
  const logo = { method: 'PUT', headers, body: new Uint8Array(png(120, 40)) }
  expect((await fetch(`${service.url}${program.api}/branding/logo`, logo)).status).toBe(200)
  const text = { title: 'Short post', body: 'Try Acme: {link}' }
  await program.owner.call('POST', `${program.api}/resources/texts`, text)
  await program.owner.call('POST', `${program.api}/resources/files?fileName=banner.txt`, 'Hello')
  return { ...program, put }
}

const WINDOWS: [string, BrowserContextOptions][] = [
  ['on a phone', PHONE],
  ['on a dark desktop', { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' }],
]

test.each(
  sized({ short: WINDOWS.slice(0, 1), long: WINDOWS }),
)('a partner sees the brand, accepts a new agreement and uses resources %s', async (_, window) => {
  const program = await givenBrandedProgram()
  const as = await givenPartnerAccount(service, program)
  await program.put('agreement', { text: '# Rules\n\n- Be **nice** <script>alert(1)</script>' })
  const act = async (page: Page) => {
    await page.getByText('The program asks you to accept its agreement.').waitFor()
    expect(await page.locator('header img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120)
    await page.getByRole('link', { name: 'help@acme.example' }).waitFor()
    await untilLoaded(page, 'Hello, Partner')
    await expectAccessibleAgain(page)
    await page.getByRole('link', { name: 'Read agreement' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Be nice <script>alert(1)</script>' }).waitFor()
    const button = page.getByRole('button', { name: 'Accept agreement' })
    const look = await button.evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element)
      return [backgroundColor, color]
    })
    expect(look).toEqual(['rgb(255, 204, 0)', 'rgb(0, 0, 0)'])
    await expectAccessibleAgain(page)
    await button.click()
    await page.getByText('You accepted version 1 on').waitFor()
    await page.getByRole('button', { name: 'Maya' }).click()
    await page.getByRole('menuitem', { name: 'Resources' }).click()
    await page.getByText(`Try Acme: https://shop.example/?aff=${program.link.aff}`).waitFor()
    await soon(async () => expect(await page.getByText('accept its agreement').count()).toBe(0))
    await page.getByRole('button', { name: 'Copy text' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download banner.txt' }).click()
    expect((await download).suggestedFilename()).toBe('banner.txt')
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
  }
  await visit(service, `/portal/${program.id}`, act, { as, window })
})

test.skipIf(!isLongRun)(
  'an applicant answers questions, and a merchant decides on several with a message',
  async () => {
    const { id, owner, api, put } = await givenBrandedProgram()
    await put('agreement', { text: 'Be nice.' })
    const site = { id: 'site', label: 'Your website', kind: 'url', required: true }
    const how = { id: 'how', label: 'How will you promote us?', kind: 'choice', options: ['Blog', 'Video'] }
    await put('application-form', { questions: [site, how] })
    const email = `ada-${id}@example.com`
    const apply = async (page: Page) => {
      await page.getByRole('heading', { name: 'Join Acme Friends' }).waitFor()
      await field(page, 'Name').fill('Ada')
      await field(page, 'Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('a long password')
      await field(page, 'Your website').fill('https://blog.example/ada')
      await page.getByRole('combobox', { name: /How will you promote us/ }).selectOption('Video')
      await expectAccessibleAgain(page)
      await press(page, 'Read it')
      await page.getByRole('dialog').getByText('Be nice.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('checkbox', { name: 'I accept the program agreement.' }).check()
      await press(page, 'Submit application')
      await page.getByRole('heading', { name: 'Application submitted' }).waitFor()
    }
    await visit(service, `/apply/${id}`, apply)
    await owner.call('POST', `${api}/partners`, { name: 'Quentin', status: 'pending' })
    const decide = async (page: Page) => {
      await page.getByText('https://blog.example/ada · Video').first().waitFor()
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await expectAccessibleAgain(page)
      await press(page, 'Reject')
      await field(page, 'Message').fill('Come back next year.')
      await expectAccessibleAgain(page)
      await press(page, 'Reject partners')
      await toast(page, '2 partners rejected.')
      await page.getByText('No applications to decide').waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click()
      await untilLoaded(page, 'Partners')
      await page.getByRole('row', { name: /Ada/ }).getByRole('link').first().click()
      await page.getByText('https://blog.example/ada', { exact: true }).waitFor()
      await page.getByText('Come back next year.').waitFor()
    }
    const as = { email: owner.email }
    await visit(service, `/programs/${id}/partners/applications`, decide, { as })
    const look = (page: Page) => page.getByText(/Message from .*: Come back next year./).waitFor()
    await visit(service, `/portal/${id}`, look, { as: { email } })
  },
)
