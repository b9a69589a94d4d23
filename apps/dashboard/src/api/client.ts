import type { ErrorCode, errorAnswer, Pagination } from '@tributary/contract'
import type { z } from 'zod'

type ErrorBody = z.infer<typeof errorAnswer>

/** What the service refused, in its own words: they say what to do next. `offline` and `unreadable` are ours. */
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
  new ApiError('The service cannot be reached. Check your connection and try again.', { status: 0, code: 'offline' })

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

/** Every call of the dashboard goes through here: same origin, session cookie, one kind of error. */
const call = async <Answer>(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer> => {
  const response = await send(method, path, body, headers)
  const answer = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer as Answer
  throw refusalIn(answer, response)
}

const underWay = new Map<string, Promise<unknown>>()

/**
 * A button greys out a moment after it was pressed, and a second press fits into that moment: of two equal changes at once
 * one is sent, and both get its answer.
 */
const change = <Answer>(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer> => {
  const name = `${method} ${path} ${JSON.stringify(body)}`
  const sent = underWay.get(name) ?? call<Answer>(method, path, body, headers).finally(() => underWay.delete(name))
  underWay.set(name, sent)
  return sent as Promise<Answer>
}

/** The service's own words are for programs. */
export const SESSION_ENDED = 'Your session has ended. Sign in again.'

/** There the same code says that the password is wrong. */
const isSignIn = (url: string) => new URL(url).pathname.startsWith('/api/auth/')

const wordsFor = ({ code, message }: ErrorBody['error'], { url, headers }: Response) => {
  if (code === 'unauthenticated' && !isSignIn(url)) return SESSION_ENDED
  if (code === 'rate_limited')
    return `Too many requests in a short time. Try again in ${headers.get('retry-after') ?? 60} seconds.`
  return message
}

const refusalIn = (answer: unknown, response: Response) => {
  const { status } = response
  const error = (answer as ErrorBody | undefined)?.error
  if (!error)
    return new ApiError('The service gave an answer that cannot be read. Try again in a moment.', {
      status,
      code: 'unreadable',
    })
  return new ApiError(wordsFor(error, response), {
    status,
    code: error.code,
    field: error.field,
    requestId: error.request_id,
  })
}

/** Not of a wrong password, which has the same code. */
export const saysSessionEnded = (error: unknown) =>
  error instanceof ApiError && error.code === 'unauthenticated' && error.message === SESSION_ENDED

export const api = {
  get: <Answer>(path: string, query?: Query) => call<Answer>('GET', withQuery(path, query)),
  post: <Answer>(path: string, body: unknown = {}, headers?: Headers) => change<Answer>('POST', path, body, headers),
  put: <Answer>(path: string, body: unknown) => change<Answer>('PUT', path, body),
  patch: <Answer>(path: string, body: unknown) => change<Answer>('PATCH', path, body),
  delete: <Answer>(path: string) => change<Answer>('DELETE', path),
}

/** The address of a file that the browser downloads by itself, such as a CSV export. */
export const fileAddress = withQuery

/** For a file that the service may refuse to make: the refusal is an error like any other, and no page of JSON. */
export const fetchFile = async (path: string, body: unknown): Promise<Blob> => {
  const response = await send('POST', path, body)
  if (response.ok) return response.blob()
  throw refusalIn(await response.json().catch(() => undefined), response)
}

/** The events of an answer that comes bit by bit, until it ends or the signal says so. An `error` event is thrown. */
export const streamEvents = async function* (path: string, body: unknown, signal: AbortSignal) {
  const response = await send('POST', path, body, { accept: 'text/event-stream' }, signal)
  if (!response.ok || !response.body) throw refusalIn(await response.json().catch(() => undefined), response)
  for await (const { event, data } of eventsIn(response.body)) {
    if (event === 'error') throw refusalIn(data, response)
    yield { event, data }
  }
}

const eventsIn = async function* (body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw offline()
    })
    if (done) return
    const parts = (unread + decoder.decode(value, { stream: true })).split('\n\n')
    unread = parts.pop() ?? ''
    yield* parts.flatMap(eventIn)
  }
}

/** None in a comment, which keeps a silent connection open. */
const eventIn = (text: string): { event: string; data: unknown }[] => {
  const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? []
  return event && data ? [{ event, data: JSON.parse(data) }] : []
}
