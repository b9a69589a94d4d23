import { z } from 'zod'
import { ERROR_STATUS, errorAnswer } from '../errors.ts'
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY } from '../names.ts'
import { exampleEvent } from '../outbox/event-examples.ts'
import { EVENT_SCHEMA_VERSION, PUBLISHED_EVENT_DESCRIPTIONS, PUBLISHED_EVENT_TYPES } from '../outbox/event-types.ts'
import { publishedEventOf } from '../outbox/published-events.ts'
import { VERSION } from '../version.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { describeParameter, isRowId } from './parameters.ts'

const EXAMPLE_ERROR = {
  success: false,
  error: {
    code: 'missing_aff',
    message: 'affiliate_url has no aff parameter. Send the full URL of the referral link.',
    field: 'affiliate_url',
    request_id: '5f0c3c1e-6f0e-4f5b-8c1d-0a4c8f1f7e11',
  },
}

const SECURITY = {
  public: [],
  key: [{ programKey: [] }],
  session: [{ session: [] }],
  partner: [{ session: [] }],
  'browser or key': [{}, { programKey: [] }],
} as const

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** The bytes of a file. */
const binary = (types: readonly string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
})

const json = (schema: object, example?: object) => ({
  content: { 'application/json': { schema, ...(example && { example }) } },
})

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: describeParameter(name),
    schema: { type: isRowId(name) ? 'integer' : 'string' },
  }))

const queryParameters = (query: z.ZodObject) =>
  Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = jsonSchema(schema as z.ZodType, 'output')
    return { name, in: 'query', required: false, ...(description && { description }), schema: rest }
  })

const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description:
    'Makes a call with an API key safe to repeat: the same key and body return the stored response, with the header `Idempotent-Replayed: true`, and have no further effect. Keys are kept for at least 30 days. A call that fails does not use up its key',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: IDEMPOTENCY_KEY.source },
}

/** A text parameter can contain characters that Postgres cannot store, such as NUL. */
const hasTextParameter = (path: string) => pathParameters(path).some(({ schema }) => schema.type === 'string')

/** Browsers send the origin of these calls, and the service rejects other sites (same-origin.ts). */
const requiresSameOrigin = ({ method, path }: Operation) => method !== 'get' && !path.startsWith('/api/v1/')

const refusals = (operation: Operation) => {
  const { refusals: codes, refusalsAs400 = [], query, path, permission } = operation
  // Calls under /api/v1 list `rate_limited` themselves.
  const limited = path.startsWith('/api/v1/') ? [] : (['rate_limited'] as const)
  const everywhere = ['internal_error', 'overloaded', 'unavailable'] as const
  const known = [
    ...new Set([
      ...codes,
      ...everywhere,
      ...limited,
      ...(query || hasTextParameter(path) ? (['invalid_request'] as const) : []),
      // Where the workspace requires it.
      ...(permission === 'payout:manage' ? (['two_factor_required'] as const) : []),
      ...(requiresSameOrigin(operation) ? (['origin_not_allowed'] as const) : []),
    ]),
  ].map((code) => ({ code, status: ERROR_STATUS[code] as number }))
  const all = [...known, ...refusalsAs400.map((code) => ({ code, status: 400 }))]
  return Object.fromEntries(
    Object.entries(Object.groupBy(all, ({ status }) => status)).map(([status, list = []]) => [
      status,
      {
        description: list.map(({ code }) => `\`${code}\``).join(', '),
        ...json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

const answer = (answers: z.ZodType[], example?: object) => {
  const schemas = answers.map((schema) => jsonSchema(schema, 'output'))
  const schema = schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas }
  return { description: 'Success', ...json(schema, example) }
}

const tagOf = (path: string) => {
  if (path.startsWith('/api/v1/')) return 'Tracking'
  return /^\/api\/(portal|public)\//.test(path) ? 'Partner portal' : 'Dashboard'
}

const operation = (entry: Operation) => {
  const { method, path, caller, permission, summary, description, query, request, status = 200, answers } = entry
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())}`,
    summary,
    description: permission ? `${description} Requires the \`${permission}\` permission.` : description,
    tags: [tagOf(path)],
    security: SECURITY[caller],
    parameters: [
      ...pathParameters(path),
      ...(query ? queryParameters(query) : []),
      ...(entry.acceptsIdempotencyKey ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(request && { requestBody: { required: true, ...json(jsonSchema(request, 'input'), entry.example) } }),
    ...(entry.file && { requestBody: { required: true, ...binary(entry.file) } }),
    responses: { [status]: answer(answers, entry.exampleAnswer), ...refusals(entry) },
  }
}

/** The body of a webhook delivery, for each type of event. */
const webhooks = () =>
  Object.fromEntries(
    PUBLISHED_EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `receive.${type}`,
          summary: PUBLISHED_EVENT_DESCRIPTIONS[type],
          description: `Sent to your webhook endpoints and returned by \`GET /api/v1/events\`. Schema version ${EVENT_SCHEMA_VERSION}.`,
          tags: ['Webhooks'],
          security: [{ webhookSignature: [] }],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: jsonSchema(publishedEventOf(type), 'output'),
                example: exampleEvent(type),
              },
            },
          },
          responses: { '2XX': { description: 'Any 2xx response confirms the delivery' } },
        },
      },
    ]),
  )

/**
 * The whole API as an OpenAPI 3.1 document, generated from the schemas that validate each call. The default server is the
 * one that the document was loaded from.
 */
export const openApiDocument = ({ serverUrl = '/' } = {}) => {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {}
  for (const entry of OPERATIONS) paths[entry.path] = { ...paths[entry.path], [entry.method]: operation(entry) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: VERSION,
      description:
        'Self-hosted referral tracking: record clicks, leads and sales, attribute them to partners, and pay commissions. A 2xx response means the change is committed. A 4xx or `overloaded` means nothing was recorded. After `unavailable` the outcome is unknown: retry the call. Leads and sales are recorded once; give refunds a `refund_id` or an `Idempotency-Key`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'Your Tributary instance' }],
    tags: [
      { name: 'Tracking', description: 'Called by your website and your server. Field names are in snake_case.' },
      {
        name: 'Dashboard',
        description: 'Called by the dashboard for signed-in workspace members. Field names are in camelCase.',
      },
      {
        name: 'Partner portal',
        description: 'Called by the portal for signed-in partners, who see only their own data. camelCase.',
      },
      {
        name: 'Webhooks',
        description: 'Sent to the webhook endpoints of your program. Fields inside `data` are in camelCase.',
      },
    ],
    paths,
    webhooks: webhooks(),
    components: {
      schemas: { Error: { ...jsonSchema(errorAnswer, 'output'), examples: [EXAMPLE_ERROR] } },
      securitySchemes: {
        programKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A program API key, `trk_…`. Use it from your server only.',
        },
        webhookSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description: 'Signature by Standard Webhooks 1.0. Verify it with the secret of your endpoint',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tributary.session_token',
          description: 'The session cookie set by POST /api/auth/sign-in/email',
        },
      },
    },
  }
}
