import { describe, expect, test } from 'bun:test'
import { givenLink } from '../../../apps/server/test/support/given.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { givenShop } from './support/given.ts'
import { startBrowser, type Visitor } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

const BUY = 'https://buy.stripe.com/test_1'
const PAYMENT = `<a id="buy" href="${BUY}?prefilled_email=a%40b.example&utm_source=x#top">Buy</a>
<a id="book" href="https://book.stripe.com/test_2">Book</a>
<stripe-buy-button id="button" buy-button-id="buy_btn_1"></stripe-buy-button>
<stripe-pricing-table id="table" pricing-table-id="prctbl_1"></stripe-pricing-table>`
const REQUIRED = { head: PAYMENT, attributes: 'data-consent="required"' }

/** The reference that a link or element carries. */
const referenceOf = ({ page }: Visitor, id: string) =>
  page.evaluate<string | null>(`(() => {
    const element = document.getElementById('${id}')
    return element.href === undefined
      ? element.getAttribute('client-reference-id')
      : new URL(element.href).searchParams.get('client_reference_id')
  })()`)

const referencesOf = (visitor: Visitor, ids = ['buy', 'book', 'button', 'table']) =>
  Promise.all(ids.map((id) => referenceOf(visitor, id)))

/** Waits until the element carries what is expected, because changes of the page are handled in a later task. */
const carries = async ({ page }: Visitor, id: string, clickId: string | null) => {
  await page.waitForFunction(
    `document.getElementById('${id}').outerHTML.includes('${clickId}') === ${clickId !== null}`,
    undefined,
    { polling: 5 },
  )
}

const add = ({ page }: Visitor, html: string) =>
  page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`)

/** Counts another referral link on the same page. */
const follow = ({ page }: Visitor, url: string) => page.evaluate<string | null>(`service.trackClick('${url}')`)

/** Lets the script handle what has changed so far. */
const pause = ({ page }: Visitor) => page.evaluate('new Promise((done) => setTimeout(done, 100))')

/** The URL that a click on the element opens. */
const openedBy = async ({ page }: Visitor, click: string) => {
  await page.evaluate(`addEventListener('click', (event) => {
    window.opened = event.composedPath().find((element) => element.href).href
    event.preventDefault()
  })`)
  await page.evaluate(click)
  return page.evaluate<string>('window.opened')
}

describe('payment links and elements', () => {
  test('carry the click_id, and the rest of a link stays', async () => {
    const { visitor, url } = await givenShop(service, { head: PAYMENT })
    const clickId = await visitor.visit(url)
    expect(clickId).toBeString()
    expect(await referencesOf(visitor)).toEqual([clickId, clickId, clickId, clickId])
    const href = new URL(await visitor.page.evaluate<string>('buy.href'))
    expect(`${href.origin}${href.pathname}${href.hash}`).toBe(`${BUY}#top`)
    expect([...href.searchParams.entries()]).toEqual([
      ['prefilled_email', 'a@b.example'],
      ['utm_source', 'x'],
      ['client_reference_id', clickId ?? ''],
    ])
    await visitor.leave()
  })

  test('carry the click_id of an earlier visit', async () => {
    const { visitor, url, site } = await givenShop(service, { head: PAYMENT })
    const clickId = await visitor.visit(url)
    await visitor.visit(site.page('/pricing'))
    expect(await referencesOf(visitor)).toEqual([clickId, clickId, clickId, clickId])
    await visitor.leave()
  })

  test('stay as they are for a visitor who was not referred', async () => {
    const { visitor, site } = await givenShop(service, { head: PAYMENT })
    await visitor.visit(site.page('/'))
    await pause(visitor)
    expect(await referencesOf(visitor)).toEqual([null, null, null, null])
    await visitor.leave()
  })

  test('keep a client_reference_id of the page, even an empty one', async () => {
    const head = `<a id="buy" href="${BUY}?client_reference_id=order_7">Buy</a>
      <a id="book" href="${BUY}?client_reference_id=">Buy</a>
      <stripe-buy-button id="button" client-reference-id="order_8"></stripe-buy-button>
      <stripe-pricing-table id="table" client-reference-id=""></stripe-pricing-table>`
    const { visitor, url } = await givenShop(service, { head })
    await visitor.visit(url)
    await pause(visitor)
    expect(await referencesOf(visitor)).toEqual(['order_7', '', 'order_8', ''])
    await visitor.page.evaluate(`service.consent('denied')`)
    expect(await referencesOf(visitor)).toEqual(['order_7', '', 'order_8', ''])
    await visitor.leave()
  })

  test('of other hosts and schemes are left alone', async () => {
    const hrefs = [
      '/pricing',
      'https://stripe.com/buy',
      'https://buy.stripe.com.example/x',
      'https://notbuy.stripe.com/x',
      'mailto:buy@stripe.com?subject=x',
      'javascript:void(0)',
      'https://buy.stripe.com:port/x',
      '#buy.stripe.com',
    ]
    const head = hrefs.map((href) => `<a class="other" href="${href}">x</a>`).join('')
    const { visitor, url } = await givenShop(service, { head, attributes: 'data-payment-hosts=" ,pay.example,"' })
    await visitor.visit(url)
    await pause(visitor)
    const found = `[...document.querySelectorAll('.other')].map((link) => link.getAttribute('href'))`
    expect(await visitor.page.evaluate(found)).toEqual(hrefs)
    await visitor.leave()
  })

  test('data-payment-hosts adds hosts, separated by commas', async () => {
    const head = `<a id="one" href="https://pay.example/a">1</a><a id="two" href="https://checkout.shop.example/b?x=1">2</a>
      <a id="other" href="https://shop.example/c">3</a>${PAYMENT}`
    const attributes = 'data-payment-hosts="pay.example, checkout.shop.example"'
    const { visitor, url } = await givenShop(service, { head, attributes })
    const clickId = await visitor.visit(url)
    expect(await referencesOf(visitor, ['one', 'two', 'other', 'buy'])).toEqual([clickId, clickId, null, clickId])
    await visitor.leave()
  })
})

