import { attempt, type Outcome } from './attempt.ts'
import { TributaryError } from './errors.ts'
import type { Pace } from './pace.ts'
import { backoffMs } from './retry-after.ts'

export type Settings = {
  baseUrl: string
  apiKey: string
  /** For one attempt. */
  timeoutMs: number
  /** For the whole call, waiting included. */
  budgetMs: number
  fetch: typeof fetch
  pace: Pace
  userAgent: string
}

export type Call = {
  path: string
  body: object
  signal?: AbortSignal | null
  timeoutMs?: number
  budgetMs?: number
  idempotencyKey?: string
}

/**
 * Sends a call until it is answered or its budget is used up. Whatever is sent here must be safe to send twice: a lead is by
 * its key, a sale by its invoice id, a refund by its refund id.
 */
export const send = async <Answer>(settings: Settings, call: Call): Promise<Answer> => {
  const { pace } = settings
  const signal = call.signal ?? undefined
  const budgetMs = call.budgetMs ?? settings.budgetMs
  const deadline = pace.now() + budgetMs
  // Written once, so that a retry is the same request to the last byte.
  const body = JSON.stringify(call.body)
  for (let attempts = 1; ; attempts += 1) {
    const timeoutMs = Math.min(call.timeoutMs ?? settings.timeoutMs, Math.max(1, deadline - pace.now()))
    const { idempotencyKey } = call
    const request = { url: settings.baseUrl + call.path, apiKey: settings.apiKey, body, timeoutMs, idempotencyKey }
    const outcome = await attempt(settings, request, signal)
    if (outcome.kind === 'accepted') return outcome.answer as Answer
    if (outcome.kind !== 'failed') throw errorFor(outcome, { baseUrl: settings.baseUrl, timeoutMs }, attempts)
    const asked = outcome.retryAfterMs ?? 0
    const room = deadline - pace.now() - asked - lastAttemptMs(budgetMs)
    // A wait that outlasts the budget is not begun: the caller learns now what it would learn then.
    if (room <= 0) throw errorFor(outcome, { baseUrl: settings.baseUrl, timeoutMs }, attempts)
    // What chance adds is cut instead, or a long draw would end the call with half of its budget unused.
    await pace.sleep(asked + Math.min(room, backoffMs(attempts, pace.random)), signal ?? new AbortController().signal)
  }
}

/** What is kept of the budget for the last attempt: less time than this is not worth one. */
const lastAttemptMs = (budgetMs: number) => Math.min(1_000, budgetMs / 10)

type Tried = { baseUrl: string; timeoutMs: number }

const errorFor = (outcome: Exclude<Outcome, { kind: 'accepted' }>, { baseUrl, timeoutMs }: Tried, attempts: number) => {
  const tried = attempts === 1 ? '' : ` (tried ${attempts} times)`
  if (outcome.kind === 'redirected') {
    const message = `${baseUrl} redirects to ${outcome.location ?? 'another address'}. Set baseUrl to where the service answers itself.`
    return new TributaryError(message, { code: 'redirected', status: outcome.status }, attempts)
  }
  const { status, error, requestId } = outcome
  const details = {
    status,
    requestId,
    field: error?.field,
    saleId: error?.sale_id,
    sameRequest: error?.same_request,
    reportedBy: error?.reported_by,
    ...(outcome.kind === 'failed' && { retryAfterMs: outcome.retryAfterMs, cause: outcome.cause }),
  }
  if (error) return new TributaryError(error.message + tried, { ...details, code: error.code }, attempts)
  if (outcome.kind === 'failed' && (outcome.why === 'network_error' || outcome.why === 'timed_out')) {
    const message =
      outcome.why === 'timed_out'
        ? `${baseUrl} did not answer within ${Math.round(timeoutMs)} ms`
        : `${baseUrl} cannot be reached`
    return new TributaryError(`${message}${tried}.`, { ...details, code: outcome.why }, attempts)
  }
  const message = `${baseUrl} answered ${status} with something that Tributary does not say${tried}. Is baseUrl right, and is there a proxy in between?`
  return new TributaryError(message, { ...details, code: 'unexpected_answer' }, attempts)
}
