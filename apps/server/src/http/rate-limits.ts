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

/** Calls of callers that were counted here since it was last asked, or elsewhere and told here. */
export type Counted = [caller: string, calls: number][]

/**
 * One caller's calls in the present minute. Memory is bounded: all counts go when the minute does.
 *
 * Each of several processes counts what it sees and tells the others of callers that are fast enough to matter. Somebody whose
 * calls are spread over all of them, just below that, can make half as many again as one process would let them.
 */
const limitPerMinute = (clock: Clock, { limit, workers, of }: { limit: number; workers: number; of: string }) => {
  const worthTelling = Math.floor(limit / (2 * workers))
  let minute = 0
  let counts = new Map<string, number>()
  let untold = new Map<string, number>()
  const beginMinute = () => {
    const current = Math.floor(clock().getTime() / MINUTE_MS)
    if (current === minute) return
    minute = current
    counts = new Map()
    untold = new Map()
  }
  const add = (to: Map<string, number>, caller: string, calls: number) => {
    const count = (to.get(caller) ?? 0) + calls
    to.set(caller, count)
    return count
  }
  const count = (caller: string) => {
    beginMinute()
    if (workers > 1) add(untold, caller, 1)
    add(counts, caller, 1)
  }
  const refuseAbove = (most: number, caller: string) => {
    beginMinute()
    if ((counts.get(caller) ?? 0) <= most) return
    const now = clock().getTime()
    const retryAfterSeconds = Math.max(1, Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000))
    throw new Refusal(
      'rate_limited',
      `More than ${limit} ${of} in a minute. Nothing was recorded; go on in ${retryAfterSeconds} seconds.`,
      {
        retryAfterSeconds,
      },
    )
  }
  return {
    count,
    /** Of one who has been counted for this call, and of one who has not been yet. */
    refuseCounted: (caller: string) => refuseAbove(limit, caller),
    refuseNext: (caller: string) => refuseAbove(limit - 1, caller),
    tell: (): Counted => {
      beginMinute()
      const told = [...untold].filter(([, calls]) => calls > worthTelling)
      for (const [caller] of told) untold.delete(caller)
      return told
    },
    hear: (counted: Counted) => {
      beginMinute()
      for (const [caller, calls] of counted) add(counts, caller, calls)
    },
  }
}

export type RateLimits = ReturnType<typeof rateLimits>

/** What one caller, named by the kind of caller, may do within a minute. */
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
    guess: limitOf(most.guess, 'wrong API keys from this address'),
    test: limitOf(most.test, 'tests without a key from this address'),
    signature: limitOf(most.signature, 'wrong signatures from this address'),
    user: limitOf(most.user, 'calls by this user'),
    visitor: limitOf(most.visitor, 'calls without a session from this address'),
    address: limitOf(most.address, 'calls from this address'),
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
    /** Of the dashboard's own API: by signed-in user, by address without a session, and by address whoever it is. */
    user: (id: string) => check('user', id),
    visitor: (ip: string | null) => check('visitor', callerNetwork(ip)),
    address: (ip: string | null) => check('address', callerNetwork(ip)),
    /** A key that is looked up costs a question; who has named too many wrong ones is not asked for any more. */
    guess: {
      refuse: (ip: string | null) => enabled && limits.guess.refuseNext(callerNetwork(ip)),
      count: (ip: string | null) => enabled && limits.guess.count(callerNetwork(ip)),
    },
    /** By program too: the processor's addresses are the same for all programs, and one wrong secret must not stop the others. */
    signature: {
      refuse: (ip: string | null, endpoint: string) =>
        enabled && limits.signature.refuseNext(`${callerNetwork(ip)} ${endpoint}`),
      count: (ip: string | null, endpoint: string) =>
        enabled && limits.signature.count(`${callerNetwork(ip)} ${endpoint}`),
    },
    /** What the other processes of this instance should know, and what they have told. */
    tell: (): ToldCounts => ({
      browser: limits.browser.tell(),
      key: limits.key.tell(),
      signIn: limits.signIn.tell(),
      guess: limits.guess.tell(),
      signature: limits.signature.tell(),
      test: limits.test.tell(),
      user: limits.user.tell(),
      visitor: limits.visitor.tell(),
      address: limits.address.tell(),
    }),
    hear: (told: ToldCounts) => {
      limits.browser.hear(told.browser)
      limits.key.hear(told.key)
      limits.signIn.hear(told.signIn)
      limits.guess.hear(told.guess)
      limits.signature.hear(told.signature)
      limits.test.hear(told.test)
      limits.user.hear(told.user)
      limits.visitor.hear(told.visitor)
      limits.address.hear(told.address)
    },
  }
}

export type ToldCounts = Record<keyof CallsPerMinute, Counted>