describe('payment links that change later', () => {
  test('are decorated when they are added', async () => {
    const { visitor, url } = await givenShop(service)
    const clickId = await visitor.visit(url)
    await add(visitor, `<main>${PAYMENT}</main>`)
    for (const id of ['buy', 'book', 'button', 'table']) await carries(visitor, id, clickId)
    expect(await referencesOf(visitor)).toEqual([clickId, clickId, clickId, clickId])
    await visitor.leave()
  })

  test('are decorated again when their href or attribute is replaced', async () => {
    const { visitor, url } = await givenShop(service, { head: PAYMENT })
    const clickId = await visitor.visit(url)
    await visitor.page.evaluate(`buy.href = '${BUY}?plan=2', button.removeAttribute('client-reference-id')`)
    await carries(visitor, 'buy', clickId)
    await carries(visitor, 'button', clickId)
    expect(await visitor.page.evaluate('buy.href')).toBe(`${BUY}?plan=2&client_reference_id=${clickId}`)
    await visitor.leave()
  })

  test('carry the newest click_id, as another tab has stored it, without a second parameter', async () => {
    const { visitor, url } = await givenShop(service, { head: PAYMENT })
    const first = await visitor.visit(url)
    await visitor.context.clearCookies()
    await visitor.context.addCookies([
      { name: 'service_click_id', value: 'newer', domain: 'shop.localhost', path: '/' },
    ])
    await visitor.page.evaluate(`history.pushState(null, '', '/next')`)
    expect(await referencesOf(visitor)).toEqual(['newer', 'newer', 'newer', 'newer'])
    expect(await visitor.page.evaluate('buy.href')).not.toContain(first ?? '')
    await visitor.leave()
  })

  test('are decorated at the click if they were added just before it', async () => {
    const { visitor, url } = await givenShop(service)
    const clickId = await visitor.visit(url)
    const click = `document.body.insertAdjacentHTML('beforeend', '<a href="${BUY}"><b id="label">Buy</b></a>'), label.click()`
    expect(await openedBy(visitor, click)).toBe(`${BUY}?client_reference_id=${clickId}`)
    await visitor.leave()
  })

  test('are decorated at the click if they are in a shadow root', async () => {
    const { visitor, url } = await givenShop(service)
    const clickId = await visitor.visit(url)
    const click = `(() => {
      const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
      root.innerHTML = '<a href="${BUY}">Buy</a>'
      return new Promise((done) => setTimeout(() => done(root.firstChild.click()), 50))
    })()`
    expect(await openedBy(visitor, click)).toBe(`${BUY}?client_reference_id=${clickId}`)
    await visitor.leave()
  })

  test('a page that keeps undoing the change stays usable', async () => {
    const { visitor, url } = await givenShop(service, { head: PAYMENT })
    const clickId = await visitor.visit(url)
    await visitor.page.evaluate(`new MutationObserver(() => {
      if (buy.href !== '${BUY}') buy.href = '${BUY}'
    }).observe(buy, { attributes: true }), buy.href = '${BUY}'`)
    await pause(visitor)
    expect(await openedBy(visitor, 'buy.click()')).toBe(`${BUY}?client_reference_id=${clickId}`)
    await visitor.leave()
  })
})

describe('consent', () => {
  test('while it is undecided nothing is decorated, not even with an existing cookie', async () => {
    const { visitor, url, program } = await givenShop(service, { head: PAYMENT })
    const clickId = await visitor.visit(url)
    const waiting = await givenShop(service, REQUIRED)
    expect(waiting.program.id).not.toBe(program.id)
    await visitor.page.goto(waiting.site.page('/'))
    expect(await visitor.page.evaluate('service.getClickId()')).toBe(clickId)
    await pause(visitor)
    expect(await openedBy(visitor, 'buy.click()')).not.toContain('client_reference_id')
    expect(await referencesOf(visitor)).toEqual([null, null, null, null])
    await visitor.page.evaluate(`service.consent('granted')`)
    expect(await referencesOf(visitor)).toEqual([clickId, clickId, clickId, clickId])
    await waiting.visitor.leave()
    await visitor.leave()
  })

  test('denied decorates nothing, also not at the click or later', async () => {
    const { visitor, url } = await givenShop(service, REQUIRED)
    await visitor.page.goto(url)
    await visitor.page.evaluate(`service.consent('denied')`)
    await add(visitor, `<a id="late" href="${BUY}">Buy</a>`)
    await pause(visitor)
    expect(await openedBy(visitor, 'late.click()')).toBe(BUY)
    expect(await referencesOf(visitor)).toEqual([null, null, null, null])
    await visitor.leave()
  })

  test('denied later takes the click_id off again, and granted puts a new one on', async () => {
    const { visitor, url, program } = await givenShop(service, { head: PAYMENT })
    const clickId = await visitor.visit(url)
    expect(await referenceOf(visitor, 'buy')).toBe(clickId)
    await visitor.page.evaluate(`service.consent('denied')`)
    expect(await referencesOf(visitor)).toEqual([null, null, null, null])
    expect(await visitor.page.content()).not.toContain(clickId ?? '')
    await visitor.page.evaluate(`service.consent('granted')`)
    const next = await follow(visitor, (await givenLink(service, program.id)).url)
    expect(next).toBeString()
    expect(await referencesOf(visitor)).toEqual([next, next, next, next])
    await visitor.leave()
  })
})
