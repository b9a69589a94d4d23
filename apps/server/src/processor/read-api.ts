import { Refusal } from '../refusal.ts'
import { type Fields, parseFields } from './translating/fields.ts'

const TIME_LIMIT_MS = 10_000

type Api = {
  /** The processor, as people know it. */
  label: string
  /** The merchant's API key. */
  key: string | null
  /** What the key must allow, as the processor calls it. */
  permission: string
}

/** Reads a JSON object from a processor's API. A refusal says what the processor answered and what to do. */
export const readApi = async (url: string, { label, key, permission }: Api): Promise<Fields> => {
  if (!key) throw new Refusal('conflict', `Save an API key of ${label} with the permission ${permission} first.`)
  const { status, headers, text } = await request(url, key).catch((error: Error) => {
    throw error.name === 'TimeoutError'
      ? unavailable(`${label} did not answer within ${TIME_LIMIT_MS / 1000} seconds. Try again later.`)
      : unavailable(`Cannot reach ${label} right now. Try again shortly.`)
  })
  if (status === 200) return parseFields(text)
  if (status === 401) throw new Refusal('conflict', `${label} does not accept the API key (401). Save a valid one.`)
  if (status === 403)
    throw new Refusal('conflict', `The API key lacks a permission (${label} answers 403). Give it ${permission}.`)
  if (status === 429)
    throw unavailable(`${label} limits the number of requests (429). Try again later.`, secondsIn(headers))
  throw unavailable(`${label} answers with status ${status}. Try again later.`)
}

const request = async (url: string, key: string) => {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, accept: 'application/json, application/vnd.api+json' },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
    redirect: 'error',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const secondsIn = (headers: Headers) => {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d{1,4}$/.test(seconds) ? Number(seconds) : undefined
}

const unavailable = (message: string, retryAfterSeconds = 5) =>
  new Refusal('unavailable', message, { reason: 'payment_processor', retryAfterSeconds })
