import { expect, test } from 'bun:test'
import { MAX_LIVE_EVENTS } from '@tributary/contract'
import type { Page } from 'playwright-core'
import { givenClick } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService({}, { databaseDelayMs: sized({ short: 15, long: 60 }) })

const givenShop = async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
  return { ...program, account: { email: program.owner.email }, path: `/programs/${program.id}` }
}

/** A quarter of this machine's speed, in front of a slow database. */
const onSlowMachine = (act: (page: Page) => Promise<void>) => async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await act(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await devtools.detach()
}

const shows = async (page: Page, ...texts: (string | RegExp)[]) => {
  for (const text of texts)
    await soon(async () => expect((await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')).toMatch(text))
}

test('an open overview of a slow machine shows the first click, lead and sale everywhere', async () => {
  const shop = await givenShop()
  const act = onSlowMachine(async (page) => {
    await untilLoaded(page, 'Overview')
    await page.getByText('No clicks yet').waitFor()
    await givenSale(shop, 2_900)
    await shows(page, /Clicks 1 /, /Leads 1 /, /Sales 1 /, /Revenue \$29\.00/, /Top partners .* 1 1 1/)
    expect(await page.getByText('As of').count()).toBe(0)
    // A credited sale completes its step, although the program expects sales from Stripe.
    await shows(page, /Next: Add a partner and their link .* 4 of 5 complete/)
    await givenClick(service, shop.link)
    await shows(page, /Clicks 2 /, /Top partners .* 2 1 1/)
  })
  await visit(service, `${shop.path}?metric=clicks`, act, { as: shop.account })
})

test.skipIf(!isLongRun)(
  'the overview of more than 100,000 events says how old it is, and is replaced in all its parts',
  async () => {
    const shop = await givenShop()
    await service.pool.query(
      `INSERT INTO daily_breakdowns (program_id, dimension, day, value, clicks, leads, sales)
     VALUES ($1, 'device', current_date - 20, 'desktop', $2, 0, 0)`,
      [shop.id, MAX_LIVE_EVENTS + 1],
    )
    await givenClick(service, shop.link)
    const act = onSlowMachine(async (page) => {
      await untilLoaded(page, 'Overview')
      await shows(page, /Clicks 1 /)
      await page.getByRole('button', { name: /^Period/ }).click()
      await page.getByText(/As of \d/).waitFor()
      await page.keyboard.press('Escape')
      await givenSale(shop, 2_900)
      await shows(page, /Clicks 2 /, /Sales 1 /, /Top partners .* 2 1 1/, /Funnel .* 2 .* 1 /)
    })
    await visit(service, `${shop.path}?metric=clicks`, act, { as: shop.account })
  },
)

test.skipIf(!isLongRun)('open lists of a slow machine show new events and refunds', async () => {
  const shop = await givenShop()
  await givenSale(shop, 1_000)
  const act = onSlowMachine(async (page) => {
    for (const [path, title, row] of [
      ['links', 'Links', /\$\d+\.00/],
      ['customers', 'Customers', 'customer_key'],
      ['sales', 'Sales', 'invoice_id'],
      ['commissions', 'Commissions', 'invoice_id'],
      ['events', 'Events', 'invoice_id'],
    ] as const) {
      await push(page, `${shop.path}/${path}`)
      await untilLoaded(page, title)
      const before = await page.locator('main').innerText()
      const sale = await givenSale(shop, 5_000)
      if (typeof row === 'string') await shows(page, String(sale[row]))
      else await soon(async () => expect(await page.locator('main').innerText()).not.toBe(before))
    }
    await push(page, `${shop.path}/analytics`)
    await untilLoaded(page, 'Analytics')
    await givenSale(shop, 100)
    await shows(page, /Clicks 7 .*Leads 7 .*First sales 7/)
    const { sale_id, invoice_id } = await givenSale(shop, 100)
    await push(page, `${shop.path}/sales/${sale_id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await shop.refund({ invoice_id, amount: 40 })
    await shows(page, /\$0\.40/)
  })
  await visit(service, `${shop.path}?metric=clicks`, act, { as: shop.account })
})

test.skipIf(!isLongRun)('the open portal of a slow machine shows a new sale', async () => {
  const shop = await givenShop()
  const account = await givenPartnerAccount(service, shop)
  const act = onSlowMachine(async (page) => {
    await page.getByRole('tab').first().waitFor()
    await givenSale(shop, 2_900)
    await shows(page, /Clicks 1 /, /Sales 1 /)
  })
  await visit(service, `/portal/${shop.id}`, act, { as: account })
})

test('a page whose stream was answered with an error, as by a proxy during an upgrade, connects again', async () => {
  const shop = await givenShop()
  let attempts = 0
  const act = async (page: Page) => {
    await page.route('**/stream', (route) => (++attempts === 1 ? route.fulfill({ status: 502 }) : route.continue()))
    await page.reload()
    await untilLoaded(page, 'Events')
    await page.getByText('Live', { exact: true }).waitFor()
    expect(attempts).toBe(2)
  }
  await visit(service, `${shop.path}/sales/events`, act, { as: shop.account, expectedErrors: /502/ })
})

test.skipIf(!isLongRun)(
  'seven open pages of one browser share one stream, and another takes over when the first closes',
  async () => {
    const shop = await givenShop()
    const act = async (page: Page) => {
      const context = page.context()
      const streams: string[] = []
      context.on('request', (request) => {
        if (request.url().endsWith('/stream')) streams.push(request.url())
      })
      const pages = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
      for (const each of pages) {
        await each.goto(`${service.url}${shop.path}/sales/events`)
        await untilLoaded(each, 'Events')
        await each.getByText('Live', { exact: true }).waitFor()
      }
      expect(streams).toEqual([])
      await page.goto('about:blank')
      await soon(async () => expect(streams).toHaveLength(1))
      const { invoice_id } = await givenSale(shop, 2_900)
      for (const each of pages) await shows(each, String(invoice_id))
      await Promise.all(pages.map((each) => each.close()))
      await page.goto(service.url + shop.path)
    }
    await visit(service, `${shop.path}/sales/events`, act, { as: shop.account })
  },
)
