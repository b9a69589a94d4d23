import { expect, test } from 'bun:test'
import { givenLink } from '../../../apps/server/test/support/given.ts'
import { clickEventsOf } from '../../../apps/server/test/support/records.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { sized } from '../../../apps/server/test/support/size.ts'
import { givenShop } from './support/given.ts'
import { givenProxy, givenSite } from './support/site.ts'
import { settled, startBrowser, type Visitor } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

const CLICK = '**/api/v1/track/click*'

/** Freezes the page's clock, so that the test does not depend on the speed of the machine. */
const stopClock = async ({ page }: Visitor) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** Waits until earlier responses have reached the script, by making a later request. */
const flushNetwork = ({ page }: Visitor) => page.evaluate('fetch("/").then(() => 0)')

test('a click made offline is sent when the browser is online again', async () => {
  const { visitor, site, link, clicks } = await givenShop(service)
  await visitor.visit(site.page('/'))
  await visitor.context.setOffline(true)
  await visitor.page.evaluate(`history.pushState(null, '', '/?aff=${link.aff}')`)
  expect(await settled(visitor.page)).toBeNull()
  const answered = visitor.page.waitForResponse(CLICK)
  await visitor.context.setOffline(false)
  await answered
  const clickId = await settled(visitor.page)
  expect(await clicks()).toMatchObject([{ clickId }])
  await visitor.leave()
})

test('a click that could not be sent is sent on the next page view, before any later click', async () => {
  const { program, visitor, site, url, clicks } = await givenShop(service)
  const other = await givenLink(service, program.id)
  await visitor.context.route(CLICK, (route) => route.abort())
  expect(await visitor.visit(url)).toBeNull()
  expect(await visitor.visit(site.page(`/?aff=${other.aff}`))).toBeNull()
  await visitor.context.unroute(CLICK)
  const clickId = await visitor.visit(site.page('/pricing'))
  expect(await clicks()).toMatchObject([{ clickId, pageUrl: url, reused: false }])
  expect(await clickEventsOf(service, other.id)).toMatchObject([{ clickId, reused: true }])
  await visitor.leave()
})

for (const status of sized({ short: [429, 503], long: [429, 500, 503] }))
  test(`a click that gets ${status} is retried a few times with increasing delays`, async () => {
    const { visitor, url, clicks } = await givenShop(service)
    let refusals = 0
    await stopClock(visitor)
    await visitor.context.route(CLICK, (route) =>
      ++refusals < 4 ? route.fulfill({ status, body: '{"success":false,"error":{}}' }) : route.continue(),
    )
    await Promise.all([visitor.page.waitForResponse(CLICK), visitor.page.goto(url)])
    await flushNetwork(visitor)
    for (const [seconds, before] of [
      [2, 1],
      [8, 2],
      [32, 3],
    ] as const) {
      await visitor.page.clock.runFor(seconds * 1000 - 100)
      expect(refusals).toBe(before)
      const answered = visitor.page.waitForResponse(CLICK)
      await visitor.page.clock.runFor(200)
      await answered
      await flushNetwork(visitor)
    }
    await visitor.page.clock.resume()
    const clickId = await settled(visitor.page)
    expect(await clicks()).toMatchObject([{ clickId }])
    await visitor.leaveForGood()
  })

test('a service that is permanently blocked costs the page four calls', async () => {
  const { visitor, url, clicks } = await givenShop(service)
  let calls = 0
  await visitor.page.clock.install()
  await visitor.context.route(CLICK, (route) => {
    calls += 1
    return route.abort()
  })
  await visitor.page.goto(url)
  for (let minute = 0; minute < 10; minute++) {
    await visitor.page.clock.runFor(60_000)
    await flushNetwork(visitor)
  }
  expect(calls).toBe(4)
  expect(await clicks()).toEqual([])
  await visitor.leaveForGood()
})

test('a call that hangs times out after ten seconds and is retried', async () => {
  const { visitor, url, clicks } = await givenShop(service)
  let calls = 0
  await stopClock(visitor)
  await visitor.context.route(CLICK, (route) => (++calls === 1 ? undefined : route.continue()))
  await visitor.page.goto(url)
  const signup = visitor.page.evaluate(`service.signup('user_1')`)
  await visitor.page.clock.runFor(9_000)
  expect(calls).toBe(1)
  await visitor.page.clock.runFor(1_100)
  expect(await signup).toBeUndefined()
  const answered = visitor.page.waitForResponse(CLICK)
  await visitor.page.clock.runFor(2_000)
  await answered
  await visitor.page.clock.resume()
  const clickId = await settled(visitor.page)
  expect(await clicks()).toMatchObject([{ clickId }])
  await visitor.leaveForGood()
})

test('a URL that is too long for keepalive is sent without it and blocks nothing', async () => {
  const { program, visitor, site, url, clicks } = await givenShop(service)
  const other = await givenLink(service, program.id)
  await visitor.visit(site.page('/'))
  await visitor.page.evaluate(`history.pushState(null, '', '/?aff=${other.aff}&x=' + 'x'.repeat(70000))`)
  await settled(visitor.page)
  const clickId = await visitor.visit(url)
  expect(clickId).toBeString()
  expect(await clicks()).toMatchObject([{ clickId }])
  await visitor.leave()
})

test('a blocked script does not affect the page, and calls stay in the queue', async () => {
  const head = `<script>window.serviceQueue = []; serviceQueue.push(['signup', 'user_1'])</script>`
  const { visitor, url } = await givenShop(service, { head })
  await visitor.context.route('**/service-tracker.js', (route) => route.abort())
  await visitor.page.goto(url)
  expect(await visitor.page.evaluate('[typeof service, serviceQueue.length].join()')).toBe('undefined,1')
  await visitor.leave()
})

test('leaving the page right after the click records it once, and the next page has its click_id', async () => {
  const { program, visitor, link, clicks } = await givenShop(service)
  const left = Promise.withResolvers<void>()
  const recorded = Promise.withResolvers<void>()
  let answers = 0
  const proxy = givenProxy(service, async (answer) => {
    if (++answers === 1) {
      recorded.resolve()
      await left.promise
    }
    return new Response(answer.body, { headers: { 'access-control-allow-origin': '*' } })
  })
  const site = givenSite(service, program, { attributes: `data-api-base="${proxy.url}/"` })
  await visitor.page.goto(site.page(`/?aff=${link.aff}`), { waitUntil: 'commit' })
  await recorded.promise
  const clickId = await visitor.visit(site.page('/other'))
  left.resolve()
  expect(answers).toBe(2)
  expect(await clicks()).toMatchObject([{ clickId: clickId ?? '' }])
  expect((await visitor.cookie())?.value).toBe(clickId ?? '')
  await visitor.leave()
})
