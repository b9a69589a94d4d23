import { describe, expect, test } from 'bun:test'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { isLongRun } from '../../../apps/server/test/support/size.ts'
import { givenShop } from './support/given.ts'
import { givenWholeBrowser, startBrowser } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

describe('the cookie is set on the widest domain that the browser accepts', () => {
  const HOSTS = [
    { host: 'www.acme.shop.localhost', domain: '.shop.localhost', sibling: 'app.acme.shop.localhost' },
    { host: 'www.shop.localhost', domain: '.shop.localhost', sibling: 'app.shop.localhost' },
    ...(isLongRun
      ? [{ host: 'www.shop.example.test', domain: '.example.test', sibling: 'app.shop.example.test' }]
      : []),
    // co.uk is a public suffix, which the browser knows and the script does not.
    { host: 'www.shop.co.uk', domain: '.shop.co.uk', sibling: 'app.shop.co.uk' },
    { host: 'shop.co.uk', domain: '.shop.co.uk', sibling: 'deep.app.shop.co.uk' },
  ]
  for (const { host, domain, sibling } of HOSTS)
    test(`${host}: ${domain}, so that ${sibling} can read it too`, async () => {
      const browser = host.endsWith('.localhost') ? undefined : await givenWholeBrowser()
      const { site, visitor, link } = await givenShop(service, {}, {}, browser)
      const clickId = await visitor.visit(site.at(host, `/?aff=${link.aff}`))
      expect(await visitor.context.cookies()).toMatchObject([{ name: 'service_click_id', value: clickId, domain }])
      expect(await visitor.visit(site.at(sibling))).toBe(clickId)
      await visitor.leave()
    })

  for (const host of ['localhost', '127.0.0.1'])
    test(`${host}: the host alone`, async () => {
      const { site, visitor, link } = await givenShop(service)
      await visitor.visit(site.at(host, `/?aff=${link.aff}`))
      expect(await visitor.context.cookies()).toMatchObject([{ name: 'service_click_id', domain: host }])
      await visitor.leave()
    })

  test('data-cookie-domain overrides it, and a domain that the browser rejects is ignored', async () => {
    for (const [attribute, domain] of [
      ['acme.shop.localhost', '.acme.shop.localhost'],
      ['elsewhere.test', '.shop.localhost'],
    ]) {
      const { site, visitor, link } = await givenShop(service, { attributes: `data-cookie-domain="${attribute}"` })
      await visitor.visit(site.at('www.acme.shop.localhost', `/?aff=${link.aff}`))
      expect(await visitor.context.cookies()).toMatchObject([{ name: 'service_click_id', domain }])
      await visitor.leave()
    }
  })
})

test('a second click renews the cookie without duplicating it', async () => {
  const { visitor, url } = await givenShop(service)
  await visitor.visit(url)
  const soon = Math.floor(Date.now() / 1000) + 600
  const [cookie] = await visitor.context.cookies()
  await visitor.context.addCookies([{ ...cookie, name: cookie?.name ?? '', value: cookie?.value ?? '', expires: soon }])
  await visitor.visit(url, await visitor.context.newPage())
  const cookies = await visitor.context.cookies()
  expect(cookies).toHaveLength(1)
  expect(cookies[0]?.expires).toBeGreaterThan(soon + 86_400)
  await visitor.leave()
})

test('a stale host-only cookie does not hide the new one', async () => {
  const { site, visitor, link } = await givenShop(service)
  const url = site.at('www.shop.localhost', `/?aff=${link.aff}`)
  await visitor.context.addCookies([
    { name: 'service_click_id', value: 'stale', domain: 'www.shop.localhost', path: '/' },
  ])
  const clickId = await visitor.visit(url)
  expect(clickId).not.toBe('stale')
  expect(await visitor.context.cookies()).toMatchObject([{ value: clickId, domain: '.shop.localhost' }])
  await visitor.leave()
})

test('with cookies disabled the click is recorded and the page knows its click_id', async () => {
  const { visitor, url, clicks } = await givenShop(service)
  const devTools = await visitor.context.newCDPSession(visitor.page)
  await devTools.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  const clickId = await visitor.visit(url)
  expect(await visitor.page.evaluate('navigator.cookieEnabled')).toBe(false)
  expect(await visitor.page.evaluate('service.signup("user_1")')).toMatchObject({ success: true, click_id: clickId })
  expect(await clicks()).toMatchObject([{ clickId }])
  await visitor.leaveForGood()
})

test('if cookies and storage throw, the click is recorded once and the page sees no exception', async () => {
  const headers = { 'content-security-policy': 'sandbox allow-scripts' }
  const { visitor, url, link, clicks } = await givenShop(service, { headers })
  const clickId = await visitor.visit(url)
  const thrown = 'try { document.cookie + sessionStorage.length } catch (error) { error.name }'
  expect(await visitor.page.evaluate(thrown)).toBe('SecurityError')
  await visitor.page.evaluate(`service.trackClick('https://shop.example/?aff=${link.aff}')`)
  expect(clickId).toBeString()
  expect(await clicks()).toMatchObject([{ clickId }])
  await visitor.leave()
})
