import { expect, test } from 'bun:test'
import * as declared from '@tributary/contract/declared'
import { OPERATIONS } from '@tributary/contract/operations'
import { givenUser } from '../support/given.ts'
import { startTestService } from '../support/service.ts'
import { sourceFiles } from '../support/source-files.ts'

const service = await startTestService()
const user = await givenUser(service)

test('every path of the contract answers exactly the methods that it declares', async () => {
  // The sign-in library routes its own paths.
  const ours = OPERATIONS.filter(({ path }) => !path.startsWith('/api/auth/'))
  const methods = Map.groupBy(ours, ({ path }) => path)
  const namesOf = (path: string) => (methods.get(path) ?? []).map(({ method }) => method.toUpperCase()).toSorted()
  for (const path of methods.keys()) {
    const concrete = path.replace(/\{\w+\}/g, '1')
    const { status, headers } = await user.call('PURGE', concrete)
    // Such as `links/ids`, which `links/{linkId}` matches too.
    const matching = [...methods.keys()].filter((other) => matches(other, concrete)).map(namesOf)
    expect({ path, status }).toEqual({ path, status: 405 })
    expect({ path, matching }).toEqual({
      path,
      matching: expect.arrayContaining([headers.get('allow')?.split(', ').toSorted()]),
    })
  }
})

const matches = (path: string, concrete: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(concrete)

/** Files that register routes themselves. A port removes its own; tracking, sign-in and static files stay. */
const NOT_PORTED = [
  'http/dashboard/dashboard.ts',
  'http/files/sdk-tarball.ts',
  'http/keyed/track-refund.ts',
  'http/keyed/track-sale.ts',
  'http/operator-routes.ts',
  'http/portal/balances.ts',
  'http/portal/earnings.ts',
  'http/portal/legal-details.ts',
  'http/portal/payouts.ts',
  'http/processor/connect-callback.ts',
  'http/processor/webhooks.ts',
  'http/public/partner-invitation-links.ts',
  'http/public/tracker-script.ts',
  'http/public/unsubscribe.ts',
  'http/session/money/adjustments.ts',
  'http/session/money/backtests.ts',
  'http/session/money/balances.ts',
  'http/session/money/commissions.ts',
  'http/session/money/payout-drafts.ts',
  'http/session/money/payout-export.ts',
  'http/session/money/payout-line-history.ts',
  'http/session/money/payout-lines.ts',
  'http/session/money/payouts.ts',
  'http/session/money/rewards.ts',
  'http/session/people/sign-in-links.ts',
  'http/session/people/sign-on.ts',
  'http/session/people/sign-up.ts',
  'http/session/people/two-factor.ts',
  'http/session/program/legal-details.ts',
  'http/track-lead.ts',
]

test('routes come from declarations, except those that are not ported yet', () => {
  const files = sourceFiles.filter(
    ({ path, text }) => path.startsWith('http/') && /\bapp\.(get|post|put|patch|delete)\(/.test(text),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(files.map(({ path }) => path).toSorted()).toEqual(NOT_PORTED)
  expect(Object.values(declared).flatMap((record) => Object.values(record)).length).toBeGreaterThan(20)
})
