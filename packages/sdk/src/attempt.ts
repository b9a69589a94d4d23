import type { Pace } from './pace.ts'
import { retryAfterMs } from './retry-after.ts'
import type { ErrorBody } from './wire.ts'

export type Sending = { url: string; apiKey: string; body: string; timeoutMs: number; idempotencyKey?: string }

export type Outcome =
  | { kind: 'accepted'; answer: { success: true } }
  | { kind: 'refused'; status: number; error: ErrorBody['error'] | null; requestId: string | null }
  | { kind: 'redirected'; status: number; location: string | null }
  /** Nobody can say whether it was recorded, or it surely was not; either way it may be sent again. */
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

/** Sends the call once and reads the whole answer, within its time. Throws the signal's reason when the caller gives up. */
export const attempt = async (dependencies: Dependencies, request: Sending, signal?: AbortSignal): Promise<Outcome> => {
  const { pace } = dependencies
  signal?.throwIfAborted()
  const controller = new AbortController()
  const giveUp = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp)
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
    signal?.removeEventListener('abort', giveUp)
  }
}

const exchange = async ({ fetch, pace, userAgent }: Dependencies, request: Sending, signal: AbortSignal) => {
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
    // A redirected POST arrives as a GET without its body; that must be said, not followed.
    redirect: 'manual',
    signal,
  })
  return outcomeOf(response, parsed(await response.text()), pace.date())
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

const parsed = (text: string): unknown => {
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

/** Not every `fetch` ends when its signal says so; this does. */
const unlessAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
