import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser, unique } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenEarningProgram, givenPartnerAccount, givenPartnerInvitation } from './support/partner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { givenTour, push } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 2000, duration: 'months', months: 12 } }

const earning = await givenEarningProgram(service)
const partner = await givenPartnerAccount(service, earning)
const tour = givenTour(service, '/account', { as: partner })

const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).first().click()

describe('an invitation', () => {
  test('creates the partner’s account and opens the portal; after that it is no longer valid', async () => {
    const program = await givenEarningProgram(service)
    const { email, path } = await givenPartnerInvitation(program)
    await visit(service, path, async (page) => {
      await page.getByRole('heading', { name: 'Join Test' }).waitFor()
      await soon(async () => expect(await page.getByLabel('Email').inputValue()).toBe(email))
      await fill(page, 'Name', 'Maya')
      await fill(page, 'Password', 'a long password')
      await press(page, 'Create account')
      await untilLoaded(page, 'Hello, Partner')
      expect(new URL(page.url()).pathname).toBe(`/portal/${program.id}`)
      await soon(async () => expect(await page.getByRole('tab', { name: /Sales/ }).innerText()).toContain('2'))
    })
    const expectInvalid = async (page: Page) => {
      await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    }
    await visit(service, path, expectInvalid, { expectedErrors: /status of 404/ })
  })

  test.skipIf(!isLongRun)(
    'can be accepted with an existing account: a merchant who is also a partner can use both sides',
    async () => {
      const merchant = await givenPayingProgram(service, REWARD)
      const elsewhere = await givenPayingProgram(service, REWARD)
      const { body } = await elsewhere.owner.call(
        'POST',
        `${elsewhere.api}/partners/${elsewhere.link.partnerId}/invite`,
        { email: merchant.owner.email },
      )
      await visit(service, new URL(body.data.url).pathname, async (page) => {
        await page.getByRole('link', { name: 'Sign in' }).click()
        await fill(page, 'Email', merchant.owner.email)
        await fill(page, 'Password', 'a long password')
        await press(page, 'Sign in')
        await press(page, 'Accept invitation')
        await untilLoaded(page, 'Hello, Partner')
        await press(page, 'Sam Reed')
        await page.getByRole('menuitem', { name: 'Merchant dashboard' }).click()
        await untilLoaded(page, 'Overview')
        expect(new URL(page.url()).pathname).toBe(`/programs/${merchant.id}`)
        await press(page, 'Sam Reed')
        await page.getByRole('menuitem', { name: 'Partner portal' }).click()
        await untilLoaded(page, 'Hello, Partner')
      })
    },
  )

  test('cannot be accepted by another signed-in user, who can still apply to other programs', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const { email, path } = await givenPartnerInvitation(program)
    const open = await givenPayingProgram(service, REWARD)
    await open.owner.call('PATCH', open.api, { applicationsOpen: true })
    const stranger = await givenUser(service)
    const act = async (page: Page) => {
      await page.getByText(`You are signed in as ${stranger.email}, but this invitation is for ${email}.`).waitFor()
      await soon(async () => expect(await page.getByRole('button', { name: /Accept/ }).count()).toBe(0))
      await push(page, `/apply/${open.id}`)
      await press(page, 'Apply as Sam Reed')
      await page.getByText('Test is reviewing your application').waitFor()
      const sharing = page.getByText(/The links you already share keep working/)
      expect(await sharing.count()).toBe(0)
      const [{ id: partnerId }] = (await open.owner.call('GET', `${open.api}/partners?status=pending`)).body.data
      const { aff } = (await open.owner.call('POST', `${open.api}/links`, { partnerId })).body.data
      await service.call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${aff}` })
      await page.reload()
      await sharing.waitFor()
      await push(page, path)
      await press(page, `Sign out and continue as ${email}`)
      await page.getByRole('button', { name: 'Create account' }).waitFor()
    }
    await visit(service, path, act, { as: { email: stranger.email } })
  })
})

test('an application waits for approval; then the partner creates a link and its click counts', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const text = 'We pay well.\nYou write well.'
  const opened = { name: 'Acme partners', applicationsOpen: true, applicationText: text, partnersCreateLinks: true }
  expect((await program.owner.call('PATCH', program.api, opened)).status).toBe(200)
  const account = { email: `${unique('applicant')}@example.com`, password: 'a long password' }

  await visit(service, `/apply/${program.id}`, async (page) => {
    await page.getByText('20% of every sale within 12 months of a customer’s first sale').waitFor()
    await page.getByText('You write well.').waitFor()
    await fill(page, 'Name', 'Priya')
    await fill(page, 'Email', account.email)
    await fill(page, 'Password', account.password)
    await press(page, 'Submit application')
    await page.getByRole('heading', { name: 'Application submitted' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fill(page, 'Email', account.email)
    await fill(page, 'Password', account.password)
    await press(page, 'Sign in')
    await page.getByText('Acme partners is reviewing your application').waitFor()
    await soon(async () => expect(await page.getByRole('navigation').count()).toBe(0))

    const { body } = await program.owner.call('GET', `${program.api}/partners?status=pending`)
    const approved = { status: 'approved' }
    expect((await program.owner.call('PATCH', `${program.api}/partners/${body.data[0].id}`, approved)).status).toBe(200)
    await page.reload()
    await untilLoaded(page, 'Hello, Priya')
    await page.getByText('Your link', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Links' }).first().click()
    await untilLoaded(page, 'Links')
    await press(page, 'Create link')
    await fill(page, 'Destination page', 'https://shop.example/pricing')
    const aff = unique('priya')
    await page.getByLabel('Link code').fill(aff)
    await press(page, 'Create link')
    await page.getByRole('heading', { name: 'Share this link' }).waitFor()
    await page
      .getByRole('dialog')
      .getByRole('img', { name: /QR code/ })
      .waitFor()
    const address = await page.getByRole('dialog').locator('code').innerText()
    expect(address).toBe(`https://shop.example/pricing?aff=${aff}`)
    expect((await service.call('POST', '/api/v1/track/click', { affiliate_url: address })).status).toBe(200)
    await page.reload()
    await page
      .getByRole('row', { name: new RegExp(aff) })
      .getByRole('cell', { name: '1', exact: true })
      .waitFor()
  })
})

