import { describe, expect, test } from 'bun:test'
import { errorAnswer } from '@tributary/contract'
import { openApiDocument } from '@tributary/contract/openapi'
import { OPERATIONS } from '@tributary/contract/operations'
import fc from 'fast-check'
import { cases, NIGHTLY, NIGHTLY_TIMEOUT_MS } from '../money/nightly.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { givenClick, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { type Call, validCallsOf } from './valid-calls.ts'
import { KNOWN_WORDS, type Schema, valueFor, wildText } from './values.ts'

const service = await startTestService({ mail: (await startSmtp()).mail })
const program = await givenPayingProgram(service, { lead: { amountCents: 100 }, sale: null, holdDays: 0 })
const sale = await givenSale(program, 5_000)
const payout = await program.pay()
const owner = program.owner
const path = `/api/workspaces/${program.workspaceId}`
const invitation = (await owner.call('POST', `${path}/invitations`, { email: 'new@example.com' })).body.data
const apiKey = (await owner.call('POST', `${program.api}/api-keys`, { name: 'fuzz' })).body.data

KNOWN_WORDS.push(program.link.url, sale.invoice_id, sale.customer_key, program.workspaceId)

/** IDs that exist, so that some calls get past the lookups. Other row IDs are 1. */
const NAMES: Record<string, unknown> = {
  programId: program.id,
  workspaceId: program.workspaceId,
  partnerId: program.link.partnerId,
  groupId: (await owner.call('POST', `${program.api}/groups`, { name: 'Fuzz' })).body.data.id,
  linkId: program.link.id,
  saleId: sale.sale_id,
  leadId: 1,
  commissionId: 1,
  adjustmentId: 1,
  payoutId: payout?.id ?? 1,
  lineId: payout?.lines?.[0]?.id ?? 1,
  draftId: 1,
  keyId: 'nobody',
  memberId: 'nobody',
  invitationId: invitation.id,
  customerId: await givenClick(service, program.link),
  eventType: 'sale',
  processor: 'stripe',
  eventId: sale.sale_id,
  file: 'sales.csv',
  resourceId: 1,
  hash: 'nobody',
}

const callers: Record<string, Record<string, string>> = { anonymous: {} }
for (const role of ['owner', 'admin', 'member', 'viewer', 'billing']) {
  const user = await givenUser(service)
  await givenRole(service, program.workspaceId, user, role)
  callers[role] = { cookie: user.cookie }
}
callers.partner = { cookie: (await givenPortal(service).givenPartner(program)).cookie }
callers.stranger = { cookie: (await givenUser(service)).cookie }
callers.key = { authorization: `Bearer ${apiKey.key}` }
callers['wrong key'] = { authorization: `Bearer ${apiKey.key.slice(0, -1)}` }

const validCall = validCallsOf({ service, program, sale, callers, names: NAMES })

type DocumentedOperation = {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
  responses: Record<string, unknown>
}

const callsOf = ({ parameters, requestBody }: DocumentedOperation): fc.Arbitrary<Call> => {
  const named = (kind: string) => parameters.filter((parameter) => parameter.in === kind)
  const inPath = named('path').map(({ name }) => [
    name,
    fc.oneof({ weight: 8, arbitrary: fc.constant(String(NAMES[name] ?? 1)) }, { weight: 1, arbitrary: wildText }),
  ])
  const inQuery = named('query').map(({ name, schema }) => [name, valueFor(schema)])
  const schema = requestBody?.content['application/json']?.schema
  const body = schema ? valueFor(schema) : requestBody ? wildText : fc.constant(undefined)
  return fc.record({
    caller: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('owner', 'key') },
      { weight: 1, arbitrary: fc.constantFrom(...Object.keys(callers)) },
    ),
    path: fc.record(Object.fromEntries(inPath)),
    query: fc.record(Object.fromEntries(inQuery), { requiredKeys: [] }),
    body: fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: requestBody ? wildText : body }),
  })
}

const send = async (method: string, template: string, call: Call) => {
  const query = new URLSearchParams(
    Object.entries(call.query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value.toWellFormed() : String(value),
    ]),
  )
  // An empty name, or one of dots only, would be another route.
  const name = (value = '') => encodeURIComponent(/^\.*$/.test(value) ? `_${value}` : value.toWellFormed())
  const address = template.replace(/\{(\w+)\}/g, (_, part) => name(call.path[part]))
  const body =
    call.body === undefined ? undefined : typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  const headers = { ...callers[call.caller], ...(body !== undefined && { 'content-type': 'application/json' }) }
  const response = await fetch(`${service.url}${address}?${query}`, { method: method.toUpperCase(), headers, body })
  // A stream stays open as long as it is read; its start counts as the response.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

