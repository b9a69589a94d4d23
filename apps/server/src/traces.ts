import { randomBytes } from 'node:crypto'
import { VERSION } from '@tributary/contract/version'
import type { Config } from './config/config.ts'
import type { Log } from './log.ts'

const EXPORT_MS = 5_000
const TIMEOUT_MS = 10_000
/** A flood of clicks must not fill the memory: what exceeds it is not traced. */
const MAX_SPANS = 2_048
const [INTERNAL, SERVER] = [1, 2]
const ERROR = 2

type Value = string | number
type Span = {
  name: string
  milliseconds: number
  kind: number
  isError: boolean
  fields: Record<string, Value>
  parent?: string | undefined
}

type RequestSpan = {
  method: string
  route: string
  status: number
  milliseconds: number
  traceparent?: string | undefined
}

export type Traces = ReturnType<typeof createTraces>

/** Null without OTEL_EXPORTER_OTLP_ENDPOINT: then nothing is measured or sent. */
export const openTraces = (
  { tracesEndpoint: endpoint, node }: Pick<Config, 'tracesEndpoint' | 'node'>,
  log: Pick<Log, 'warn'>,
) => (endpoint ? createTraces({ endpoint, node, log }) : null)

/**
 * OpenTelemetry traces: one span for each request and job, sent to OTEL_EXPORTER_OTLP_ENDPOINT as OTLP over HTTP in JSON. A request
 * with a `traceparent` header continues the caller's trace. Contains no personal data, like the log.
 */
const createTraces = ({ endpoint, node, log }: { endpoint: string; node: string; log: Pick<Log, 'warn'> }) => {
  let spans: object[] = []
  let hasFailed = false

  const add = ({ name, milliseconds, kind, isError, fields, parent }: Span) => {
    if (spans.length >= MAX_SPANS) return
    const [, traceId, parentSpanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(parent ?? '') ?? []
    // The caller has decided not to record this trace.
    if (flags && (Number.parseInt(flags, 16) & 1) === 0) return
    const end = Date.now()
    spans.push({
      traceId: traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      ...(parentSpanId && { parentSpanId }),
      name,
      kind,
      startTimeUnixNano: toNanoseconds(end - milliseconds),
      endTimeUnixNano: toNanoseconds(end),
      attributes: toAttributes(fields),
      status: isError ? { code: ERROR } : {},
    })
  }

  const send = async () => {
    if (spans.length === 0) return
    const resource = {
      attributes: toAttributes({
        'service.name': 'tributary',
        'service.version': VERSION,
        'service.instance.id': node,
      }),
    }
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'tributary' }, spans }] }],
    })
    spans = []
    try {
      const headers = { 'content-type': 'application/json' }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const { ok, status } = await fetch(`${endpoint}/v1/traces`, { method: 'POST', headers, body, signal })
      if (!ok) throw new Error(`the collector answered ${status}`)
      hasFailed = false
    } catch (error) {
      // Once, until it works again.
      if (!hasFailed) log.warn({ error: (error as Error).message }, 'could not send traces')
      hasFailed = true
    }
  }
  const timer = setInterval(send, EXPORT_MS)

  return {
    request: ({ method, route, status, milliseconds, traceparent: parent }: RequestSpan) => {
      const fields = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status }
      add({ name: `${method} ${route}`, milliseconds, kind: SERVER, isError: status >= 500, fields, parent })
    },
    job: (name: string, { milliseconds, isError }: { milliseconds: number; isError: boolean }) =>
      add({ name, milliseconds, kind: INTERNAL, isError, fields: {} }),
    /** Sends the remaining spans. */
    stop: () => {
      clearInterval(timer)
      return send()
    },
  }
}

const toNanoseconds = (milliseconds: number) => String(BigInt(Math.round(milliseconds * 1_000)) * 1_000n)

const toAttributes = (fields: Record<string, Value>) =>
  Object.entries(fields).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
