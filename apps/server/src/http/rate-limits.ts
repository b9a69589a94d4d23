import {
  BROWSER_CALLS_PER_MINUTE,
  DASHBOARD_CALLS_PER_ADDRESS,
  DASHBOARD_CALLS_PER_MINUTE,
  KEYED_CALLS_PER_MINUTE,
  SIGN_IN_ATTEMPTS_PER_MINUTE,
  TEST_EVENTS_PER_MINUTE,
  WRONG_SIGNATURES_PER_MINUTE,
} from '@tributary/contract'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { callerNetwork } from '../visitors/network-of.ts'

const MINUTE_MS = 60_000

/** Calls per caller, exchanged between processes. */
export type Counted = [caller: string, calls: number][]

/**
 * Counts each caller's calls in the current minute. Memory is bounded, because all counts are dropped when the minute ends.
 *
 * Each process counts its own calls and shares the counts of fast callers with the others. A caller who spreads calls over all
 * processes and stays just below the sharing threshold can exceed the limit by half.
 */
const limitPerMinute = (clock: Clock, { limit, workers, of }: { limit: number; workers: number; of: string }) => {
  const sharedAbove = Math.floor(limit / (2 * workers))
  let minute = 0
  let counts = new Map<string, number>()
  let unshared = new Map<string, number>()
  const beginMinute = () => {
    const current = Math.floor(clock().getTime() / MINUTE_MS)
    if (current === minute) return
    minute = current
    counts = new Map()
    unshared = new Map()
  }
  const add = (to: Map<string, number>, caller: string, calls: number) => {
    const count = (to.get(caller) ?? 0) + calls
    to.set(caller, count)
    return count
  }
  const count = (caller: string) => {
    beginMinute()
    if (workers > 1) add(unshared, caller, 1)
    add(counts, caller, 1)
  }
  const refuseAbove = (most: number, caller: string) => {
    beginMinute()
    if ((counts.get(caller) ?? 0) <= most) return
    const now = clock().getTime()
    const retryAfterSeconds = Math.max(1, Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000))
    throw new Refusal(
      'rate_limited',
      `More than ${limit} ${of} in one minute. Nothing was recorded; retry in ${retryAfterSeconds} seconds.`,
      {
        retryAfterSeconds,
      },
    )
  }
  return {
    count,
    /** If this call is already counted. */
    refuseCounted: (caller: string) => refuseAbove(limit, caller),
    /** If this call is not counted yet. */
    refuseNext: (caller: string) => refuseAbove(limit - 1, caller),
    takeCounts: (): Counted => {
      beginMinute()
      const shared = [...unshared].filter(([, calls]) => calls > sharedAbove)
      for (const [caller] of shared) unshared.delete(caller)
      return shared
    },
    addCounts: (counted: Counted) => {
      beginMinute()
      for (const [caller, calls] of counted) add(counts, caller, calls)
    },
  }
}

export type RateLimits = ReturnType<typeof rateLimits>

/** Calls per minute for each kind of caller. */
const CALLS_PER_MINUTE = {
  browser: BROWSER_CALLS_PER_MINUTE,
  key: KEYED_CALLS_PER_MINUTE,
  signIn: SIGN_IN_ATTEMPTS_PER_MINUTE,
  guess: BROWSER_CALLS_PER_MINUTE,
  test: TEST_EVENTS_PER_MINUTE,
  signature: WRONG_SIGNATURES_PER_MINUTE,
  user: DASHBOARD_CALLS_PER_MINUTE,
  visitor: DASHBOARD_CALLS_PER_MINUTE,
  address: DASHBOARD_CALLS_PER_ADDRESS,
}
export type CallsPerMinute = typeof CALLS_PER_MINUTE

type Options = {
  clock: Clock
  enabled: boolean
  workers?: number
  callsPerMinute?: Partial<CallsPerMinute> | undefined
}

/** Throws `rate_limited` for the caller who is too fast. */
export const rateLimits = ({ clock, enabled, workers = 1, callsPerMinute }: Options) => {
  const most = { ...CALLS_PER_MINUTE, ...callsPerMinute }
  const limitOf = (limit: number, of = 'calls') => limitPerMinute(clock, { limit, workers, of })
  const limits = {
    browser: limitOf(most.browser),
    key: limitOf(most.key),
    signIn: limitOf(most.signIn, 'attempts'),
    guess: limitOf(most.guess, 'wrong API keys from this IP address'),
    test: limitOf(most.test, 'test events without a key from this IP address'),
    signature: limitOf(most.signature, 'wrong signatures from this IP address'),
    user: limitOf(most.user, 'calls by this user'),
    visitor: limitOf(most.visitor, 'calls without a session from this IP address'),
    address: limitOf(most.address, 'calls from this IP address'),
  }
  const check = (name: keyof typeof limits, caller: string) => {
    if (!enabled) return
    limits[name].count(caller)
    limits[name].refuseCounted(caller)
  }
  return {
    browser: (ip: string | null) => check('browser', callerNetwork(ip)),
    key: (keyOrProgram: string | null) => check('key', keyOrProgram ?? ''),
    signIn: (ip: string | null) => check('signIn', callerNetwork(ip)),
    test: (ip: string | null) => check('test', callerNetwork(ip)),
    // The dashboard's API: per signed-in user, per IP address without a session, and per IP address in total.
    user: (id: string) => check('user', id),
    visitor: (ip: string | null) => check('visitor', callerNetwork(ip)),
    address: (ip: string | null) => check('address', callerNetwork(ip)),
    /** Looking up a key costs a query, so an IP address that sent too many wrong ones is rejected before the lookup. */
    guess: {
      refuse: (ip: string | null) => enabled && limits.guess.refuseNext(callerNetwork(ip)),
      count: (ip: string | null) => enabled && limits.guess.count(callerNetwork(ip)),
    },
    /** Also per program: all programs share the processor's IP addresses, and one wrong secret must not block the others. */
    signature: {
      refuse: (ip: string | null, endpoint: string) =>
        enabled && limits.signature.refuseNext(`${callerNetwork(ip)} ${endpoint}`),
      count: (ip: string | null, endpoint: string) =>
        enabled && limits.signature.count(`${callerNetwork(ip)} ${endpoint}`),
    },
    /** Counts to send to the other processes of this instance. */
    takeCounts: (): SharedCounts => ({
      browser: limits.browser.takeCounts(),
      key: limits.key.takeCounts(),
      signIn: limits.signIn.takeCounts(),
      guess: limits.guess.takeCounts(),
      signature: limits.signature.takeCounts(),
      test: limits.test.takeCounts(),
      user: limits.user.takeCounts(),
      visitor: limits.visitor.takeCounts(),
      address: limits.address.takeCounts(),
    }),
    /** Counts received from another process. */
    addCounts: (counts: SharedCounts) => {
      limits.browser.addCounts(counts.browser)
      limits.key.addCounts(counts.key)
      limits.signIn.addCounts(counts.signIn)
      limits.guess.addCounts(counts.guess)
      limits.signature.addCounts(counts.signature)
      limits.test.addCounts(counts.test)
      limits.user.addCounts(counts.user)
      limits.visitor.addCounts(counts.visitor)
      limits.address.addCounts(counts.address)
    },
  }
}

export type SharedCounts = Record<keyof CallsPerMinute, Counted>
