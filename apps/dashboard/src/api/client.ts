import type { ErrorCode, errorAnswer, Pagination } from '@tributary/contract'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { z } from 'zod'

type ErrorBody = z.infer<typeof errorAnswer>

/** An error response. The service's message says what to do next. `offline` and `unreadable` are client-side codes. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | 'offline' | 'unreadable'
  readonly field: string | undefined
  readonly requestId: string | undefined

  constructor(
    message: string,
    facts: { status: number; code: ApiError['code']; field?: string | undefined; requestId?: string | undefined },
  ) {
    super(message)
    this.status = facts.status
    this.code = facts.code
    this.field = facts.field
    this.requestId = facts.requestId
  }
}

export type List<Row> = { data: Row[]; meta: { pagination: Pagination; atLeast?: boolean } }
export type Query = Record<string, string | number | boolean | undefined | null>

const withQuery = (path: string, query: Query = {}) => {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
  return entries.length > 0 ? `${path}?${search}` : path
}

type Headers = Record<string, string>

const offline = () =>
  new ApiError('Can’t reach the service. Check your connection and try again.', { status: 0, code: 'offline' })

const send = async (
  method: string,
  path: string,
  body: unknown,
  headers: Headers = {},
  signal: AbortSignal | null = null,
) => {
  try {
    return await fetch(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
  } catch {
    throw offline()
  }
}

/** All dashboard calls go through here: same origin, session cookie, one error type. */
const call = async <Result>(method: string, path: string, body?: unknown, headers?: Headers): Promise<Result> => {
  const response = await send(method, path, body, headers)
  const parsed = await response.json().catch(() => undefined)
  if (response.ok && parsed !== undefined) return parsed as Result
  throw toApiError(parsed, response)
}

const inFlight = new Map<string, Promise<unknown>>()

/** A double click can beat the disabled state of a button: send identical concurrent changes only once. */
const change = <Result>(method: string, path: string, body?: unknown, headers?: Headers): Promise<Result> => {
  const name = `${method} ${path} ${JSON.stringify(body)}`
  const sent = inFlight.get(name) ?? call<Result>(method, path, body, headers).finally(() => inFlight.delete(name))
  inFlight.set(name, sent)
  return sent as Promise<Result>
}

/** Replaces the API's message, which is written for API clients. */
export const SESSION_ENDED = 'Your session has ended. Sign in again.'

/** On these routes the same code means a wrong password. */
const isSignIn = (url: string) => new URL(url).pathname.startsWith('/api/auth/')

const messageFor = ({ code, message }: ErrorBody['error'], { url, headers }: Response) => {
  if (code === 'unauthenticated' && !isSignIn(url)) return SESSION_ENDED
  if (code === 'rate_limited') return `Too many requests. Try again in ${headers.get('retry-after') ?? 60} seconds.`
  // The API writes plain ASCII.
  return message.replace(/(?<=\w)'(?=\w)/g, '’')
}

const toApiError = (parsed: unknown, response: Response) => {
  const { status } = response
  const error = (parsed as ErrorBody | undefined)?.error
  if (!error)
    return new ApiError('The service sent an unreadable response. Try again in a moment.', {
      status,
      code: 'unreadable',
    })
  return new ApiError(messageFor(error, response), {
    status,
    code: error.code,
    field: error.field,
    requestId: error.request_id,
  })
}

/** False for a wrong password, which has the same code. */
export const isSessionEnded = (error: unknown) =>
  error instanceof ApiError && error.code === 'unauthenticated' && error.message === SESSION_ENDED

export const api = {
  get: <Result>(path: string, query?: Query) => call<Result>('GET', withQuery(path, query)),
  post: <Result>(path: string, body: unknown = {}, headers?: Headers) => change<Result>('POST', path, body, headers),
  put: <Result>(path: string, body: unknown) => change<Result>('PUT', path, body),
  patch: <Result>(path: string, body: unknown) => change<Result>('PATCH', path, body),
  delete: <Result>(path: string, body?: unknown) => change<Result>('DELETE', path, body),
}

/** Sends a file as the body. */
export const uploadFile = async <Result>(method: 'PUT' | 'POST', path: string, file: Blob): Promise<Result> => {
  const response = await fetch(path, { method, body: file }).catch(() => {
    throw offline()
  })
  const parsed = await response.json().catch(() => undefined)
  if (response.ok && parsed !== undefined) return parsed as Result
  throw toApiError(parsed, response)
}

/** The URL of a file the browser downloads, such as a CSV export. */
export const fileAddress = withQuery

/** For files the service may refuse to create: the error becomes an `ApiError` instead of a downloaded JSON file. */
export const fetchFile = async (path: string, body: unknown): Promise<Blob> => {
  const response = await send('POST', path, body)
  if (response.ok) return response.blob()
  throw toApiError(await response.json().catch(() => undefined), response)
}

/** Yields the server-sent events of a response until it ends or is aborted. Throws on an `error` event. */
export const streamEvents = async function* (path: string, body: unknown, signal: AbortSignal) {
  const response = await send('POST', path, body, { accept: 'text/event-stream' }, signal)
  if (!response.ok || !response.body) throw toApiError(await response.json().catch(() => undefined), response)
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const reader = events.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw offline()
    })
    if (done) return
    const data: unknown = JSON.parse(value.data)
    if (value.event === 'error') throw toApiError(data, response)
    yield { event: value.event, data }
  }
}
