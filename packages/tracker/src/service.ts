import { AFF_PARAMETER } from '@tributary/contract/names'
import { attempt } from './attempt.ts'
import { getClickId } from './cookies.ts'
import { watchPaymentLinks } from './decorate.ts'
import { describeClick, withoutFragment } from './describe-click.ts'
import { submit, whenIdle, work } from './outbox.ts'
import { post } from './post.ts'
import { settings } from './settings.ts'
import type { QueuedCall, Service, Settings } from './types.ts'

const TEST_PARAMETER = 'service_test'

/** Submits a click if the URL is a referral link. Parses it the same way as the service. */
const checkUrl = (address: string) =>
  attempt(() => {
    const url = new URL(address)
    const query = url.searchParams
    const isTest = query.has(TEST_PARAMETER)
    if (isTest) {
      // Makes the check work before the first partner exists.
      query.append(AFF_PARAMETER, TEST_PARAMETER)
      settings.debug = true
    }
    const aff = isTest ? TEST_PARAMETER : query.get(AFF_PARAMETER)
    if (aff) submit(describeClick(url.href, isTest), aff)
  })

export const service: Service = {
  getClickId,
  trackClick(url = location.href) {
    checkUrl(url)
    return new Promise(whenIdle)
  },
  async signup(customer_key, email) {
    const click_id = await new Promise(whenIdle)
    if (click_id) return post('lead', { click_id, customer_key, email })
  },
  consent(decision) {
    settings.consent = +(decision === 'granted')
    work()
  },
  ready(callback) {
    whenIdle(callback)
  },
}

const run = (call: QueuedCall) =>
  attempt(() => {
    const [name, ...args] = call
    ;(service[name] as (...args: unknown[]) => unknown)(...args)
  })

/** The URL that was checked last. */
let checked: string

const checkLocation = () => {
  const here = withoutFragment(location.href)
  if (checked !== here) {
    checked = here
    checkUrl(checked)
  }
  work()
}

const watchLocation = () => {
  for (const name of ['replaceState', 'pushState'] as const) {
    const original = history[name]
    history[name] = (...args) => {
      original.apply(history, args)
      checkLocation()
    }
  }
  for (const name of ['online', 'pageshow', 'popstate', 'prerenderingchange'])
    addEventListener(name, checkLocation, true)
  // Routers on the Navigation API do not call pushState. Comes last, because it throws in browsers without that API.
  navigation.addEventListener('currententrychange', checkLocation)
}

export const start = (given: Settings) => {
  const queue = (window.serviceQueue || []) as QueuedCall[] & { nodeType?: number }
  // The page may have an element with this ID. If the script is loaded twice, the queue is the first tracker's own object, which is
  // not iterable, so the second one stops here.
  const calls = queue.nodeType ? [] : [...queue]
  Object.assign(settings, given)
  settings.base = new URL(given.apiBase.replace(/\/?$/, '/'), location as unknown as string)
  window.serviceQueue = { push: (...calls) => calls.map(run) }
  // Keeps a global that the page defined itself; the queue offers the same calls. An element with this ID is replaced.
  // biome-ignore lint/suspicious/noPrototypeBuiltins: Object.hasOwn is newer than the browsers we serve
  if (!window.hasOwnProperty('service')) window.service = service
  // Runs before any URL is checked, because the calls may include the visitor's consent.
  calls.map(run)
  // A router may have cleaned up the URL before this script ran.
  checked = attempt(() =>
    withoutFragment((performance.getEntriesByType('navigation')[0] as PerformanceEntry).name),
  ) as string
  checkUrl(checked)
  checkLocation()
  watchPaymentLinks()
  watchLocation()
}
