import { AFF_PARAMETER } from '@tributary/contract/names'
import { attempt } from './attempt.ts'
import { getClickId } from './cookies.ts'
import { describeClick } from './describe-click.ts'
import { post, submit, whenIdle, work } from './outbox.ts'
import { settings } from './settings.ts'
import type { QueuedCall, Service, Settings } from './types.ts'

const TEST_PARAMETER = 'service_test'

const parameterOf = (name: string, url: string) => (RegExp(`^[^#]*[?&]${name}=([^&#]+)`).exec(url) || [])[1]

/** Counts the link that an address is, if it is one. */
const look = (url: string) => {
  const aff = parameterOf(AFF_PARAMETER, url)
  if (parameterOf(TEST_PARAMETER, url) === '1') {
    settings.debug = true
    // The check works before the first partner exists.
    submit(describeClick(aff ? url : url.replace('?', `?${AFF_PARAMETER}=${TEST_PARAMETER}&`), true))
  } else if (aff) submit(describeClick(url, false), aff)
}

export const service: Service = {
  getClickId,
  trackClick(url) {
    look(`${url || location.href}`)
    return new Promise(whenIdle)
  },
  async signup(customer_key, email) {
    const click_id = await new Promise(whenIdle)
    if (click_id) return post('lead', { click_id, customer_key, email })
  },
  consent(decision) {
    settings.consent = decision
    work()
  },
  ready: whenIdle,
}

const run = ([name, ...args]: QueuedCall) => attempt(() => (service[name] as (...args: unknown[]) => unknown)(...args))

/** The address that was looked at last. */
let seen: string

const lookHere = () => {
  if (seen !== location.href) {
    seen = location.href
    look(seen)
  }
  work()
}

const watchAddress = () => {
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name]
    history[name] = (...args) => {
      original.apply(history, args)
      lookHere()
    }
  }
}

export const start = (given: Settings) => {
  const queue = (window.serviceQueue || []) as QueuedCall[]
  // Whoever loads the script twice has one tracker.
  if (!queue.forEach) return
  const apiBase = new URL(given.apiBase, location.href).href.replace(/\/?$/, '/')
  Object.assign(settings, given, { apiBase })
  window.service = service
  window.serviceQueue = { push: run }
  // A router may have cleaned the address before this script ran.
  const [opened = { name: '' }] = performance.getEntriesByType('navigation')
  seen = opened.name
  look(seen)
  lookHere()
  queue.forEach(run)
  watchAddress()
  for (const name of ['popstate', 'online', 'pageshow', 'prerenderingchange']) addEventListener(name, lookHere, true)
}
