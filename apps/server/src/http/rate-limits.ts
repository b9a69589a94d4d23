import { isIPv6 } from 'node:net'
import { BROWSER_CALLS_PER_MINUTE, KEYED_CALLS_PER_MINUTE, SIGN_IN_ATTEMPTS_PER_MINUTE } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'

const MINUTE_MS = 60_000

/** One caller's calls in the present minute. Memory is bounded: all counts go when the minute does. */
const limitPerMinute = (clock: Clock, limit: number) => {
  let minute = 0
  let counts = new Map<string, number>()
  return (caller: string) => {
    const now = clock().getTime()
    const current = Math.floor(now / MINUTE_MS)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    if (count <= limit) return
    const retryAfterSeconds = Math.max(1, Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000))
    throw new Refusal(
      'rate_limited',
      `More than ${limit} calls in a minute. Nothing was recorded; go on in ${retryAfterSeconds} seconds.`,
      {
        retryAfterSeconds,
      },
    )
  }
}

/** Whoever has one IPv6 address has the whole /64 it lies in. */
export const networkOf = (ip: string | null) => {
  if (!ip) return 'unknown'
  if (!isIPv6(ip)) return ip
  const [head = '', tail = ''] = ip.split('::')
  const groups = head ? head.split(':') : []
  const missing = ip.includes('::') ? 8 - groups.length - (tail ? tail.split(':').length : 0) : 0
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])]
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

export type RateLimits = ReturnType<typeof rateLimits>

/** Throws `rate_limited` for the caller who is too fast. */
export const rateLimits = ({ clock, enabled }: { clock: Clock; enabled: boolean }) => {
  const pass = (_: string | null) => {}
  if (!enabled) return { browser: pass, key: pass, signIn: pass }
  const browser = limitPerMinute(clock, BROWSER_CALLS_PER_MINUTE)
  const key = limitPerMinute(clock, KEYED_CALLS_PER_MINUTE)
  const signIn = limitPerMinute(clock, SIGN_IN_ATTEMPTS_PER_MINUTE)
  return {
    browser: (ip: string | null) => browser(networkOf(ip)),
    key: (keyOrProgram: string | null) => key(keyOrProgram ?? ''),
    signIn: (ip: string | null) => signIn(networkOf(ip)),
  }
}
