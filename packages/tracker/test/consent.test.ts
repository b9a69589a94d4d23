import { describe, expect, test } from 'bun:test'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { sized } from '../../../apps/server/test/support/size.ts'
import { givenShop } from './support/given.ts'
import { givenSite } from './support/site.ts'
import { settled, startBrowser, type Visitor } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

const REQUIRED = { attributes: 'data-consent="required"' }

/** Everything the script may have stored in the browser. */
const traces = async ({ context, page }: Visitor) => ({
  cookies: await context.cookies(),
  stored: await page.evaluate('sessionStorage.length + localStorage.length'),
})
const NONE = { cookies: [], stored: 0 }

/** Collects the POST calls that the page makes from now on. */
const callsOf = ({ page }: Visitor) => {
  const calls: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && calls.push(request.url())))
  return calls
}

describe('data-consent="required"', () => {
  test('stores and sends nothing until granted, and then records the link', async () => {
    const { visitor, url, clicks } = await givenShop(service, REQUIRED)
    const calls = callsOf(visitor)
    await visitor.page.goto(url)
    await visitor.page.evaluate(`service.signup('user_1', 'a@example.com'), history.pushState(null, '', '/pricing')`)
    await visitor.page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect({ calls, ...(await traces(visitor)) }).toEqual({ calls: [], ...NONE })
    await visitor.page.evaluate(`service.consent('granted')`)
    const clickId = await settled(visitor.page)
    expect(await clicks()).toMatchObject([{ clickId, pageUrl: url }])
    expect((await visitor.cookie())?.value).toBe(clickId ?? '')
    await visitor.leave()
  })

  test('keeps the link in memory for that page only', async () => {
    const { visitor, url, site, clicks } = await givenShop(service, REQUIRED)
    await visitor.page.goto(url)
    await visitor.page.goto(site.page('/other'))
    await visitor.page.evaluate(`service.consent('granted')`)
    expect(await settled(visitor.page)).toBeNull()
    expect(await clicks()).toEqual([])
    await visitor.leave()
  })

  test('denied leaves no cookie and no storage, and resolves waiting calls', async () => {
    const { visitor, url, clicks } = await givenShop(service, REQUIRED)
    const calls = callsOf(visitor)
    await visitor.page.goto(url)
    const signup = visitor.page.evaluate(`service.signup('user_1')`)
    await visitor.page.evaluate(`service.consent('denied')`)
    expect(await settled(visitor.page)).toBeNull()
    expect(await signup).toBeUndefined()
    expect({ calls, ...(await traces(visitor)) }).toEqual({ calls: [], ...NONE })
    expect(await clicks()).toEqual([])
    await visitor.leave()
  })

  test('granted after denied records the click', async () => {
    const { visitor, url, clicks } = await givenShop(service, REQUIRED)
    await visitor.page.goto(url)
    await visitor.page.evaluate(`service.consent('denied'), service.consent('granted')`)
    const clickId = await settled(visitor.page)
    expect(clickId).toBeString()
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })
})

describe('consent fails closed', () => {
  for (const attribute of ['data-consent', 'data-consent="Required"', 'data-consent="granted"'])
    test(`${attribute} in the tag waits like "required"`, async () => {
      const { visitor, url } = await givenShop(service, { attributes: attribute })
      const calls = callsOf(visitor)
      await visitor.page.goto(url)
      await visitor.page.evaluate('new Promise((resolve) => setTimeout(resolve))')
      expect({ calls, ...(await traces(visitor)) }).toEqual({ calls: [], ...NONE })
      await visitor.leave()
    })

  for (const value of sized({ short: ['Granted', undefined], long: ['Granted', 'yes', '', 'required', undefined] }))
    test(`consent(${JSON.stringify(value)}) denies: only 'granted' grants`, async () => {
      const { visitor, url } = await givenShop(service)
      await visitor.visit(url)
      await visitor.page.evaluate(`service.consent(${JSON.stringify(value)})`)
      expect(await traces(visitor)).toEqual(NONE)
      await visitor.leave()
    })

  test('denied in the queue takes effect before the URL is checked', async () => {
    const head = `<script>window.serviceQueue = [['consent', 'denied']]</script>`
    const { visitor, url, clicks } = await givenShop(service, { head })
    const calls = callsOf(visitor)
    expect(await visitor.visit(url)).toBeNull()
    expect({ calls, ...(await traces(visitor)) }).toEqual({ calls: [], ...NONE })
    expect(await clicks()).toEqual([])
    await visitor.leave()
  })

  test('before a decision, ready passes an existing click_id and signup sends nothing', async () => {
    const { visitor, url, program } = await givenShop(service)
    const clickId = await visitor.visit(url)
    const site = givenSite(service, program, REQUIRED)
    const calls = callsOf(visitor)
    await visitor.page.goto(site.page('/'))
    expect(await visitor.page.evaluate(`service.signup('user_1'), new Promise((done) => service.ready(done))`)).toBe(
      clickId,
    )
    expect(calls).toEqual([])
    await visitor.leave()
  })
})

