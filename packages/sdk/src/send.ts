import { attempt, type Outcome } from './attempt.ts'
import { TributaryError } from './errors.ts'
import type { Pace } from './pace.ts'
import { backoffMs } from './retry-after.ts'

export type Settings = {
  baseUrl: string
  apiKey: string
  /** Per attempt. */
  timeoutMs: number
  /** For the whole call, including waits between attempts. */
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
 * Retries a call until it succeeds, is rejected, or its budget is used up. Only for calls that are safe to repeat: leads by customer
 * key, sales by invoice ID, refunds by refund ID.
 */
export const send = async <Answer>(settings: Settings, call: Call): Promise<Answer> => {
  const { pace } = settings
  const signal = call.signal ?? undefined
  const budgetMs = call.budgetMs ?? settings.budgetMs
  const deadline = pace.now() + budgetMs
  // Serialized once, so that every retry sends identical bytes.
  const body = JSON.stringify(call.body)
  for (let attempts = 1; ; attempts += 1) {
    const timeoutMs = Math.min(call.timeoutMs ?? settings.timeoutMs, Math.max(1, deadline - pace.now()))
    const { idempotencyKey } = call
    const request = { url: settings.baseUrl + call.path, apiKey: settings.apiKey, body, timeoutMs, idempotencyKey }
    const outcome = await attempt(settings, request, signal)
    if (outcome.kind === 'accepted') return outcome.answer as Answer
    if (outcome.kind !== 'failed') throw errorFor(outcome, { baseUrl: settings.baseUrl, timeoutMs }, attempts)
    const requiredMs = outcome.retryAfterMs ?? 0
    const spareMs = deadline - pace.now() - requiredMs - lastAttemptMs(budgetMs)
    // Fail now instead of waiting longer than the budget allows.
    if (spareMs <= 0) throw errorFor(outcome, { baseUrl: settings.baseUrl, timeoutMs }, attempts)
    // Long jitter is cut, or it could end the call with half of its budget unused.
    const waitMs = requiredMs + Math.min(spareMs, backoffMs(attempts, pace.random))
    await pace.sleep(waitMs, signal ?? new AbortController().signal)
  }
}

/** Reserved for the last attempt. Less time than this is not worth an attempt. */
const lastAttemptMs = (budgetMs: number) => Math.min(1_000, budgetMs / 10)

type Target = { baseUrl: string; timeoutMs: number }

const errorFor = (
  outcome: Exclude<Outcome, { kind: 'accepted' }>,
  { baseUrl, timeoutMs }: Target,
  attempts: number,
) => {
  const tried = attempts === 1 ? '' : ` (tried ${attempts} times)`
  if (outcome.kind === 'redirected') {
    const message = `${baseUrl} redirects to ${outcome.location ?? 'another address'}. Set baseUrl to the address of the service itself.`
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
        ? `${baseUrl} did not respond within ${Math.round(timeoutMs)} ms`
        : `${baseUrl} cannot be reached`
    return new TributaryError(`${message}${tried}.`, { ...details, code: outcome.why }, attempts)
  }
  const message = `${baseUrl} returned ${status} with a response that is not from Tributary${tried}. Check baseUrl and any proxy in between.`
  return new TributaryError(message, { ...details, code: 'unexpected_answer' }, attempts)
}
