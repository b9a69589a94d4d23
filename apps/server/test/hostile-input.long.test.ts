import { describe, expect, test } from 'bun:test'
import { OPERATIONS } from '@tributary/contract/operations'
import fc from 'fast-check'
import { click, givenClick, givenProgram, givenUser, unique } from './support/given.ts'
import { givenService } from './support/shared-service.ts'
import { isLongRun } from './support/size.ts'

const service = await givenService()
const program = await givenProgram(service, { leadAuth: 'browser_allowed' })
const member = await givenUser(service)
const { id: userId } = await service.db
  .selectFrom('users')
  .select('id')
  .where('email', '=', member.email)
  .executeTakeFirstOrThrow()
await service.db
  .insertInto('members')
  .values({ id: 'm', organizationId: program.workspaceId, userId, role: 'owner' })
  .execute()

const HOSTILE: unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '🏴‍☠️'.repeat(50),
  'x'.repeat(70),
  'y'.repeat(300),
  "'; DROP TABLE sales; --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'null',
  'NaN',
  '-1',
  '1e999',
  0,
  -0,
  -1,
  1.5,
  1e12,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  true,
  false,
  null,
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  { $gt: '' },
  { toString: 'x' },
  { length: 5 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{}}}'),
]
const FIELDS = [
  'affiliate_url',
  'page_url',
  'page_title',
  'existing_click_id',
  'screen_resolution',
  'additional_data',
  'customer_key',
  'click_id',
  'email',
  'amount',
  'invoice_id',
  'currency',
  'event_name',
  'subscription_id',
  'metadata',
  'program_id',
  'customerExternalId',
  '__proto__',
  'constructor',
]

/** These would end the session that the others need, or never end. */
const SKIPPED = ['/api/auth/sign-out', '/api/auth/revoke-sessions', '/api/tracking/events/{programId}/stream']

/**
 * The short run takes every n-th value, with a different offset for each caller, so that every value is used somewhere.
 */
const sampleOf = <Item>(items: Item[], offset: number, every: number) =>
  isLongRun ? items : items.filter((_, index) => (index + offset) % every === 0)

/** A few at a time: a crowd would only get 503. */
const inBatchesOfTen = async <Item>(items: Item[], act: (item: Item) => Promise<void>) => {
  for (let start = 0; start < items.length; start += 10) await Promise.all(items.slice(start, start + 10).map(act))
}

/** Not just no crash: a clear response that is never a 5xx. */
const expectNoServerError = ({ status, body }: { status: number; body: unknown }, sent: unknown) => {
  if (status >= 500) throw new Error(`${status} ${JSON.stringify(body)} for ${JSON.stringify(sent)?.slice(0, 300)}`)
  expect([200, 400, 403, 404, 409, 410, 413, 429]).toContain(status)
}

type RequestSchema = { shape?: object; options?: RequestSchema[] }

/** The fields of a request, or of every variant if it has several. */
const fieldsOf = ({ shape = {}, options = [] }: RequestSchema): string[] => [
  ...new Set([...Object.keys(shape), ...options.flatMap(fieldsOf)]),
]

