import { describe, expect, test } from 'bun:test'
import { givenPayingProgram } from '../../../apps/server/test/support/money.ts'
import { leadsOf, testEventsOf } from '../../../apps/server/test/support/records.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { sized } from '../../../apps/server/test/support/size.ts'
import { givenShop } from './support/given.ts'
import { givenSite } from './support/site.ts'
import { givenVisitor, settled, startBrowser } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

describe('a strict page', () => {
  const violations = `<script nonce="n">window.violations = []; document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))</script>`
  const policies = {
    'a content security policy': `default-src 'none'; script-src 'nonce-n' ${service.url}; connect-src ${service.url}`,
    'trusted types': `require-trusted-types-for 'script'; trusted-types 'none'`,
  }
  for (const [name, policy] of Object.entries(policies))
    test(`with ${name} reports no violation`, async () => {
      const headers = { 'content-security-policy': policy }
      const { visitor, url, clicks } = await givenShop(service, { head: violations, headers })
      await visitor.page.goto(url)
      const clickId = await visitor.page.evaluate<string>(`new Promise((done) => service.ready(done))`)
      expect(await visitor.page.evaluate('window.violations')).toEqual([])
      expect(await clicks()).toMatchObject([{ clickId }])
      await visitor.leave()
    })

  test('that blocks the call sees no exception', async () => {
    const headers = { 'content-security-policy': `connect-src 'none'` }
    const { visitor, url, clicks } = await givenShop(service, { headers })
    expect(await visitor.visit(url)).toBeNull()
    expect(await clicks()).toEqual([])
    await visitor.leave()
  })

  test('that is cross-origin isolated loads the script', async () => {
    const headers = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' }
    const { visitor, site, link } = await givenShop(service, { headers })
    expect(await visitor.visit(site.at('localhost', `/?aff=${link.aff}`))).toBeString()
    await visitor.leave()
  })
})

describe('window.service', () => {
  test('runs calls queued before the script loaded in order, and later ones immediately', async () => {
    const head = `<script>
      window.ids = []
      window.serviceQueue = window.serviceQueue || []
      serviceQueue.push(['ready', (id) => ids.push(id)])
      serviceQueue.push(['nonsense'])
      serviceQueue.push(['signup', 'user_1', 'ada@example.com'])
    </script>`
    const { visitor, url, program } = await givenShop(service, { head }, { leadAuth: 'browser_allowed' })
    const clickId = await visitor.visit(url)
    await visitor.page.evaluate(`new Promise((done) => serviceQueue.push(['ready', (id) => done(ids.push(id))]))`)
    expect(await visitor.page.evaluate('ids')).toEqual([clickId, clickId])
    await visitor.page.waitForFunction('performance.getEntriesByType("resource").some(({ name }) => /lead/.test(name))')
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'settled' }])
    await visitor.leave()
  })

  test('exists once, however often the script is loaded', async () => {
    const { visitor, program, link, clicks } = await givenShop(service)
    const again = `<script defer src="${service.url}/service-tracker.js" data-program-id="${program.id}"></script>`
    const site = givenSite(service, program, { head: again })
    await visitor.visit(site.page(`/?aff=${link.aff}`))
    expect(await clicks()).toHaveLength(1)
    await visitor.leave()
  })

  test('signup is provisional unless the program allows browser leads', async () => {
    const { visitor, url } = await givenShop(service)
    const clickId = await visitor.visit(url)
    const answer = await visitor.page.evaluate(`service.signup('user_1', 'ada@example.com')`)
    expect(answer).toEqual({ success: true, click_id: clickId, provisional: true })
    await visitor.leave()
  })

  test('signup settles the lead if the program is browser_allowed', async () => {
    const { visitor, url, program } = await givenShop(service, {}, { leadAuth: 'browser_allowed' })
    const clickId = await visitor.visit(url)
    const answer = await visitor.page.evaluate(`service.signup('user_1', 'ada@example.com')`)
    expect(answer).toMatchObject({ success: true, customer_key: 'user_1', click_id: clickId })
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'settled' }])
    await visitor.leave()
  })

  test('signup without a click sends nothing', async () => {
    const { visitor, site } = await givenShop(service)
    await visitor.visit(site.page('/'))
    const calls: string[] = []
    visitor.page.on('request', (request) => void calls.push(request.url()))
    expect(await visitor.page.evaluate(`service.signup('user_1')`)).toBeUndefined()
    expect(calls).toEqual([])
    await visitor.leave()
  })

  test('trackClick records the given link once per visit and ignores invalid input', async () => {
    const { visitor, site, link, clicks } = await givenShop(service)
    await visitor.visit(site.page('/'))
    const clickId = await visitor.page.evaluate<string>(`service.trackClick('https://shop.example/?aff=${link.aff}')`)
    expect(await visitor.page.evaluate(`service.trackClick('https://shop.example/?aff=${link.aff}')`)).toBe(clickId)
    expect(await clicks()).toMatchObject([{ clickId }])
    for (const nonsense of ['5', '{}', 'null', '"?"']) await visitor.page.evaluate(`service.trackClick(${nonsense})`)
    expect(await visitor.page.evaluate('service.getClickId()')).toBe(clickId)
    await visitor.leave()
  })

  test('cannot send sales, which come from a server', async () => {
    const { visitor, site } = await givenShop(service)
    await visitor.visit(site.page('/'))
    const names = ['consent', 'getClickId', 'ready', 'signup', 'trackClick']
    expect(await visitor.page.evaluate('Object.keys(service).sort()')).toEqual(names)
    await visitor.leave()
  })
})