test.skipIf(!isLongRun)(
  'a program that accepts no applications says so, and a signed-in user applies with one click',
  async () => {
    const program = await givenPayingProgram(service, REWARD)
    const seeClosed = async (page: Page) => {
      await page.getByRole('heading', { name: 'Applications are closed' }).waitFor()
    }
    await visit(service, `/apply/${program.id}`, seeClosed, { expectedErrors: /status of 404/ })
    await program.owner.call('PATCH', program.api, { applicationsOpen: true })
    const user = await givenUser(service)
    const apply = async (page: Page) => {
      await press(page, 'Apply as Sam Reed')
      await page.getByText('Test is reviewing your application').waitFor()
    }
    await visit(service, `/apply/${program.id}`, apply, { as: { email: user.email } })
  },
)

test('a held commission says until when, and a reversed one says why', () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    const half = page.getByRole('row', { name: /of \$20\.00/ })
    await half.getByText(/^Held until \w+ \d+, \d+\. \$10\.00 was reversed\. Part of the sale was refunded/).waitFor()
    const whole = page.getByRole('row', { name: /of \$15\.40/ })
    await whole.getByText('Reversed. The sale was refunded to the customer.').waitFor()
    await press(page, 'Reversed in full')
    await page.waitForURL(/state=reversed/)
    await page.getByText('1 commission').waitFor()
    await page
      .getByRole('row', { name: /\$0\.00/ })
      .getByRole('button')
      .click()
    await page.getByRole('dialog').getByText('History').waitFor()
  }
  return tour.open({ path: `/portal/${earning.id}/earnings`, title: 'Commissions' }, act)
})

