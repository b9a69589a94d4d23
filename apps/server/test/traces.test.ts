import { afterAll, expect, test } from 'bun:test'
import { createLog } from '../src/log.ts'
import { openTraces } from '../src/traces.ts'
import { startTestService } from './support/service.ts'
import { isLongRun } from './support/size.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } }
type Span = {
  name: string
  traceId: string
  parentSpanId?: string
  kind: number
  attributes: Attribute[]
  status: { code?: number }
}

const spans: Span[] = []
const collector = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 })
    const { resourceSpans } = (await request.json()) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    return Response.json({})
  },
})
afterAll(() => collector.stop(true))
const settings = { tracesEndpoint: `http://localhost:${collector.port}`, node: 'one' }
const log = createLog('silent', { node: 'one' })

test('a request is a span that continues the trace of its caller, without personal data', async () => {
  const service = await startTestService(settings)
  const trace = 'a'.repeat(32)
  const get = (flags: string) =>
    fetch(`${service.url}/healthz?email=someone@example.com`, {
      headers: { traceparent: `00-${trace}-${'b'.repeat(16)}-${flags}` },
    })
  await get('01')
  await get('00')
  // Jobs of the service are spans too.
  const requests = () => spans.filter(({ kind }) => kind === 2)
  while (requests().length === 0) await Bun.sleep(50)
  expect(requests()).toHaveLength(1)
  expect(requests()[0]).toMatchObject({ name: 'GET /healthz', traceId: trace, parentSpanId: 'b'.repeat(16), kind: 2 })
  expect(JSON.stringify(spans)).not.toContain('someone')
  expect(requests()[0]?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } })
})

test.skipIf(!isLongRun)('a failed job is a span with an error, and a flood of spans is bounded', async () => {
  spans.length = 0
  const traces = openTraces(settings, log)
  for (let count = 0; count < 3_000; count++) traces?.job('seal the ledger', { milliseconds: 5, isError: true })
  await traces?.stop()
  const failed = spans.filter(({ name, status }) => name === 'seal the ledger' && status.code === 2)
  expect(failed).toHaveLength(2_048)
  expect(failed[0]).toMatchObject({ kind: 1 })
  expect(openTraces({ ...settings, tracesEndpoint: null }, log)).toBe(null)
})