/**
 * Routes that end memberships or reverse money come late and those that end sessions last, so that the others still
 * have data to work on.
 */
const orderOf = ({ path, method }: { path: string; method: string }) => {
  if (path.startsWith('/api/auth/')) return 2
  return path.includes('members/') || path.endsWith('/void') || method === 'delete' ? 1 : 0
}
const inOrder = OPERATIONS.toSorted((a, b) => orderOf(a) - orderOf(b))

/**
 * What an authorized caller would still need and does not have here. Every other call must succeed when sent as
 * intended.
 */
const MISSING: Record<string, string> = {
  'post /api/programs/{programId}/commissions/{commissionId}/review': 'a commission that waits for a review',
  'post /api/programs/{programId}/payouts': 'something payable, which earlier calls may have changed',
  'patch /api/programs/{programId}/payouts/{payoutId}': 'an open line, which an earlier call may have settled',
  'post /api/programs/{programId}/payouts/drafts/{draftId}/confirm': 'a draft',
  'post /api/programs/{programId}/payouts/drafts/{draftId}/discard': 'a draft',
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/reset':
    'an open line, which an earlier call may have settled',
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/statement/reissue':
    'legal details that changed since the statement',
  'post /api/programs/{programId}/processor/connect': 'a platform account',
  'get /api/programs/{programId}/processor/events/{eventId}': 'a processor event',
  'post /api/v1/processor/webhook': 'a signature',
  'post /api/v1/processor/webhook/{programId}': 'a signature',
  'post /api/v1/processor/{processor}/webhook/{programId}': 'a signature',
  'post /api/auth/reset-password': 'a token that is only in an email',
  'post /api/auth/change-email/confirm': 'a token that is only in an email',
  'post /api/auth/sign-in/link/confirm': 'a token that is only in an email',
  'post /api/auth/sign-in/oidc': 'an identity provider',
  'post /api/auth/two-factor/verify': 'the cookie of the first step',
  'post /api/auth/two-factor/confirm': 'a code from an authenticator app',
  'post /api/auth/two-factor/recovery-codes': 'a code from an authenticator app',
  'post /api/auth/two-factor/disable': 'a code from an authenticator app',
  'put /api/workspaces/{workspaceId}/security': 'a session with a second factor',
}

const HOW_TO_SUCCEED =
  'No call succeeded. Send a body about the test data: add a line to OVERRIDES in valid-calls.ts, or say in MISSING what is missing here.'

/** Default messages of the schema library, which no response may contain. */
const LIBRARY_MESSAGE = /\bInvalid (?!email|password)|Too (big|small)|Unrecognized|\bexpected /

const { paths } = openApiDocument() as unknown as { paths: Record<string, Record<string, DocumentedOperation>> }

describe('every response, whatever is sent, is one that the OpenAPI document describes', () => {
  for (const operation of inOrder) {
    const { method, path: template, answers, status = 200 } = operation
    test(
      `${method.toUpperCase()} ${template}`,
      async () => {
        const documented = paths[template]?.[method] as DocumentedOperation
        const expected = Object.keys(documented.responses).filter((code) => code !== '500')
        const seen = new Set<number>()
        const numRuns = cases({ short: 3, small: 100, nightly: 5_000 })
        await fc.assert(
          fc.asyncProperty(callsOf(documented), async (call) => {
            const answer = await send(method, template, call)
            seen.add(answer.status)
            expect(expected, `${answer.status}: ${answer.text.slice(0, 300)}`).toContain(String(answer.status))
            expect(answer.headers.get('x-request-id')).toBeTruthy()
            if (answer.status >= 400)
              expect(errorAnswer.strict().parse(answer.body).error.message).not.toMatch(LIBRARY_MESSAGE)
            else if (answer.body !== null)
              expect(answers.some((schema) => schema.safeParse(answer.body).success)).toBe(true)
            if (answer.status < 400) expect(answer.status).toBe(status)
          }),
          { numRuns, examples: [[await validCall(operation)]], ...(!NIGHTLY && { seed: 7 }) },
        )
        // A run whose calls are all rejected has not tested the code behind validation.
        const isTaken = [...seen].some((code) => code < 400)
        expect(isTaken || MISSING[`${method} ${template}`], HOW_TO_SUCCEED).toBeTruthy()
        // A call that changed a program must not break the start of the next test.
        expect((await service.call('GET', '/readyz')).status).toBe(200)
      },
      NIGHTLY_TIMEOUT_MS,
    )
  }
})
