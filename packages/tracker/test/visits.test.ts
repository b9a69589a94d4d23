import { describe, expect, test } from 'bun:test'
import { givenLink } from '../../../apps/server/test/support/given.ts'
import { clickEventsOf, customerOf } from '../../../apps/server/test/support/records.ts'
import { DAY_MS } from '../../../apps/server/test/support/service.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { sized } from '../../../apps/server/test/support/size.ts'
import { givenShop } from './support/given.ts'
import { givenSite } from './support/site.ts'
import { settled, startBrowser } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

const given = (settings = {}) => givenShop(service, {}, settings)

describe('a visit through a referral link', () => {
  test('is recorded with everything the browser provides, and its click_id is kept for cookie_window_days', async () => {
    const { visitor, url, clicks } = await given({ cookieWindowDays: 30 })
    const clickId = await visitor.visit(`${url}&utm_source=news`)
    const [event, ...others] = await clicks()
    expect(others).toEqual([])
    expect(event).toMatchObject({
      clickId: clickId ?? '',
      pageUrl: `${url}&utm_source=news`,
      pageTitle: 'Acme: prices',
      viewportSize: '1280x720',
      screenResolution: expect.stringMatching(/^\d+x\d+$/),
      language: 'en-US',
      timezone: expect.any(String),
      sessionId: expect.stringMatching(/^0\.\d+$/),
      browser: expect.stringContaining('Chrom'),
      reused: false,
    })
    const cookie = await visitor.cookie()
    expect(cookie).toMatchObject({ value: clickId, path: '/', sameSite: 'Lax', secure: false, httpOnly: false })
    expect((cookie?.expires ?? 0) * 1000 - Date.now()).toBeWithin(29.9 * DAY_MS, 30.1 * DAY_MS)
    await visitor.leave()
  })

  test('includes the referrer and the canonical URL of the page', async () => {
    const { program, visitor, link, clicks } = await given()
    const site = givenSite(service, program, { head: '<link rel="canonical" href="https://shop.example/prices">' })
    const blog = givenSite(service, program)
    await visitor.visit(blog.at('blog.localhost', '/review'))
    await Promise.all([
      visitor.page.waitForURL(/aff=/),
      visitor.page.evaluate(`location.href = '${site.page(`/?aff=${link.aff}`)}'`),
    ])
    await settled(visitor.page)
    expect(await clicks()).toMatchObject([
      { referrerUrl: expect.stringContaining('http://blog.localhost'), pageUrl: 'https://shop.example/prices' },
    ])
    await visitor.leave()
  })

  test('is one click, however often the page is reloaded or revisited', async () => {
    const { visitor, url, site, clicks } = await given()
    const clickId = await visitor.visit(url)
    await visitor.page.reload()
    expect(await settled(visitor.page)).toBe(clickId)
    await visitor.visit(site.page('/other'))
    await visitor.visit(url)
    expect(await clicks()).toHaveLength(1)
    await visitor.leave()
  })

  const views = sized({ short: 10, long: 50 })
  test(`is one click over ${views} quick page views`, async () => {
    const { visitor, site, link, clicks } = await given()
    for (let view = 0; view < views; view++)
      await visitor.page.goto(site.page(`/${view}?aff=${link.aff}`), { waitUntil: 'commit' })
    await visitor.page.waitForLoadState()
    const clickId = await settled(visitor.page)
    expect(await clicks()).toMatchObject([{ clickId }])
    expect((await visitor.cookie())?.value).toBe(clickId ?? '')
    await visitor.leave()
  })

  test('within the attribution window reuses the click_id', async () => {
    const { visitor, url, clicks } = await given()
    const clickId = await visitor.visit(url)
    const later = await visitor.context.newPage()
    expect(await visitor.visit(url, later)).toBe(clickId)
    expect(await clicks()).toMatchObject([
      { clickId, reused: false },
      { clickId, reused: true },
    ])
    await visitor.leave()
  })

  test('after the attribution window gets a new click_id', async () => {
    const { visitor, url, clicks } = await given({ cookieWindowDays: 1 })
    const first = await visitor.visit(url)
    service.clock.advance(2 * DAY_MS)
    const later = await visitor.context.newPage()
    const second = await visitor.visit(url, later)
    expect(second).not.toBe(first)
    expect((await visitor.cookie())?.value).toBe(second ?? '')
    expect(await clicks()).toMatchObject([{ reused: false }, { reused: false }])
    await visitor.leave()
  })

  test('without aff records and stores nothing', async () => {
    const { visitor, site, clicks } = await given()
    expect(await visitor.visit(site.page('/?utm_source=x#aff=y'))).toBeNull()
    expect(await visitor.context.cookies()).toEqual([])
    expect(await visitor.page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
    expect(await clicks()).toEqual([])
    await visitor.leave()
  })

  test('through a disabled or unknown link is not retried and leaves no cookie', async () => {
    const { program, visitor, site } = await given()
    const off = await givenLink(service, program.id, { active: false })
    const calls: string[] = []
    visitor.page.on('request', (request) => void (request.method() === 'POST' && calls.push(request.url())))
    for (const aff of [off.aff, 'unknown']) expect(await visitor.visit(site.page(`/?aff=${aff}`))).toBeNull()
    await visitor.visit(site.page('/other'))
    expect(calls).toHaveLength(2)
    expect(await visitor.cookie()).toBeUndefined()
    await visitor.leave()
  })
})

describe('the link in a URL', () => {
  test('is the first aff of the query string, not one in another parameter or the fragment', async () => {
    const { program, visitor, site, link, clicks } = await given()
    const other = await givenLink(service, program.id)
    const sent: string[] = []
    visitor.page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.postData() ?? '')))
    for (const path of [`/?to=/x?aff=${link.aff}`, `/#/pricing?aff=${link.aff}`, `/?aff=&aff=${link.aff}`])
      expect(await visitor.visit(site.page(path))).toBeNull()
    expect(sent).toEqual([])
    await visitor.visit(site.page(`/?a%66f=${link.aff}&aff=${other.aff}`))
    await visitor.visit(site.page(`/?aff=${link.aff}&tab=2`))
    expect(sent).toHaveLength(1)
    expect(await clicks()).toHaveLength(1)
    expect(await clickEventsOf(service, other.id)).toEqual([])
    await visitor.leave()
  })

  test('is sent without the fragment, which may contain tokens', async () => {
    const { visitor, url, program, link } = await given()
    const site = givenSite(service, program, { head: '<link rel="canonical" href="/prices#secret">' })
    for (const address of [`${url}#secret=1`, site.page(`/?aff=${link.aff}#secret=2`)]) {
      const page = await visitor.context.newPage()
      const [request] = await Promise.all([page.waitForRequest('**/track/click*'), page.goto(address)])
      expect(request.postData()).toContain(link.aff)
      expect(request.postData()).not.toContain('secret')
    }
    await visitor.leave()
  })

  for (const body of ['{"success":false,"error":{}}', '<h1>Not here</h1>'])
    test(`that was rejected with ${body} is tried again when it is opened again`, async () => {
      const { visitor, url, clicks } = await given()
      await visitor.context.route('**/track/click*', (route) => route.fulfill({ status: 404, body }))
      expect(await visitor.visit(url)).toBeNull()
      await visitor.context.unroute('**/track/click*')
      const clickId = await visitor.visit(url)
      expect(clickId).toBeString()
      expect(await clicks()).toMatchObject([{ clickId }])
      await visitor.leave()
    })
})

describe("another partner's link is another click", () => {
  test('once each: A, B and A again in one tab are two clicks', async () => {
    const { program, visitor, site, url, clicks } = await given()
    const other = await givenLink(service, program.id)
    for (const address of [url, site.page(`/?aff=${other.aff}`), url]) await visitor.visit(address)
    expect(await clicks()).toHaveLength(1)
    expect(await clickEventsOf(service, other.id)).toHaveLength(1)
    await visitor.leave()
  })

  for (const attributionModel of ['last_click', 'first_click'] as const)
    test(`${attributionModel}: one click_id, two clicks, credited by the program's attribution model`, async () => {
      const { program, visitor, site, url, link, clicks } = await given({ attributionModel })
      const other = await givenLink(service, program.id)
      const clickId = (await visitor.visit(url)) ?? ''
      expect(await visitor.visit(site.page(`/?aff=${other.aff}`))).toBe(clickId)
      expect(await clicks()).toHaveLength(1)
      expect(await clickEventsOf(service, other.id)).toMatchObject([{ clickId, reused: true }])
      const { partnerId } = attributionModel === 'last_click' ? other : link
      expect(await customerOf(service, clickId)).toMatchObject({ partnerId })
      await visitor.leave()
    })
})