describe('hostile input never gives a 500', () => {
  test('every hostile value in every field of every tracking call', async () => {
    const click_id = await givenClick(service, program.link)
    const whole = { affiliate_url: program.link.url, click_id, customer_key: 'u', amount: 5, invoice_id: 'i' }
    for (const [index, field] of FIELDS.entries())
      await inBatchesOfTen(sampleOf(HOSTILE, index, 8), async (value) => {
        const body = JSON.stringify({ ...whole }).replace(/}$/, `,${JSON.stringify(field)}:${JSON.stringify(value)}}`)
        expectNoServerError(await click(service, body), body)
        expectNoServerError(await program.lead(body), body)
        expectNoServerError(await program.sale(body), body)
        expectNoServerError(await service.call('POST', '/api/v1/track/lead', body), body)
      })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('every hostile value in every additional_data and metadata', async () => {
    for (const value of HOSTILE) {
      const additional_data = { test_mode: value, program_id: value, extra: value }
      const metadata = { key: value, nested: { deep: [value] }, '\u0000': value }
      expectNoServerError(await click(service, { affiliate_url: program.link.url, additional_data }), value)
      expectNoServerError(await program.lead({ customer_key: 'u', additional_data }), value)
      expectNoServerError(
        await program.sale({ customer_key: 'u', amount: 5, invoice_id: `meta-${Math.random()}`, metadata }),
        value,
      )
    }
  })

  test('deep JSON, a 10 MB body, huge integers, duplicate keys', async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    const bodies = [
      `{"affiliate_url":"${program.link.url}","additional_data":${deep}}`,
      `{"customer_key":"u","amount":5,"invoice_id":"deep","metadata":${`${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`}}`,
      '['.repeat(60_000),
      `{"page_title":"${'x'.repeat(10_000_000)}"}`,
      `{"customer_key":"u","invoice_id":"huge","amount":${'9'.repeat(400)}}`,
      `{"customer_key":"u","customer_key":"v","invoice_id":"twice","amount":5,"amount":6}`,
    ]
    for (const body of bodies) {
      expectNoServerError(await click(service, body), body.slice(0, 80))
      expectNoServerError(await program.lead(body), body.slice(0, 80))
      expectNoServerError(await program.sale(body), body.slice(0, 80))
    }
    expect((await service.call('GET', '/healthz')).status).toBe(200)
  })

  test('bytes that are not UTF-8, and odd content types', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'nonsense',
      '',
    ]) {
      const response = await fetch(`${service.url}/api/v1/track/click`, {
        method: 'POST',
        body: new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
        headers: { 'content-type': type },
      })
      expect(response.status).toBe(400)
    }
  })

  test('odd paths, queries and headers on every route', async () => {
    const odd = ['%00', '%ff', '0', '-1', '9'.repeat(40), "'", '%F0%9F', 'a%2Fb', '..%2f', 'NaN', 'x'.repeat(2_000)]
    const routes = OPERATIONS.filter((entry) => !SKIPPED.includes(entry.path))
    for (const [index, { method, path, query: shape }] of routes.entries()) {
      const address = (value: string) => path.replace(/\{programId\}/, String(program.id)).replace(/\{\w+\}/g, value)
      // One at a time: the first rejected parameter hides the others.
      const queries = (value: string) => ['', ...Object.keys(shape?.shape ?? {}).map((name) => `?${name}=${value}`)]
      // Without a path parameter, the calls without a query would all be the same.
      const addresses = new Set(
        sampleOf(odd, index, 11).flatMap((value) => queries(value).map((query) => address(value) + query)),
      )
      const body = method === 'get' || method === 'delete' ? undefined : {}
      await inBatchesOfTen([...addresses], async (sent) => {
        const answer = await member.call(method.toUpperCase(), sent, body)
        if (answer.status >= 500) throw new Error(`${method} ${sent}: ${JSON.stringify(answer.body)}`)
      })
    }
    expect((await member.call('GET', '/api/me')).status).toBe(200)
    for (const authorization of ['Bearer \u00ff', `Bearer trk_${'x'.repeat(4_000)}_y`, 'Bearer trk_a_b', 'trk'])
      expect((await service.call('POST', '/api/v1/track/sale', {}, { authorization })).status).toBe(401)
  })

  test('every hostile value in every field of every dashboard call', async () => {
    const calls = OPERATIONS.filter(({ request, caller }) => request && (caller === 'session' || caller === 'partner'))
    for (const [index, { method, path, request }] of calls.entries()) {
      const fields = fieldsOf(request as RequestSchema)
      const url = path
        .replace('{programId}', String(program.id))
        .replace('{workspaceId}', program.workspaceId)
        .replace('{partnerId}', String(program.link.partnerId))
        .replace('{linkId}', String(program.link.id))
        .replace(/\{\w+\}/g, '1')
      expect(fields.length).toBeGreaterThan(0)
      await inBatchesOfTen(sampleOf(HOSTILE, index, 36), async (value) => {
        const alone = fields.map((field) => ({ name: 'x', partnerId: program.link.partnerId, [field]: value }))
        for (const sent of [Object.fromEntries(fields.map((field) => [field, value])), ...alone]) {
          const answer = await member.call(method.toUpperCase(), url, sent)
          if (answer.status >= 500)
            throw new Error(`${method} ${url} ${JSON.stringify(sent)}: ${JSON.stringify(answer.body)}`)
        }
      })
    }
    expect((await member.call('GET', '/api/me')).status).toBe(200)
  })

  test('every hostile value at sign-up and sign-in', async () => {
    // Unknown fields are sent along with valid ones.
    const account = () => ({ name: 'x', email: `${unique('x')}@example.com`, password: 'a long password' })
    const calls = HOSTILE.flatMap((value, index) => [
      ...sampleOf(['name', 'email', 'password', 'invitationId'], index, 4).map((field) => ({
        path: 'sign-up/email',
        field,
        sent: { ...account(), [field]: value } as Record<string, unknown>,
      })),
      ...sampleOf(['email', 'password'], index, 8).map((field) => ({
        path: 'sign-in/email',
        field,
        sent: { ...account(), name: value, invitationId: value, [field]: value } as Record<string, unknown>,
      })),
    ])
    const accepted = new Set<string>()
    await inBatchesOfTen(calls, async ({ path, field, sent }) => {
      const { status, body } = await service.call('POST', `/api/auth/${path}`, sent)
      const context = `${path} ${JSON.stringify(sent)}: ${status} ${JSON.stringify(body)}`
      if (path === 'sign-in/email') return expect(status, context).toBeOneOf([400, 401])
      // Either accepted or rejected with the reason; nothing in between.
      if (status !== 200)
        return expect([status, body.error], context).toMatchObject([400, { code: 'invalid_request', field }])
      accepted.add(field)
      expect(body.user, context).toMatchObject({ name: sent.name, email: sent.email })
    })
    expect([...accepted].toSorted()).toEqual(['invitationId', 'name', 'password'])
  })

  test('anything that fast-check generates', async () => {
    const body = fc.oneof(
      fc.jsonValue({ noUnicodeString: false }),
      fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ noUnicodeString: false })),
    )
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        for (const call of [click(service, value), program.lead(value), program.sale(value)])
          expectNoServerError(await call, value)
      }),
      { numRuns: isLongRun ? 150 : 8 },
    )
  })
})
