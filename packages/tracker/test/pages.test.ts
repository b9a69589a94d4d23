import { describe, expect, test } from 'bun:test'
import { givenPayingProgram } from '../../../apps/server/test/support/money.ts'
import { leadsOf, testEventsOf } from '../../../apps/server/test/support/records.ts'
import { startTestService } from '../../../apps/server/test/support/service.ts'
import { sized } from '../../../apps/server/test/support/size.ts'
import { givenShop } from './support/given.ts'
import { givenSite } from './support/site.ts'
import { givenVisitor, settled, startBrowser } from './support/visitors.ts'

const service = await startTestService()
await startBrowser()

describe('a strict page', () => {
  const violations = `<script nonce="n">window.violations = []; document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))</script>`
  const policies = {
    'a content security policy': `default-src 'none'; script-src 'nonce-n' ${service.url}; connect-src ${service.url}`,
    'trusted types': `require-trusted-types-for 'script'; trusted-types 'none'`,
  }
  for (const [name, policy] of Object.entries(policies))
    test(`with ${name} has nothing to complain about`, async () => {
      const headers = { 'content-security-policy': policy }
      const { visitor, url, clicks } = await givenShop(service, { head: violations, headers })
      await visitor.page.goto(url)
      const clickId = await visitor.page.evaluate<string>(`new Promise((done) => service.ready(done))`)
      expect(await visitor.page.evaluate('window.violations')).toEqual([])
      expect(await clicks()).toMatchObject([{ clickId }])
      await visitor.leave()
    })

  test('that forbids the call sees no exception', async () => {
    const headers = { 'content-security-policy': `connect-src 'none'` }
    const { visitor, url, clicks } = await givenShop(service, { headers })
    expect(await visitor.visit(url)).toBeNull()
    expect(await clicks()).toEqual([])
    await visitor.leave()
  })

  test('that isolates itself from other origins loads the script', async () => {
    const headers = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' }
    const { visitor, site, link } = await givenShop(service, { headers })
    expect(await visitor.visit(site.at('localhost', `/?aff=${link.aff}`))).toBeString()
    await visitor.leave()
  })
})

describe('window.service', () => {
  test('does what was asked for before the script had loaded, in that order, and later pushes at once', async () => {
    const head = `<script>
      window.told = []
      window.serviceQueue = window.serviceQueue || []
      serviceQueue.push(['ready', (id) => told.push(id)])
      serviceQueue.push(['nonsense'])
      serviceQueue.push(['signup', 'user_1', 'ada@example.com'])
    </script>`
    const { visitor, url, program } = await givenShop(service, { head }, { leadAuth: 'browser_allowed' })
    const clickId = await visitor.visit(url)
    await visitor.page.evaluate(`new Promise((done) => serviceQueue.push(['ready', (id) => done(told.push(id))]))`)
    expect(await visitor.page.evaluate('told')).toEqual([clickId, clickId])
    await visitor.page.waitForFunction('performance.getEntriesByType("resource").some(({ name }) => /lead/.test(name))')
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'settled' }])
    await visitor.leave()
  })

  test('is one, however often the script is loaded', async () => {
    const { visitor, program, link, clicks } = await givenShop(service)
    const again = `<script defer src="${service.url}/service-tracker.js" data-program-id="${program.id}"></script>`
    const site = givenSite(service, program, { head: again })
    await visitor.visit(site.page(`/?aff=${link.aff}`))
    expect(await clicks()).toHaveLength(1)
    await visitor.leave()
  })

  test('signup is provisional unless the program trusts browsers', async () => {
    const { visitor, url } = await givenShop(service)
    const clickId = await visitor.visit(url)
    const answer = await visitor.page.evaluate(`service.signup('user_1', 'ada@example.com')`)
    expect(answer).toEqual({ success: true, click_id: clickId, provisional: true })
    await visitor.leave()
  })

  test('signup settles the lead where the program is browser_allowed', async () => {
    const { visitor, url, program } = await givenShop(service, {}, { leadAuth: 'browser_allowed' })
    const clickId = await visitor.visit(url)
    const answer = await visitor.page.evaluate(`service.signup('user_1', 'ada@example.com')`)
    expect(answer).toMatchObject({ success: true, customer_key: 'user_1', click_id: clickId })
    expect(await leadsOf(service, program.id)).toMatchObject([{ state: 'settled' }])
    await visitor.leave()
  })

  test('signup of somebody who came by themselves sends nothing', async () => {
    const { visitor, site } = await givenShop(service)
    await visitor.visit(site.page('/'))
    const calls: string[] = []
    visitor.page.on('request', (request) => void calls.push(request.url()))
    expect(await visitor.page.evaluate(`service.signup('user_1')`)).toBeUndefined()
    expect(calls).toEqual([])
    await visitor.leave()
  })

  test('trackClick counts a link that the page names, once a visit, and takes nonsense in its stride', async () => {
    const { visitor, site, link, clicks } = await givenShop(service)
    await visitor.visit(site.page('/'))
    const clickId = await visitor.page.evaluate<string>(`service.trackClick('https://shop.example/?aff=${link.aff}')`)
    expect(await visitor.page.evaluate(`service.trackClick('https://shop.example/?aff=${link.aff}')`)).toBe(clickId)
    expect(await clicks()).toMatchObject([{ clickId }])
    for (const nonsense of ['5', '{}', 'null', '"?"']) await visitor.page.evaluate(`service.trackClick(${nonsense})`)
    expect(await visitor.page.evaluate('service.getClickId()')).toBe(clickId)
    await visitor.leave()
  })

  test('has no sale: those come from a server', async () => {
    const { visitor, site } = await givenShop(service)
    await visitor.visit(site.page('/'))
    const names = ['consent', 'getClickId', 'ready', 'signup', 'trackClick']
    expect(await visitor.page.evaluate('Object.keys(service).sort()')).toEqual(names)
    await visitor.leave()
  })
})

describe('a page that does odd things sees no exception, and its visits count', () => {
  for (const stored of sized({ short: ['{}', 'null', '{'], long: ['{}', '1', '[]', 'null', '"x"', '{'] }))
    test(`storage that holds ${stored}`, async () => {
      const { visitor, url, clicks } = await givenShop(service, {
        head: `<script>sessionStorage.service_visit = '${stored}'</script>`,
      })
      const clickId = await visitor.visit(url)
      await visitor.page.evaluate(`history.pushState(null, '', '/other')`)
      expect(await clicks()).toMatchObject([{ clickId }])
      await visitor.leave()
    })

  test('nonsense in the queue, before and after', async () => {
    const head = `<script>window.serviceQueue = [null, 5, [], ['ready', null], ['signup']]</script>`
    const { visitor, url, clicks } = await givenShop(service, { head })
    const clickId = await visitor.visit(url)
    await visitor.page.evaluate(
      'serviceQueue.push(null), serviceQueue.push(), service.ready(), service.trackClick(null)',
    )
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('elements called service and serviceQueue', async () => {
    const head = '<div id="serviceQueue"></div><section id="service"></section>'
    const { visitor, url, clicks } = await givenShop(service, { head })
    const clickId = await visitor.visit(url)
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leave()
  })

  test('a service of its own stays, and the queue does the same', async () => {
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
    const both = `new Promise((done) => { window.told = []; const tell = ['ready', (id) => told.push(id) > 1 && done(told)]; serviceQueue.push(tell, tell) })`
    expect(await visitor.page.evaluate(both)).toEqual([clickId, clickId])
    await visitor.leave()
  })
})

describe('setting up', () => {
  test('data-debug says in the console what happens, and without it, or with "false", the script is silent', async () => {
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
