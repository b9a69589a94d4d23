import type { Pace } from './pace.ts'
import { retryAfterMs } from './retry-after.ts'
import type { ErrorBody } from './wire.ts'

export type SendRequest = { url: string; apiKey: string; body: string; timeoutMs: number; idempotencyKey?: string }

export type Outcome =
  | { kind: 'accepted'; answer: { success: true } }
  | { kind: 'refused'; status: number; error: ErrorBody['error'] | null; requestId: string | null }
  | { kind: 'redirected'; status: number; location: string | null }
  /** The outcome is unknown, or the call was not recorded. Either way it can be retried. */
  | {
      kind: 'failed'
      why: 'network_error' | 'timed_out' | 'unexpected_answer' | 'status'
      status: number | null
      error: ErrorBody['error'] | null
      requestId: string | null
      retryAfterMs: number | null
      cause?: unknown
    }

type Dependencies = { fetch: typeof fetch; pace: Pace; userAgent: string }

/** Sends the call once and reads the whole response within the timeout. Throws the signal's reason if the caller aborts. */
export const attempt = async (
  dependencies: Dependencies,
  request: SendRequest,
  signal?: AbortSignal,
): Promise<Outcome> => {
  const { pace } = dependencies
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  let timedOut = false
  const cancelAlarm = pace.alarm(request.timeoutMs, () => {
    timedOut = true
    controller.abort()
  })
  try {
    return await unlessAborted(exchange(dependencies, request, controller.signal), controller.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    return failure(timedOut ? 'timed_out' : 'network_error', { cause })
  } finally {
    cancelAlarm()
    signal?.removeEventListener('abort', abort)
  }
}

const exchange = async ({ fetch, pace, userAgent }: Dependencies, request: SendRequest, signal: AbortSignal) => {
  const response = await fetch(request.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${request.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': userAgent,
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
    },
    body: request.body,
    // A redirected POST would arrive as a GET without its body, so redirects are reported instead of followed.
    redirect: 'manual',
    signal,
  })
  return outcomeOf(response, parseJson(await response.text()), pace.date())
}

const outcomeOf = (response: Response, answer: unknown, date: number): Outcome => {
  const { status, headers } = response
  if (status >= 300 && status < 400) return { kind: 'redirected', status, location: headers.get('location') }
  const error = errorOf(answer)
  const requestId = error?.request_id ?? headers.get('x-request-id')
  if (status === 429 || status >= 500)
    return failure('status', { status, error, requestId, retryAfterMs: retryAfterMs(headers.get('retry-after'), date) })
  if (!response.ok) return { kind: 'refused', status, error, requestId }
  return isAccepted(answer) ? { kind: 'accepted', answer } : failure('unexpected_answer', { status, requestId })
}

type Failure = Extract<Outcome, { kind: 'failed' }>

const failure = (why: Failure['why'], details: Partial<Failure>): Failure => ({
  status: null,
  error: null,
  requestId: null,
  retryAfterMs: null,
  ...details,
  kind: 'failed',
  why,
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isAccepted = (answer: unknown): answer is { success: true } =>
  typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true

const errorOf = (answer: unknown): ErrorBody['error'] | null => {
  const error = (answer as Partial<ErrorBody> | null)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string' ? error : null
}

/** Rejects on abort even if the given `fetch` ignores its signal. */
const unlessAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
