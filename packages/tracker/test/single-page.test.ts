import { afterAll, describe, expect, test } from 'bun:test'
import { givenLink, givenProgram } from '../../../apps/server/test/support/given.ts'
import { clickEventsOf } from '../../../apps/server/test/support/records.ts'
import { startTestService } from '../../../apps/server/test/support/service.ts'
import { openUnobserved } from '../../../scripts/browser/launch-browser.ts'
import { givenShop } from './support/given.ts'
import { givenSite } from './support/site.ts'
import { givenWholeBrowser, settled, startBrowser } from './support/visitors.ts'

const service = await startTestService()
await startBrowser()

describe('in a single-page app', () => {
  for (const method of ['pushState', 'replaceState'])
    test(`${method} to an address with aff counts, once`, async () => {
      const { visitor, site, link, clicks } = await givenShop(service)
      expect(await visitor.visit(site.page('/'))).toBeNull()
      await visitor.page.evaluate(`history.${method}({ kept: 1 }, '', '/pricing?aff=${link.aff}')`)
      await visitor.page.evaluate(`history.${method}(null, '', '/pricing?aff=${link.aff}&tab=2')`)
      const clickId = await settled(visitor.page)
      await visitor.page.evaluate(`history.${method}(null, '', '/next')`)
      expect(await settled(visitor.page)).toBe(clickId)
      expect(await clicks()).toMatchObject([{ clickId }])
      expect(new URL(visitor.page.url()).pathname).toBe('/next')
      await visitor.leave()
    })

  test('going back to an address with aff does not count again, and another partner’s does', async () => {
    const { program, visitor, url, clicks } = await givenShop(service)
    const other = await givenLink(service, program.id)
    await visitor.visit(url)
    await visitor.page.evaluate(`history.pushState(null, '', '/pricing')`)
    await visitor.page.goBack()
    await settled(visitor.page)
    expect(await clicks()).toHaveLength(1)
    await visitor.page.evaluate(`history.pushState(null, '', '/pricing?aff=${other.aff}')`)
    await settled(visitor.page)
    expect(await clickEventsOf(service, other.id)).toHaveLength(1)
    await visitor.leave()
  })

  test('a router that cleans the address before the script has loaded loses nothing', async () => {
    const head = `<script>history.replaceState(null, '', '/clean')</script>`
    const { visitor, url, clicks } = await givenShop(service, { head })
    const clickId = await visitor.visit(url)
    expect(new URL(visitor.page.url()).search).toBe('')
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('a router on the Navigation API is seen too', async () => {
    const { visitor, site, link, clicks } = await givenShop(service)
    await visitor.visit(site.page('/'))
    await visitor.page.evaluate(`(async () => {
      navigation.addEventListener('navigate', (event) => event.intercept())
      await navigation.navigate('/?aff=${link.aff}').finished
    })()`)
    const clickId = await settled(visitor.page)
    expect(clickId).toBeString()
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('what the page hands to pushState arrives, and what it throws is thrown', async () => {
    const { visitor, url } = await givenShop(service)
    await visitor.visit(url)
    expect(await visitor.page.evaluate(`history.pushState({ a: 1 }, '', '/x'), history.state`)).toEqual({ a: 1 })
    const refused = `try { history.pushState(null, '', 'https://elsewhere.test/') } catch (error) { error.name }`
    expect(await visitor.page.evaluate(refused)).toBe('SecurityError')
    await visitor.leave()
  })
})

test('a page from the back-forward cache does not count again', async () => {
  const { visitor, url, site, clicks } = await givenShop(service, {}, {}, await givenWholeBrowser())
  await visitor.visit(url)
  await visitor.page.evaluate(`addEventListener('pageshow', (event) => { window.cached = event.persisted })`)
  await visitor.visit(site.page('/other'))
  await visitor.page.goBack({ waitUntil: 'commit' }) // what comes from the cache does not load again
  expect(await visitor.page.evaluate('window.cached')).toBe(true)
  await settled(visitor.page)
  expect(await clicks()).toHaveLength(1)
  await visitor.leave()
})

/** Closed even when their test fails. */
const unobserved: ReturnType<typeof openUnobserved>[] = []
afterAll(() => Promise.all(unobserved.map((browser) => browser.close())))

test('a prerendered page counts when it is shown, and not before', async () => {
  const program = await givenProgram(service)
  const landing = `/landing?aff=${program.link.aff}`
  const rules = { prerender: [{ urls: [landing], eagerness: 'immediate' }] }
  const reports = `<script type="speculationrules">${JSON.stringify(rules)}</script><script>
    addEventListener('load', () => fetch('/report?' + (document.prerendering ? 'prerendered' : 'loaded')))
    document.addEventListener('prerenderingchange', () => service.ready(() => fetch('/report?shown')))
    if (location.pathname === '/start') fetch('/report?go').then(() => { location.href = '${landing}' })
  </script>`
  const { proxy, reported, letGo, purposes } = givenReports()
  const site = givenSite(service, program, { head: reports, proxy, attributes: 'data-api-base="/"' })
  unobserved.push(openUnobserved(site.page('/start')))
  await reported('prerendered')
  expect(await clickEventsOf(service, program.link.id)).toEqual([])
  letGo()
  await reported('shown')
  expect(await clickEventsOf(service, program.link.id)).toHaveLength(1)
  // The browser itself says of a call whether a page made it that is shown to nobody.
  expect(purposes).toEqual([null])
})

/** A page that nobody observes says itself how far it is; `go` is answered when the test lets it go on. Its calls are passed on. */
const givenReports = () => {
  const heard = new Map<string, PromiseWithResolvers<void>>()
  const report = (word: string) => {
    const known = heard.get(word) ?? Promise.withResolvers<void>()
    heard.set(word, known)
    return known
  }
  const purposes: (string | null)[] = []
  const passOn = async (request: Request, path: string) => {
    purposes.push(request.headers.get('sec-purpose'))
    return fetch(service.url + path, { method: 'POST', body: await request.text() })
  }
  return {
    purposes,
    reported: (word: string) => report(word).promise,
    letGo: () => report('go').resolve(),
    proxy: (request: Request) => {
      const { pathname, search } = new URL(request.url)
      if (pathname.startsWith('/api/')) return passOn(request, pathname + search)
      if (pathname !== '/report') return undefined
      if (search === '?go') return report('go').promise.then(() => new Response())
      report(search.slice(1)).resolve()
      return Promise.resolve(new Response())
    },
  }
}