describe('consent withdrawn', () => {
  test('deletes the cookie on every domain where the script may have set it', async () => {
    const { visitor, site, link } = await givenShop(service)
    const host = 'www.acme.shop.localhost'
    await visitor.visit(site.at(host, `/?aff=${link.aff}`))
    await visitor.page.evaluate(
      `['', '${host}', 'acme.shop.localhost'].map((domain) => { document.cookie = 'service_click_id=old;path=/;max-age=99;domain=' + domain })`,
    )
    expect((await traces(visitor)).cookies).toHaveLength(4)
    await visitor.page.evaluate(`service.consent('denied')`)
    expect(await traces(visitor)).toEqual(NONE)
    await visitor.leave()
  })

  for (const host of ['www.acme.shop.localhost', 'localhost'])
    test(`deletes the cookie and the storage (${host})`, async () => {
      const { visitor, site, link } = await givenShop(service)
      await visitor.visit(site.at(host, `/?aff=${link.aff}`))
      expect(await traces(visitor)).not.toEqual(NONE)
      await visitor.page.evaluate(`service.consent('denied')`)
      expect(await traces(visitor)).toEqual(NONE)
      expect(await visitor.page.evaluate('service.getClickId()')).toBeNull()
      await visitor.leave()
    })

  test('while the click is in flight leaves nothing behind', async () => {
    const { visitor, url } = await givenShop(service)
    const held = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    await visitor.context.route('**/track/click*', async (route) => {
      sent.resolve()
      await held.promise
      await route.continue()
    })
    await visitor.page.goto(url)
    await sent.promise
    await visitor.page.evaluate(`service.consent('denied')`)
    const answered = visitor.page.waitForResponse('**/track/click*')
    held.resolve()
    await answered
    expect(await settled(visitor.page)).toBeNull()
    expect(await traces(visitor)).toEqual(NONE)
    await visitor.leave()
  })
})

/** A browser with Global Privacy Control: the page sees the property, and every request has the header. */
const givenSignal = async ({ context }: Visitor) => {
  await context.addInitScript('Object.defineProperty(navigator, "globalPrivacyControl", { value: true })')
  await context.setExtraHTTPHeaders({ 'sec-gpc': '1' })
}

describe('Global Privacy Control', () => {
  const RESPECT = { attributes: 'data-gpc="respect"' }

  test('with data-gpc nothing is stored or sent, even if consent is granted', async () => {
    const { visitor, url, clicks } = await givenShop(service, RESPECT)
    await givenSignal(visitor)
    const calls = callsOf(visitor)
    expect(await visitor.visit(url)).toBeNull()
    await visitor.page.evaluate(`service.consent('granted')`)
    expect(await settled(visitor.page)).toBeNull()
    expect({ calls, ...(await traces(visitor)) }).toEqual({ calls: [], ...NONE })
    expect(await clicks()).toEqual([])
    await visitor.leaveForGood()
  })

  test('with data-gpc the cookie of an earlier visit is removed', async () => {
    const { visitor, url, site } = await givenShop(service, RESPECT)
    expect(await visitor.visit(url)).toBeString()
    await givenSignal(visitor)
    expect(await visitor.visit(site.page('/'))).toBeNull()
    expect(await traces(visitor)).toEqual(NONE)
    await visitor.leaveForGood()
  })

  test('with data-gpc, other browsers are recorded', async () => {
    const { visitor, url, clicks } = await givenShop(service, RESPECT)
    const clickId = await visitor.visit(url)
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('without data-gpc, the service refuses the click if the program respects the signal', async () => {
    const { visitor, url, clicks } = await givenShop(service, {}, { respectGlobalPrivacyControl: true })
    await givenSignal(visitor)
    expect(await visitor.visit(url)).toBeNull()
    expect((await traces(visitor)).cookies).toEqual([])
    expect(await clicks()).toEqual([])
    await visitor.leaveForGood()
  })

  test('is ignored if neither the tag nor the program respects it', async () => {
    const { visitor, url, clicks } = await givenShop(service)
    await givenSignal(visitor)
    const clickId = await visitor.visit(url)
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leaveForGood()
  })
})
