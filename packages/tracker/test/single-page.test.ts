import { afterAll, describe, expect, test } from 'bun:test'
import { givenLink, givenProgram } from '../../../apps/server/test/support/given.ts'
import { clickEventsOf } from '../../../apps/server/test/support/records.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { openUnobserved } from '../../../scripts/browser/launch-browser.ts'
import { givenShop } from './support/given.ts'
import { givenSite } from './support/site.ts'
import { givenWholeBrowser, settled, startBrowser } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

describe('in a single-page app', () => {
  for (const method of ['pushState', 'replaceState'])
    test(`${method} to a URL with aff is recorded once`, async () => {
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

  test('going back to a URL with aff is not recorded again, but another partner’s link is', async () => {
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

  test('a router that cleans up the URL before the script loads loses nothing', async () => {
    const head = `<script>history.replaceState(null, '', '/clean')</script>`
    const { visitor, url, clicks } = await givenShop(service, { head })
    const clickId = await visitor.visit(url)
    expect(new URL(visitor.page.url()).search).toBe('')
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('a router on the Navigation API works too', async () => {
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

  test('pushState keeps its arguments and its exceptions', async () => {
    const { visitor, url } = await givenShop(service)
    await visitor.visit(url)
    expect(await visitor.page.evaluate(`history.pushState({ a: 1 }, '', '/x'), history.state`)).toEqual({ a: 1 })
    const refused = `try { history.pushState(null, '', 'https://elsewhere.test/') } catch (error) { error.name }`
    expect(await visitor.page.evaluate(refused)).toBe('SecurityError')
    await visitor.leave()
  })
})

test('a page from the back-forward cache is not recorded again', async () => {
  const { visitor, url, site, clicks } = await givenShop(service, {}, {}, await givenWholeBrowser())
  await visitor.visit(url)
  await visitor.page.evaluate(`addEventListener('pageshow', (event) => { window.cached = event.persisted })`)
  await visitor.visit(site.page('/other'))
  await visitor.page.goBack({ waitUntil: 'commit' }) // a cached page does not fire load
  expect(await visitor.page.evaluate('window.cached')).toBe(true)
  await settled(visitor.page)
  expect(await clicks()).toHaveLength(1)
  await visitor.leave()
})

/** Closed even if their test fails. */
const unobserved: ReturnType<typeof openUnobserved>[] = []
afterAll(() => Promise.all(unobserved.map((browser) => browser.close())))

test('a prerendered page is recorded only once it is shown', async () => {
  const program = await givenProgram(service)
  const landing = `/landing?aff=${program.link.aff}`
  const rules = { prerender: [{ urls: [landing], eagerness: 'immediate' }] }
  const reports = `<script type="speculationrules">${JSON.stringify(rules)}</script><script>
    addEventListener('load', () => fetch('/report?' + (document.prerendering ? 'prerendered' : 'loaded')))
    document.addEventListener('prerenderingchange', () => service.ready(() => fetch('/report?shown')))
    if (location.pathname === '/start') fetch('/report?go').then(() => { location.href = '${landing}' })
  </script>`
  const { proxy, reported, proceed, purposes } = givenReports()
  const site = givenSite(service, program, { head: reports, proxy, attributes: 'data-api-base="/"' })
  unobserved.push(openUnobserved(site.page('/start')))
  await reported('prerendered')
  expect(await clickEventsOf(service, program.link.id)).toEqual([])
  proceed()
  await reported('shown')
  expect(await clickEventsOf(service, program.link.id)).toHaveLength(1)
  // The browser marks calls made by a prerendered page.
  expect(purposes).toEqual([null])
})

/**
 * The prerendered page runs in a browser without automation, so it reports its progress to this proxy. `go` is answered once the test
 * proceeds, and API calls are forwarded to the service.
 */
const givenReports = () => {
  const reports = new Map<string, PromiseWithResolvers<void>>()
  const report = (name: string) => {
    const known = reports.get(name) ?? Promise.withResolvers<void>()
    reports.set(name, known)
    return known
  }
  const purposes: (string | null)[] = []
  const forward = async (request: Request, path: string) => {
    purposes.push(request.headers.get('sec-purpose'))
    return fetch(service.url + path, { method: 'POST', body: await request.text() })
  }
  return {
    purposes,
    reported: (name: string) => report(name).promise,
    proceed: () => report('go').resolve(),
    proxy: (request: Request) => {
      const { pathname, search } = new URL(request.url)
      if (pathname.startsWith('/api/')) return forward(request, pathname + search)
      if (pathname !== '/report') return undefined
      if (search === '?go') return report('go').promise.then(() => new Response())
      report(search.slice(1)).resolve()
      return Promise.resolve(new Response())
    },
  }
}
