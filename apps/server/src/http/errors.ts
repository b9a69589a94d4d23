import { isBadWeather, isUnstorableText } from '../database/bad-weather.ts'
import { Refusal } from '../refusal.ts'
import type { App, Call, Dependencies } from './context.ts'

const UNAVAILABLE_SECONDS = 2

const refusalFor = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error
  if (isUnstorableText(error))
    return new Refusal(
      'invalid_request',
      'The call contains characters that cannot be stored, such as NUL. Leave them out.',
    )
  if (isBadWeather(error))
    return new Refusal(
      'unavailable',
      'The database cannot be reached just now. Send the same call again shortly: what it recorded already is recognised.',
      {
        retryAfterSeconds: UNAVAILABLE_SECONDS,
      },
    )
  return null
}

/** Every non-2xx of every route has this shape. */
export const answerRefusal = (c: Call, refusal: Refusal) => {
  c.set('errorCode', refusal.code)
  if (refusal.retryAfterSeconds !== undefined) c.header('retry-after', String(refusal.retryAfterSeconds))
  const { code, message, field, facts } = refusal
  return c.json(
    { success: false, error: { code, message, field, request_id: c.get('requestId'), ...facts }, ...facts },
    refusal.status,
  )
}

/** A refusal is told to the caller. Anything else is a bug: logged whole, and answered without its inside. */
export const handleErrors = (app: App, { log }: Dependencies) => {
  app.onError((error, c) => {
    const refusal = refusalFor(error)
    if (refusal) {
      if (!(error instanceof Refusal))
        log.warn({ requestId: c.get('requestId'), error: error.message }, 'database out of reach')
      return answerRefusal(c, refusal)
    }
    log.error({ requestId: c.get('requestId'), err: error }, 'unexpected error')
    return answerRefusal(
      c,
      new Refusal('internal_error', 'Something went wrong on our side. Quote the request_id when you report it.'),
    )
  })
  app.notFound((c) =>
    answerRefusal(c, new Refusal('not_found', 'There is nothing at this address. The API reference is at /docs.')),
  )
}

/** Asked with a method that the address does not have. Registered behind all routes, so it is reached only then. */
export const refuseOtherMethods = (app: App) => {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL' || path.includes('*')) continue
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, known] of methods)
    app.all(path, (c) => {
      c.header('allow', [...known].join(', '))
      throw new Refusal('method_not_allowed', `This address takes ${[...known].join(' and ')} only.`)
    })
}
