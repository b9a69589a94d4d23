import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { PUBLISHED_EVENT_TYPES, z } from '@tributary/contract'
import { EXAMPLE_ANSWERS, EXAMPLE_BODIES } from '@tributary/contract/example-bodies'
import { openApiDocument } from '@tributary/contract/openapi'
import { OPERATIONS } from '@tributary/contract/operations'
import { apiReference } from '../src/http/api-reference.ts'
import { givenService } from './support/shared-service.ts'

const BASE_URL = 'https://track.example.com'
const page = apiReference(openApiDocument(), BASE_URL)
const service = await givenService()

/** Visible text without markup. */
const textOf = (markup: string) =>
  markup
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const sections = page.split('<section class="operation"').slice(1)
const sectionOf = ({ method, path }: { method: string; path: string }) =>
  sections.find((section) => {
    const endpoint = textOf(/<p class="endpoint">(.*?)<\/p>/s.exec(section)?.[1] ?? '')
    return endpoint.trim().split(/\s+/).join(' ') === `${method.toUpperCase()} ${path}`
  })

/** A JSON schema, as far as these tests read it. */
type Node = { properties?: Record<string, Node>; description?: string; items?: Node; anyOf?: Node[]; oneOf?: Node[] }

/** Names of the fields without a description, at any depth. */
const undescribedFields = ({ properties = {}, items, anyOf = [], oneOf = [] }: Node): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [] : [name]),
    ...undescribedFields(field),
  ]),
  ...[...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap(undescribedFields),
]

describe('the API reference', () => {
  test('shows every event with its fields and an example', () => {
    const { webhooks } = openApiDocument()
    const events = page.split('<section class="event operation"').slice(1)
    expect(events).toHaveLength(PUBLISHED_EVENT_TYPES.length)
    for (const [index, type] of PUBLISHED_EVENT_TYPES.entries()) {
      const text = textOf(events[index] ?? '')
      const schema = webhooks[type]?.post.requestBody.content['application/json'].schema
      const { data } = (schema as Node).properties ?? {}
      for (const words of [type, `"sequence": `, ...Object.keys(data?.properties ?? {}).map((name) => `data.${name}`)])
        expect(text).toContain(words)
      expect(page).toContain(`href="#event-${type.replace('.', '-')}"`)
    }
  })

  test('shows every operation of the contract with its fields, errors and an example command', () => {
    expect(OPERATIONS.length).toBeGreaterThan(20)
    expect(sections.length).toBe(OPERATIONS.length)
    const { paths } = openApiDocument()
    for (const entry of OPERATIONS) {
      const text = textOf(sectionOf(entry) ?? '')
      expect(text).toContain(entry.summary)
      for (const code of entry.refusals) expect(text).toContain(code)
      const schema = paths[entry.path]?.[entry.method]?.requestBody?.content['application/json']?.schema as object
      for (const field of Object.keys((schema as { properties?: object })?.properties ?? {}))
        expect(text).toContain(field)
      for (const parameter of Object.keys(entry.query?.shape ?? {})) expect(text).toContain(parameter)
      expect(text).toContain(`${BASE_URL}/api/`)
    }
  })

  test('describes every call and every parameter', () => {
    for (const methods of Object.values(openApiDocument().paths))
      for (const { operationId, summary, description, parameters } of Object.values(methods)) {
        expect({ operationId, isDescribed: summary !== '' && description !== '' }).toMatchObject({ isDescribed: true })
        const undescribed = parameters.filter((parameter) => !parameter.description).map(({ name }) => name)
        expect({ operationId, undescribed }).toEqual({ operationId, undescribed: [] })
      }
  })

  test('says for every call who may make it', () => {
    const CALLER_LABELS = {
      public: 'Public No credential needed.',
      key: 'API key Called by your server',
      'browser or key': 'API key or browser',
      session: 'Session Called by a signed-in workspace member.',
      partner: 'Partner Called by a signed-in partner.',
    }
    for (const entry of OPERATIONS)
      expect(textOf(sectionOf(entry) ?? '').replace(/\s+/g, ' ')).toContain(CALLER_LABELS[entry.caller])
  })

  test('describes every field of a request and of a tracking response', () => {
    for (const { path, method, request, answers } of OPERATIONS) {
      const schemas = [...(request ? [request] : []), ...(path.startsWith('/api/v1/') ? answers : [])]
      const undescribed = schemas.flatMap((schema) =>
        undescribedFields(
          z.toJSONSchema(schema, { io: schema === request ? 'input' : 'output', unrepresentable: 'any' }) as Node,
        ),
      )
      expect({ method, path, undescribed }).toEqual({ method, path, undescribed: [] })
    }
  })

  test('has an example for every body that the contract accepts', () => {
    for (const [name, example] of Object.entries(EXAMPLE_ANSWERS)) {
      const entry = OPERATIONS.find(({ method, path }) => `${method} ${path}` === name)
      expect({ name, matches: entry?.answers.some((answer) => answer.safeParse(example).success) }).toEqual({
        name,
        matches: true,
      })
    }
    for (const { method, path, request } of OPERATIONS.filter((entry) => entry.request)) {
      const body = EXAMPLE_BODIES[`${method} ${path}`]
      expect({ method, path, accepted: body !== undefined && request?.safeParse(body).success }).toEqual({
        method,
        path,
        accepted: true,
      })
    }
  })

  test('has exactly one target for every internal link', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const targets = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(OPERATIONS.length)
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  })

  test('loads no resources and runs no scripts, and forbids both', async () => {
    expect(page).not.toMatch(/<(script|img|link|iframe|object|embed|form)\b|\son\w+=|javascript:|@import|url\(/i)
    const response = await fetch(`${service.url}/docs`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const style = /<style>(.*?)<\/style>/s.exec(await response.text())?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toStartWith(
      `default-src 'none'; style-src 'sha256-${hash}'`,
    )
  })

  test('escapes everything from the document', () => {
    const hostile = '</code><script>alert("1")</script><b title=\'x\'>&amp;`<i>`'
    const schema = {
      type: 'object',
      description: hostile,
      properties: { [hostile]: { type: 'string', description: hostile, enum: [hostile], default: hostile } },
    }
    const content = { 'application/json': { schema } }
    const operation = {
      summary: hostile,
      description: hostile,
      tags: [hostile],
      security: [],
      parameters: [{ name: hostile, in: 'query', required: true, schema }],
      requestBody: { content },
      responses: { 200: { description: hostile, content }, 400: { description: hostile, content } },
    }
    const result = apiReference(
      {
        info: { title: hostile, description: hostile },
        tags: [{ name: hostile, description: hostile }],
        paths: { [`/api/v1/${hostile}`]: { post: operation } },
      },
      hostile,
    )
    const harmless = new Set([...page.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag))
    const tags = new Set([...result.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag))
    expect([...tags].filter((tag) => !harmless.has(tag))).toEqual([])
    expect(result).not.toContain('alert("1")')
    expect(textOf(result)).toContain('<script>alert("1")</script>')
    expect(result).not.toMatch(/="[^"]*<|='/)
  })
})

test('/openapi.json is the contract’s document', async () => {
  const { status, body } = await service.call('GET', '/openapi.json')
  expect(status).toBe(200)
  const serverUrl = 'http://localhost:3000'
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument({ serverUrl }))))
})
