import { z } from 'zod'
import { ERROR_STATUS, errorAnswer } from '../errors.ts'
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY } from '../names.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'

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

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const WHOLE_NUMBERS = ['programId', 'partnerId', 'linkId', 'commissionId', 'payoutId', 'lineId']

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: WHOLE_NUMBERS.includes(name) ? 'integer' : 'string' },
  }))

const queryParameters = (query: z.ZodObject) =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(schema as z.ZodType, 'output'),
  }))

const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: IDEMPOTENCY_KEY.source,
    description:
      'With an API key: a repeat of the call with the same value has no effect and is given the stored answer, with the header `Idempotent-Replayed: true`. Kept at least 30 days; a call that was refused leaves it free',
  },
}

/** By a text, which can hold what no name can: such as NUL. */
const isNamed = (path: string) => pathParameters(path).some(({ schema }) => schema.type === 'string')

/** A browser says where such a call comes from, and one from a page of another site is refused. */
const isOfOneOrigin = ({ method, path }: Operation) => method !== 'get' && !path.startsWith('/api/v1/')

const refusals = (operation: Operation) => {
  const { refusals: codes, refusalsAs400 = [], query, path } = operation
  // Every route but those of /api/v1, which name it themselves where they have a limit.
  const limited = path.startsWith('/api/v1/') ? [] : (['rate_limited'] as const)
  const everywhere = ['internal_error', 'overloaded', 'unavailable'] as const
  const known = [
    ...new Set([
      ...codes,
      ...everywhere,
      ...limited,
      ...(query || isNamed(path) ? (['invalid_request'] as const) : []),
      ...(isOfOneOrigin(operation) ? (['origin_not_allowed'] as const) : []),
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

const answer = (answers: z.ZodType[]) => {
  const schemas = answers.map((schema) => jsonSchema(schema, 'output'))
  return { description: 'Committed', ...json(schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas }) }
}

const tagOf = (path: string) => {
  if (path.startsWith('/api/v1/')) return 'Tracking'
  return /^\/api\/(portal|public)\//.test(path) ? 'Partner portal' : 'Dashboard'
}

const operation = (entry: Operation) => {
  const { method, path, caller, permission, summary, query, request, isIdempotent, status = 200, answers } = entry
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())}`,
    summary,
    ...(permission && { description: `Needs the permission \`${permission}\`.` }),
    tags: [tagOf(path)],
    security: SECURITY[caller],
    parameters: [
      ...pathParameters(path),
      ...(query ? queryParameters(query) : []),
      ...(isIdempotent ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(request && { requestBody: { required: true, ...json(jsonSchema(request, 'input')) } }),
    responses: { [status]: answer(answers), ...refusals(entry) },
  }
}

/** The whole wire as an OpenAPI 3.1 document, made from the same schemas that check each call. */
export const openApiDocument = () => {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {}
  for (const entry of OPERATIONS) paths[entry.path] = { ...paths[entry.path], [entry.method]: operation(entry) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: '1',
      description:
        'Referral tracking: clicks, leads and sales, attributed to partners. 2xx means committed; 4xx and `overloaded` mean that nothing was recorded; after `unavailable` retry the call, a refund with `refund_id` or an `Idempotency-Key`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [
      { name: 'Tracking', description: 'The public wire, called by web pages and by merchants’ servers. snake_case.' },
      { name: 'Dashboard', description: 'The dashboard’s own API, for signed-in members of a workspace. camelCase.' },
      { name: 'Partner portal', description: 'For partners, who see what is theirs and nothing else. camelCase.' },
    ],
    paths,
    components: {
      schemas: { Error: jsonSchema(errorAnswer, 'output') },
      securitySchemes: {
        programKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A program API key, from the merchant’s server only',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tributary.session_token',
          description: 'Signed in through /api/auth/sign-in/email',
        },
      },
    },
  }
}
