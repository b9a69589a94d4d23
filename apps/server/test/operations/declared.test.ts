import { expect, test } from 'bun:test'
import type { Declaration } from '@tributary/contract/declarations'
import * as declared from '@tributary/contract/declared'
import { DECLARATIONS, OPERATIONS } from '@tributary/contract/operations'
import { givenUser } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { sourceFiles } from '../support/source-files.ts'

const service = await givenService()
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

test('every resource is in the list of all', () => {
  const names = Object.entries(declared)
    .filter(([name, resource]) => name !== 'ALL_RESOURCES' && !declared.ALL_RESOURCES.some((each) => each === resource))
    .map(([name]) => `Add ${name} to ALL_RESOURCES in packages/contract/src/openapi/resources.ts.`)
  expect(names).toEqual([])
})

const SIGN_IN = 'the sign-in library sets the cookies of a session'
const TRACKING = 'runs in one batch with concurrent calls, and takes idempotency keys and aliases of fields'

/** Files whose routes are not operations, and why. */
const OWN_ROUTES = {
  'http/dashboard/dashboard.ts': 'the files of the dashboard, and its page for every address',
  'http/files/sdk-tarball.ts': 'a file for package managers',
  'http/keyed/track-refund.ts': TRACKING,
  'http/keyed/track-sale.ts': TRACKING,
  'http/operator-routes.ts': 'for probes, Prometheus and readers of the API reference: no caller to check',
  'http/processor/connect-callback.ts': 'the processor sends the browser here, and the answer sends it on',
  'http/processor/webhooks.ts': 'signed by the processor: the signature covers the bytes of the body',
  'http/public/tracker-script.ts': 'a script that browsers and caches keep',
  'http/public/unsubscribe.ts': 'pages for people and mail programs (RFC 8058)',
  'http/sign-in/accounts.ts': SIGN_IN,
  'http/sign-in/change-email.ts': SIGN_IN,
  'http/sign-in/invited-partner-sign-up.ts': SIGN_IN,
  'http/sign-in/sign-in-links.ts': SIGN_IN,
  'http/sign-in/sign-on.ts': SIGN_IN,
  'http/sign-in/sign-up.ts': SIGN_IN,
  'http/sign-in/two-factor.ts': SIGN_IN,
  'http/track-lead.ts': TRACKING,
}

test('routes come from declarations, except a few with a reason', () => {
  const files = sourceFiles.filter(
    ({ path, text }) =>
      path.startsWith('http/') &&
      !path.startsWith('http/operations/') &&
      /\bapp\.(get|post|put|patch|delete|on)\(/.test(text),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(files.map(({ path }) => path).toSorted()).toEqual(Object.keys(OWN_ROUTES).toSorted())
  expect(DECLARATIONS.length).toBeGreaterThan(150)
})

test('a permission is checked by the adapter, except one that the run checks', () => {
  const isChecked = ({ caller = 'session', path }: Declaration) =>
    caller === 'session' && /\{(program|workspace)Id\}/.test(path)
  const unchecked = DECLARATIONS.filter((each) => each.permission !== undefined && !isChecked(each))
  // The workspace is in the body.
  expect(unchecked.map(({ method, path }) => `${method} ${path}`)).toEqual(['post /api/programs'])
})
