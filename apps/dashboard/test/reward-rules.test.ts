import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { unique } from '../../server/test/support/given.ts'
import { DAY_MS, startTestService } from '../../server/test/support/service.ts'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()

type Rules = { when?: object; pays: object[] }[]

const ADDON = { when: { products: ['prod_addon'] }, pays: [] }
const YEARLY = { when: { interval: 'year' }, pays: [{ percentBps: 1_000 }] }
const A_YEAR_THEN_LESS = { pays: [{ months: 12, percentBps: 3_000 }, { percentBps: 1_000 }] }

const givenRules = async (rules: Rules) => {
  const owner = await givenOwner(service)
  const reward = { sale: { rules }, holdDays: 0 }
  expect((await owner.call('PUT', `/api${owner.path}/reward`, reward)).status).toBe(200)
  return owner
}

const onRewards = (owner: Awaited<ReturnType<typeof givenOwner>>, act: (page: Page) => Promise<void>, options = {}) =>
  visit(
    service,
    `${owner.path}/settings/rewards`,
    async (page) => {
      await untilLoaded(page, 'Rewards')
      await act(page)
    },
    { as: owner.account, ...options },
  )

const ruleList = (page: Page) => page.getByRole('list', { name: 'Rules' })
const sentences = (page: Page) => ruleList(page).locator('li > div:first-child > [aria-expanded]').allTextContents()
const stage = (page: Page, name: 'Pays' | 'Then') => page.getByRole('group', { name }).last()

test('a founder sets up 30% for a year, then 10%, and a sale after a year earns 10%', async () => {
  const owner = await givenOwner(service)
  await onRewards(owner, async (page) => {
    let clicks = 0
    const click = async (name: string) => {
      clicks += 1
      await press(page, name, { exact: true })
    }
    await click('Percentage')
    await page.getByLabel('Percentage').fill('30')
    await click('Then a different rate')
    // The first rate lasts a year unless someone says otherwise, and the field for the next one has the focus.
    await soon(async () => expect(await stage(page, 'Pays').getByLabel('Months').inputValue()).toBe('12'))
    await soon(async () => expect(await page.locator(':focus').getAttribute('max')).toBe('100'))
    await page.keyboard.type('10')
    await click('Save reward terms')
    await page.getByText('Reward terms saved: 30% of every sale for 12 months, then 10%.').waitFor()
    await page.getByText('Current: 30% of every sale for 12 months, then 10%.').waitFor()
    expect(clicks).toBe(3)
  })
  const { partnerId, renew } = await givenCustomer(owner)
  await renew(10_000)
  service.clock.advance(366 * DAY_MS)
  await renew(10_000)
  const { body } = await owner.call('GET', `/api${owner.path}/commissions?partnerId=${partnerId}`)
  const earned = body.data.map(({ amountCents }: { amountCents: number }) => amountCents)
  expect(earned.sort((a: number, b: number) => a - b)).toEqual([1_000, 3_000])
})

