import { AFF_PARAMETER } from '@tributary/contract/names'
import { attempt } from './attempt.ts'
import { getClickId } from './cookies.ts'
import { describeClick, withoutFragment } from './describe-click.ts'
import { submit, whenIdle, work } from './outbox.ts'
import { post } from './post.ts'
import { settings } from './settings.ts'
import type { QueuedCall, Service, Settings } from './types.ts'

const TEST_PARAMETER = 'service_test'

/** Counts the link that an address is, if it is one. It is read as the service reads it. */
const look = (address: string) =>
  attempt(() => {
    const url = new URL(address)
    const query = url.searchParams
    const isTest = query.has(TEST_PARAMETER)
    if (isTest) {
      // The check works before the first partner exists.
      query.append(AFF_PARAMETER, TEST_PARAMETER)
      settings.debug = true
    }
    const aff = isTest ? TEST_PARAMETER : query.get(AFF_PARAMETER)
    if (aff) submit(describeClick(url.href, isTest), aff)
  })

export const service: Service = {
  getClickId,
  trackClick(url = location.href) {
    look(url)
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

/** The address that was looked at last. */
let seen: string

const lookHere = () => {
  const here = withoutFragment(location.href)
  if (seen !== here) {
    seen = here
    look(seen)
  }
  work()
}

const watchAddress = () => {
  for (const name of ['replaceState', 'pushState'] as const) {
    const original = history[name]
    history[name] = (...args) => {
      original.apply(history, args)
      lookHere()
    }
  }
  for (const name of ['online', 'pageshow', 'popstate', 'prerenderingchange']) addEventListener(name, lookHere, true)
  // Routers on the Navigation API do not come by pushState. Where there is none, this throws and is the last we do.
  navigation.addEventListener('currententrychange', lookHere)
}

export const start = (given: Settings) => {
  const queue = (window.serviceQueue || []) as QueuedCall[] & { nodeType?: number }
  // An element of the page may have this id. What this script itself puts there has no calls to list, so that whoever
  // loads it twice has one tracker: the second ends here.
  const calls = queue.nodeType ? [] : [...queue]
  Object.assign(settings, given)
  settings.base = new URL(given.apiBase.replace(/\/?$/, '/'), location as unknown as string)
  window.serviceQueue = { push: (...calls) => calls.map(run) }
  // What the page itself calls so stays, and the queue does the same. An element with this id is not the page's own.
  // biome-ignore lint/suspicious/noPrototypeBuiltins: Object.hasOwn is newer than the browsers we serve
  if (!window.hasOwnProperty('service')) window.service = service
  // Consent may be among them, hence before anything is looked at.
  calls.map(run)
  // A router may have cleaned the address before this script ran.
  seen = attempt(() =>
    withoutFragment((performance.getEntriesByType('navigation')[0] as PerformanceEntry).name),
  ) as string
  look(seen)
  lookHere()
  watchAddress()
}