test('payout details are saved, and statements download as files', () => {
  const act = async (page: Page) => {
    await page.getByText('No payouts yet').waitFor()
    await page.getByText(/^Add your payout details .* paused for 48 hours after you save\.$/).waitFor()
    await page.getByLabel('Method').selectOption('bank')
    await fill(page, 'IBAN or account number', 'DE89 3704 0044 0532 0130 00')
    await fill(page, 'Account holder', 'Maya Lindqvist')
    await press(page, 'Save payout details')
    await page.getByText('Payout details saved.').waitFor()
    await page.getByText(/^Saved on .*\. For your security, no payout is sent to these details before/).waitFor()
    await page.reload()
    await page.getByText(/^DE89/).waitFor()
    await press(page, 'Edit payout details')
    await page.getByLabel('IBAN or account number').and(page.locator('[value^=DE89]')).waitFor()
    await press(page, 'Cancel')
    await page.getByText(/^DE89/).waitFor()
    const started = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Balance history/ }).click()
    expect((await started).suggestedFilename()).toMatch(/statement.*\.csv$/)
  }
  return tour.open({ path: `/portal/${earning.id}/payouts`, title: 'Payouts' }, act)
})

describe('a user who is only a partner', () => {
  const SCREENS = ['Links', 'Sales', 'Commissions', 'Payouts', 'Overview']

  test('sees no customers and no other partners, neither on a page nor in a response', () => {
    const act = async (page: Page) => {
      const texts: string[] = []
      page.on('response', async (response) => {
        if (response.url().includes('/api/')) texts.push(await response.text().catch(() => ''))
      })
      await page.reload()
      await untilLoaded(page, 'Hello, Partner')
      for (const screen of SCREENS) {
        await go(page, screen)
        await untilLoaded(page, screen === 'Overview' ? 'Hello, Partner' : screen)
        if (screen === 'Commissions') {
          await page.getByRole('row').nth(1).getByRole('button').click()
          await page.getByRole('dialog').getByText('History').waitFor()
          texts.push(await page.content())
          await page.keyboard.press('Escape')
        }
        texts.push(await page.content())
      }
      expect(texts.length).toBeGreaterThan(12)
      expect(texts.join()).toContain('20.00')
      for (const secret of earning.secrets) expect([secret, texts.join().includes(secret)]).toEqual([secret, false])
    }
    return tour.open({ path: `/portal/${earning.id}`, title: 'Hello, Partner' }, act)
  })

  test('lands in the portal and cannot open merchant screens or routes', async () => {
    const screens = ['', '/sales/events', '/partners', '/links', '/set-up', '/settings/api-keys']
    const act = async (page: Page) => {
      await page.waitForURL(`**/portal/${earning.id}`)
      for (const path of sized({ short: ['/sign-in?next=/'], long: ['/welcome', '/sign-in?next=/'] })) {
        await page.goto(service.url + path)
        if (path.startsWith('/sign-in')) {
          await fill(page, 'Email', partner.email)
          await fill(page, 'Password', partner.password)
          await press(page, 'Sign in')
        }
        await page.waitForURL(`**/portal/${earning.id}`)
      }
      for (const screen of sized({ short: screens.slice(-1), long: screens })) {
        await page.goto(`${service.url}/programs/${earning.id}${screen}`)
        await page.getByText('Page not found').waitFor()
        await soon(async () => expect(await page.getByRole('navigation').count()).toBe(0))
      }
      for (const path of ['', '/partners', '/links', '/commissions', '/payouts', '/customers', '/export/sales.csv']) {
        const { status } = await page.request
          .get(`${service.url}${earning.api}${path}`)
          .then((response) => ({ status: response.status() }))
        expect([path, status]).toEqual([path, 403])
      }
      const strange = await givenPayingProgram(service, REWARD)
      await page.goto(`${service.url}/portal/${strange.id}`)
      await page.getByText('Page not found').waitFor()
    }
    await visit(service, '/', act, { as: partner })
  })
})

test.skipIf(!isLongRun)('a partner of several programs can switch between them', async () => {
  const second = await givenPayingProgram(service, REWARD)
  await second.owner.call('PATCH', second.api, { name: 'Second program' })
  const { body } = await second.owner.call('POST', `${second.api}/partners/${second.link.partnerId}/invite`, {
    email: partner.email,
  })
  const act = async (page: Page) => {
    await press(page, 'Accept invitation')
    await page.waitForURL(`**/portal/${second.id}`)
    await press(page, 'Switch program')
    await page.getByRole('menuitem', { name: 'Test', exact: true }).click()
    await page.waitForURL(`**/portal/${earning.id}`)
    await untilLoaded(page, 'Hello, Partner')
  }
  await tour.open({ path: new URL(body.data.url).pathname, title: 'Join Second program' }, act)
})