describe('an unusual page sees no exception, and its visits are recorded', () => {
  for (const stored of sized({ short: ['{}', 'null', '{'], long: ['{}', '1', '[]', 'null', '"x"', '{'] }))
    test(`storage containing ${stored}`, async () => {
      const { visitor, url, clicks } = await givenShop(service, {
        head: `<script>sessionStorage.service_visit = '${stored}'</script>`,
      })
      const clickId = await visitor.visit(url)
      await visitor.page.evaluate(`history.pushState(null, '', '/other')`)
      expect(await clicks()).toMatchObject([{ clickId }])
      await visitor.leave()
    })

  test('invalid calls in the queue, before and after loading', async () => {
    const head = `<script>window.serviceQueue = [null, 5, [], ['ready', null], ['signup']]</script>`
    const { visitor, url, clicks } = await givenShop(service, { head })
    const clickId = await visitor.visit(url)
    await visitor.page.evaluate(
      'serviceQueue.push(null), serviceQueue.push(), service.ready(), service.trackClick(null)',
    )
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('elements with the IDs service and serviceQueue', async () => {
    const head = '<div id="serviceQueue"></div><section id="service"></section>'
    const { visitor, url, clicks } = await givenShop(service, { head })
    const clickId = await visitor.visit(url)
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('a global named service is kept, and the queue offers the same calls', async () => {
    const { visitor, url, clicks } = await givenShop(service, { head: '<script>var service = { own: true }</script>' })
    await visitor.page.goto(url)
    const clickId = await visitor.page.evaluate<string>(`new Promise((done) => serviceQueue.push(['ready', done]))`)
    expect(await visitor.page.evaluate('service')).toEqual({ own: true })
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('several calls in one push', async () => {
    const { visitor, url } = await givenShop(service)
    const clickId = await visitor.visit(url)
    const both = `new Promise((done) => { window.ids = []; const ready = ['ready', (id) => ids.push(id) > 1 && done(ids)]; serviceQueue.push(ready, ready) })`
    expect(await visitor.page.evaluate(both)).toEqual([clickId, clickId])
    await visitor.leave()
  })
})

describe('setup', () => {
  test('data-debug logs to the console; without it, or with "false", the script is silent', async () => {
    const { visitor, url } = await givenShop(service, { attributes: 'data-debug' })
    const clickId = await visitor.visit(url)
    await visitor.page.reload()
    await settled(visitor.page)
    expect(visitor.lines()).toEqual([
      expect.stringMatching(new RegExp(`^\\[service\\] .*"click_id":"${clickId}"`)),
      '[service] counted',
    ])
    await visitor.leave()
    for (const attributes of ['', 'data-debug="false"']) {
      const silent = await givenShop(service, { attributes })
      await silent.visitor.visit(silent.url)
      expect(silent.visitor.lines()).toEqual([])
      await silent.visitor.leave()
    }
  })

  for (const [name, aff] of [
    ['without a link', ''],
    ['with a link', '&aff='],
  ])
    test(`?service_test=1 ${name} sends a test click and completes the first step`, async () => {
      const program = await givenPayingProgram(service, {})
      const visitor = await givenVisitor()
      const site = givenSite(service, program)
      const status = async () =>
        (await program.owner.call('GET', `/api/tracking/status/${program.id}`)).body.data.stepStatuses.pageview
      expect(await status()).toBe('pending')
      await visitor.visit(site.page(`/?service_test=1${aff && aff + program.link.aff}`))
      expect(await status()).toBe('complete')
      expect(visitor.lines()).toEqual(['[service] Test click received. The pageview step is complete.'])
      expect(await testEventsOf(service, program.id)).toHaveLength(1)
      expect(await visitor.cookie()).toBeUndefined()
      await visitor.leave()
    })
})
