import { isTransientError, isUnstorableText, kindOfTransientError } from '../database/transient-errors.ts'
import { type Log, logLimited } from '../log.ts'
import { Refusal } from '../refusal.ts'
import type { App, Call, Dependencies } from './context.ts'

const UNAVAILABLE_SECONDS = 2

/** Without a refund_id, a retried refund looks like a second refund of the same amount. */
export const HOW_TO_RETRY =
  'Retry shortly: leads, sales, refunds with a refund_id and calls with an Idempotency-Key are recorded only once.'

const refusalFor = (error: unknown): Refusal | null => {
  if (isUnstorableText(error))
    return new Refusal(
      'invalid_request',
      'The request contains characters that cannot be stored, such as NUL. Remove them.',
    )
  if (isTransientError(error))
    return new Refusal(
      'unavailable',
      `The database cannot be reached right now, so the call may or may not have been recorded. ${HOW_TO_RETRY}`,
      { reason: `database_${kindOfTransientError(error)}`, retryAfterSeconds: UNAVAILABLE_SECONDS },
    )
  return null
}

/** Refusals go to the caller. Anything else is a bug: log it in full and answer `internal_error` without details. */
export const refusalOf = (error: Error, { log, requestId }: { log: Log; requestId: string }): Refusal => {
  if (error instanceof Refusal) return error
  const refusal = refusalFor(error)
  if (refusal) {
    const fields = { requestId, reason: refusal.reason, error: error.message }
    logLimited(log, `database unavailable ${refusal.reason}`, {
      level: 'warn',
      fields,
      message: 'database unavailable',
    })
    return refusal
  }
  logLimited(log, placeOf(error), { level: 'error', fields: { requestId, err: error }, message: 'unexpected error' })
  return new Refusal('internal_error', 'Something went wrong on our side. Include the request_id when you report it.')
}

/** Where an error was thrown. Its message can contain what the caller sent, so there is no end of those. */
const placeOf = ({ name, stack = '' }: Error) =>
  `${name} ${stack.split('\n').find((line) => line.startsWith('    at '))}`

/** The body of every non-2xx response. */
export const refusalBody = ({ code, message, field, facts }: Refusal, requestId: string) => ({
  success: false,
  error: { code, message, field, request_id: requestId, ...facts },
  ...facts,
})

const answerRefusal = (c: Call, refusal: Refusal) => {
  c.set('errorCode', refusal.code)
  c.set('unavailableReason', refusal.reason)
  if (refusal.retryAfterSeconds !== undefined) c.header('retry-after', String(refusal.retryAfterSeconds))
  return c.json(refusalBody(refusal, c.get('requestId')), refusal.status)
}

export const handleErrors = (app: App, { log }: Dependencies) => {
  app.onError((error, c) => answerRefusal(c, refusalOf(error, { log, requestId: c.get('requestId') })))
  app.notFound((c) =>
    answerRefusal(c, new Refusal('not_found', 'No such route. Check the path; the API reference is at /docs.')),
  )
}

/** Answers 405 for known paths. Registered after all routes, so it runs only if no method matched. */
export const refuseOtherMethods = (app: App, extraRoutes: { path: string; method: string }[]) => {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of [...extraRoutes, ...app.routes]) {
    if (method === 'ALL' || path.includes('*')) continue
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, known] of methods)
    app.all(path, (c) => {
      c.header('allow', [...known].join(', '))
      throw new Refusal('method_not_allowed', `This route only accepts ${[...known].join(' and ')}.`)
    })
}
