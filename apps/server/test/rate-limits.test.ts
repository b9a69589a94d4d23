import { expect, test } from 'bun:test'
import {
  BROWSER_CALLS_PER_MINUTE,
  DASHBOARD_CALLS_PER_ADDRESS,
  DASHBOARD_CALLS_PER_MINUTE,
  KEYED_CALLS_PER_MINUTE,
  SIGN_IN_ATTEMPTS_PER_MINUTE,
  TEST_EVENTS_PER_MINUTE,
  WRONG_SIGNATURES_PER_MINUTE,
} from '@tributary/contract'
import { type RateLimits, rateLimits } from '../src/http/rate-limits.ts'

const IP = '192.0.2.1'

const CALLS: [name: string, limit: number, call: (limits: RateLimits) => void][] = [
  ['browser calls', BROWSER_CALLS_PER_MINUTE, ({ browser }) => browser(IP)],
  ['calls with a key', KEYED_CALLS_PER_MINUTE, ({ key }) => key('a key')],
  ['sign-in attempts', SIGN_IN_ATTEMPTS_PER_MINUTE, ({ signIn }) => signIn(IP)],
  ['test events without a key', TEST_EVENTS_PER_MINUTE, ({ test }) => test(IP)],
  ['calls of a user', DASHBOARD_CALLS_PER_MINUTE, ({ user }) => user('a user')],
  ['calls without a session', DASHBOARD_CALLS_PER_MINUTE, ({ visitor }) => visitor(IP)],
  ['calls of an IP address', DASHBOARD_CALLS_PER_ADDRESS, ({ address }) => address(IP)],
  [
    'wrong keys',
    BROWSER_CALLS_PER_MINUTE,
    ({ guess }) => {
      guess.refuse(IP)
      guess.count(IP)
    },
  ],
  [
    'wrong signatures',
    WRONG_SIGNATURES_PER_MINUTE,
    ({ signature }) => {
      signature.refuse(IP, 'an endpoint')
      signature.count(IP, 'an endpoint')
    },
  ],
]

test.each(CALLS)('%s are limited to the contract’s number a minute: %d', (_, limit, call) => {
  let minute = 0
  const limits = rateLimits({ clock: () => new Date(60_000 * minute), enabled: true })
  for (let calls = 0; calls < limit; calls++) call(limits)
  expect(() => call(limits)).toThrow(`More than ${limit} `)
  minute++
  call(limits)
})