/** A customer of the owner's partner, who pays again and again. */
const givenCustomer = async (owner: Awaited<ReturnType<typeof givenOwner>>) => {
  const api = `/api${owner.path}`
  const [partner] = (await owner.call('GET', `${api}/partners`)).body.data
  const { aff } = await owner.create(`${api}/links`, { partnerId: partner.id, aff: unique('aff') })
  const { key } = await owner.create(`${api}/api-keys`, { name: 'Server' })
  const keyed = async (path: string, body: object) => {
    const answer = await service.call('POST', path, body, { authorization: `Bearer ${key}` })
    expect(answer.status).toBe(200)
  }
  const click = await service.call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${aff}` })
  const customer_key = unique('customer')
  await keyed('/api/v1/track/lead', { customer_key, click_id: click.body.click_id })
  const renew = (amount: number, items?: object[]) =>
    keyed('/api/v1/track/sale', { customer_key, amount, invoice_id: unique('invoice'), ...(items && { items }) })
  return { partnerId: partner.id as number, renew }
}

test('a program’s first reward has the same form', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await page.getByLabel('Program name').fill('Two rates')
    await page.getByLabel('Website').fill('https://shop.example')
    await press(page, 'Then a different rate')
    await soon(async () => expect(await page.locator(':focus').getAttribute('max')).toBe('100'))
    await page.keyboard.type('10')
    await press(page, 'Create program')
    await page.waitForURL(/\/programs\/\d+\/set-up/)
    await page.getByText('30% of every sale for 12 months, then 10%.').first().waitFor()
    const path = new URL(page.url()).pathname.replace('/set-up', '/reward')
    const { body } = await owner.call('GET', `/api${path}`)
    expect(body.data.sale.rules).toEqual([A_YEAR_THEN_LESS])
  }
  await visit(service, `/welcome?workspace=${owner.workspaceId}`, act, { as: owner.account })
})

test('merchants, applicants and the audit log read the same sentences', async () => {
  const owner = await givenRules([ADDON, YEARLY, A_YEAR_THEN_LESS])
  const sentences = ['prod_addon: nothing', 'Yearly plans: 10%', 'Everything else: 30% for 12 months, then 10%']
  const opened = { applicationsOpen: true, applicationText: 'We pay well.' }
  expect((await owner.call('PATCH', `/api${owner.path}`, opened)).status).toBe(200)
  const [partner] = (await owner.call('GET', `/api${owner.path}/partners`)).body.data
  const act = async (page: Page) => {
    await untilLoaded(page, 'Maya Lindqvist')
    await page.getByText(sentences.join('. '), { exact: true }).waitFor()
    await push(page, `${owner.path}/partners/groups`)
    await page.getByRole('table').getByText(sentences.join('. '), { exact: true }).waitFor()
    await push(page, `${owner.path}/settings/audit-log`)
    await untilLoaded(page, 'Audit log')
    await press(page, 'Reward terms changed')
    await page.getByRole('dialog').getByText(sentences.join('. ')).waitFor()
  }
  await visit(service, `${owner.path}/partners/${partner.id}`, act, { as: owner.account })
  await visit(service, owner.path.replace('/programs/', '/apply/'), async (page) => {
    for (const sentence of sentences) await page.getByText(sentence, { exact: true }).waitFor()
  })
})

test('rules are added, moved and removed by keyboard, and read as sentences', async () => {
  const owner = await givenRules([YEARLY, A_YEAR_THEN_LESS])
  await onRewards(owner, async (page) => {
    expect(await sentences(page)).toEqual([
      'Rule 1: Yearly plans: 10%',
      'Rule 2: Everything else: 30% for 12 months, then 10%',
    ])
    await page.getByRole('button', { name: 'Add a rule' }).focus()
    await page.keyboard.press('Enter')
    // The new rule is before the one for everything else, and its first field has the focus.
    await soon(async () => expect(await page.locator(':focus').evaluate((field) => field.tagName)).toBe('TEXTAREA'))
    await page.keyboard.type('prod_addon')
    await ruleList(page).getByLabel('Pays', { exact: true }).selectOption('Nothing')
    await soon(async () => expect((await sentences(page))[1]).toBe('Rule 2: prod_addon: nothing'))

    await page.getByRole('button', { name: 'Move rule 2 up' }).focus()
    await page.keyboard.press('Enter')
    await soon(async () => expect((await sentences(page))[0]).toBe('Rule 1: prod_addon: nothing'))
    // The focus moves along with the rule, also at the end of the list.
    await soon(async () => expect(await focusedName(page)).toBe('Move rule 1 up'))
    await page.keyboard.press('Enter')
    expect((await sentences(page))[0]).toBe('Rule 1: prod_addon: nothing')
    await press(page, 'Save reward terms')
    await page
      .getByText(
        'Reward terms saved: prod_addon: nothing. Yearly plans: 10%. Everything else: 30% for 12 months, then 10%.',
      )
      .waitFor()

    await page.getByRole('button', { name: 'Remove rule 2' }).focus()
    await page.keyboard.press('Enter')
    await soon(async () => expect(await sentences(page)).toHaveLength(2))
    await soon(async () => expect(await focusedName(page)).toBe('Add a rule'))
    await press(page, 'Remove rule 1')
    // One rule without conditions is the simple form again.
    await soon(async () => expect(await ruleList(page).count()).toBe(0))
    await stage(page, 'Then').getByRole('button', { name: 'Remove this rate' }).click()
    await soon(async () => expect(await page.getByLabel('Duration').inputValue()).toBe('months'))
    expect(await page.getByLabel('Percentage').inputValue()).toBe('30')
  })
})

const focusedName = (page: Page) =>
  page.locator(':focus').evaluate((element) => element.getAttribute('aria-label') ?? element.textContent?.trim())

test('a rule that can never match has a warning, before it is saved', async () => {
  const owner = await givenRules([YEARLY, A_YEAR_THEN_LESS])
  await onRewards(owner, async (page) => {
    await press(page, 'Move rule 1 down')
    const [first, second] = [0, 1].map((place) => ruleList(page).getByRole('listitem').nth(place))
    await second
      ?.getByText('Rule 2 never matches, because earlier rules decide about everything that it matches.')
      .waitFor()
    expect(await first?.getByText('never matches').count()).toBe(0)
    await press(page, 'Move rule 2 up')
    await soon(async () => expect(await page.getByText('never matches').count()).toBe(0))
  })
})

test('a refused value is reported at its field, in the rule that has it', async () => {
  const owner = await givenRules([YEARLY, A_YEAR_THEN_LESS])
  await onRewards(
    owner,
    async (page) => {
      await ruleList(page).getByText('Yearly plans: 10%').click()
      await press(page, 'Add a condition')
      await page.getByRole('menuitem', { name: 'Countries' }).click()
      const countries = ruleList(page).getByLabel('Countries', { exact: true })
      await countries.fill('Germany')
      await ruleList(page).getByText('Yearly plans, customers from GERMANY: 10%').click()
      await soon(async () => expect(await countries.count()).toBe(0))
      await press(page, 'Save reward terms')
      // The rule is opened again to show it.
      await soon(async () => expect(await countries.getAttribute('aria-invalid')).toBe('true'))
      await ruleList(page).getByText('Must be a country code such as US').waitFor()
      await soon(async () => expect(await countries.evaluate((field) => field === document.activeElement)).toBe(true))
      await countries.fill('de')
      await soon(async () => expect(await page.getByText('Must be a country code').count()).toBe(0))
      await press(page, 'Save reward terms')
      await page.getByText(/^Reward terms saved: Yearly plans, customers from Germany: 10%\./).waitFor()
    },
    { expectedErrors: /status of 400/ },
  )
})

test('a sale shows what each item earned, by the rules at the time', async () => {
  const owner = await givenRules([ADDON, YEARLY, A_YEAR_THEN_LESS])
  const { renew } = await givenCustomer(owner)
  await renew(10_000, [
    { product_id: 'prod_addon', amount: 2_000 },
    { product_id: 'prod_pro', interval: 'year', amount: 5_000 },
  ])
  const later = { sale: { percentBps: 5_000, duration: 'lifetime' }, holdDays: 0 }
  expect((await owner.call('PUT', `/api${owner.path}/reward`, later)).status).toBe(200)
  const [sale] = (await owner.call('GET', `/api${owner.path}/sales`)).body.data
  const { steps } = (await owner.call('GET', `/api${owner.path}/sales/${sale.id}/explain`)).body.data
  const aboutRules = steps.filter(({ code }: { code: string }) => code.startsWith('rule_'))
  expect(aboutRules.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('rule_matched'))
  const act = async (page: Page) => {
    await untilLoaded(page, `Sale ${sale.invoiceId}`)
    const item = (text: string) =>
      page.getByRole('list', { name: 'Items' }).getByRole('listitem').filter({ hasText: text }).first()
    await item('prod_addon').getByText('Rule 1, prod_addon: nothing.').waitFor()
    await item('prod_pro').getByText('10% = $5.00').waitFor()
    await item('Rest of the sale').getByText('Rule 3, Everything else: 30% for 12 months, then 10%.').waitFor()
    await item('Rest of the sale').getByText('30% = $9.00').waitFor()
    // The explanation has the same as sentences, which would repeat the card.
    expect(
      await page
        .getByRole('main')
        .getByText(/matched rule/)
        .count(),
    ).toBe(0)
    await expectAccessible(page)
  }
  await visit(service, `${owner.path}/sales/${sale.id}`, act, { as: owner.account })
})

test('if the booked commission is not what is calculated now, the explanation shows the items, once', async () => {
  const owner = await givenRules([ADDON, { ...A_YEAR_THEN_LESS, maxPerSaleCents: 500 } as Rules[0]])
  const { renew } = await givenCustomer(owner)
  await renew(10_000, [{ product_id: 'prod_addon', amount: 2_000 }])
  const [sale] = (await owner.call('GET', `/api${owner.path}/sales`)).body.data
  const { steps } = (await owner.call('GET', `/api${owner.path}/sales/${sale.id}/explain`)).body.data
  const codes = steps.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('rule_'))
  expect(codes).toEqual(['rule_matched', 'rule_matched', 'rule_maximum'])
  const act = async (page: Page) => {
    // What the preview calculates now is not what was booked.
    await page.route(/\/reward\/preview-sale$/, async (route) => {
      const answer = await route.fetch()
      const { data } = await answer.json()
      await route.fulfill({
        response: answer,
        json: { data: { ...data, commission: { amountCents: 1, currency: 'USD' } } },
      })
    })
    await push(page, `${owner.path}/sales/${sale.id}`)
    await untilLoaded(page, `Sale ${sale.invoiceId}`)
    const main = page.getByRole('main')
    await main.getByText(/^prod_addon of \$20\.00 matched rule 1, but it pays nothing\.$/).waitFor()
    await main.getByText('The maximum per sale of rule 2 cut $24.00 to $5.00.').waitFor()
    expect(await main.getByText(/matched rule/).count()).toBe(2)
    expect(await main.getByText(/The maximum per sale/).count()).toBe(1)
    expect(await page.getByRole('list', { name: 'Items' }).count()).toBe(0)
  }
  await visit(service, owner.path, act, { as: owner.account })
})

test('the preview shows which rule decides about each item of a real sale, and why earlier ones do not', async () => {
  const owner = await givenRules([ADDON, YEARLY, A_YEAR_THEN_LESS])
  const { renew } = await givenCustomer(owner)
  await renew(10_000, [
    { product_id: 'prod_addon', amount: 2_000 },
    { product_id: 'prod_pro', interval: 'year', amount: 5_000 },
  ])
  await onRewards(owner, async (page) => {
    const preview = page.getByRole('region', { name: 'On a real sale' })
    const item = (text: string) => preview.getByRole('listitem').filter({ hasText: text }).first()
    await item('prod_addon').getByText('Rule 1, prod_addon: nothing.').waitFor()
    await item('prod_pro').getByText('Rule 2, Yearly plans: 10%.').waitFor()
    await item('prod_pro').getByText('10% = $5.00').waitFor()
    await item('prod_pro').getByText('Rule 1 doesn’t match: another product, or none.').waitFor()
    await item('Rest of the sale').getByText('30% = $9.00').waitFor()
    await item('Rest of the sale').getByText('Rule 2 doesn’t match: another billing interval, or none.').waitFor()
    await soon(async () => expect(await preview.innerText()).toMatch(/Commission\s*\$14\.00/))
    await press(page, 'Remove rule 1')
    await soon(async () => expect(await preview.innerText()).toMatch(/Commission\s*\$20\.00/))
  })
})

test('the preview on a sale is loading, failed, an example, or real', async () => {
  const owner = await givenOwner(service)
  const { renew } = await givenCustomer(owner)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    let isBroken = true
    await page.route(/\/reward\/preview-sale$/, async (route) => {
      await preview.getByRole('status').waitFor()
      const json = { error: { code: 'internal_error', message: 'A test broke it.' } }
      return isBroken ? route.fulfill({ status: 418, json }) : route.continue()
    })
    const preview = page.getByRole('region', { name: 'On a real sale' })
    await push(page, `${owner.path}/settings/rewards`)
    await preview.getByText('A test broke it.').waitFor()
    isBroken = false
    await preview.getByRole('button', { name: 'Try again' }).click()
    await preview.getByText('No sale is credited yet. This is an example of $49.00.').waitFor()
    await page.unroute(/\/reward\/preview-sale$/)
    await renew(10_000)
    await page.reload()
    await preview.getByText('The customer’s first sale, $100.00 without tax.').waitFor()
  }
  await visit(service, owner.path, act, { as: owner.account, expectedErrors: /status of 418/ })
})

const LOOKS = [
  ['wide', { ...DESKTOP, colorScheme: 'light' }],
  ['dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['at 390 px', { ...PHONE, viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
] as const

test.each(LOOKS)('the editor passes axe and fits the page, %s', async (_, window) => {
  const owner = await givenRules([ADDON, YEARLY, { ...A_YEAR_THEN_LESS, maxPerCustomerCents: 50_000 } as Rules[0]])
  const { renew } = await givenCustomer(owner)
  await renew(10_000, [{ product_id: 'prod_addon', amount: 2_000 }])
  await onRewards(
    owner,
    async (page) => {
      await page.getByRole('region', { name: 'On a real sale' }).getByText('prod_addon').first().waitFor()
      await press(page, 'Move rule 2 down')
      await page.getByText('Rule 3 never matches').waitFor()
      await ruleList(page).getByText('Yearly plans: 10%').click()
      await ruleList(page).getByLabel('Billing interval', { exact: true }).waitFor()
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    },
    { window },
  )
})
