import { Refusal } from '../refusal.ts'
import { type Fields, parseFields, read } from './translating/fields.ts'

const TIME_LIMIT_MS = 10_000

/** Fields of a form; those of an object and of a list are sent as `name[field]` and `name[0]`. */
type Form = { [name: string]: string | Form | string[] }

export type Call = {
  /** The processor, as people know it. */
  label: string
  /** The merchant's API key. */
  key: string | null
  /** What the key must allow, as the processor calls it. */
  permission: string
  method?: 'GET' | 'POST' | 'DELETE'
  form?: Form
  headers?: Record<string, string>
}

type Answer = { status: number; headers: Headers; text: string }

/** What a processor refused, or did not answer. `answer` is its status; null if there was none. */
export class ApiRefusal extends Refusal {
  readonly answer: number | null
  /** The code of an OAuth error (RFC 6749, section 5.2). */
  oauthError: string | null = null
  constructor(answer: number | null, message: string, retryAfterSeconds: number | null = null) {
    if (retryAfterSeconds === null) super('conflict', message)
    else super('unavailable', message, { reason: 'payment_processor', retryAfterSeconds })
    this.answer = answer
  }
}

/** Calls a processor's API once; it answers with a JSON object. A refusal says what the processor answered and what to do. */
export const callApi = async (url: string, call: Call): Promise<Fields> => {
  const { label, key, permission } = call
  if (!key) throw new Refusal('conflict', `Save an API key of ${label} with the permission ${permission} first.`)
  const answer = await send(url, { ...call, key }).catch((error: Error) => {
    const isSlow = error.name === 'TimeoutError'
    const what = isSlow
      ? `${label} did not answer within ${TIME_LIMIT_MS / 1000} seconds.`
      : `Cannot reach ${label} right now.`
    throw new ApiRefusal(null, `${what} Try again later.`, 5)
  })
  if (answer.status !== 200) throw Object.assign(refusalOf(answer, call), { oauthError: oauthErrorIn(answer) })
  const fields = parseFields(answer.text)
  // The connection closed in the middle of the answer.
  if (Object.keys(fields).length === 0)
    throw new ApiRefusal(null, `The answer of ${label} is incomplete. Try again later.`, 5)
  return fields
}

const oauthErrorIn = ({ text }: Answer) => {
  const { error } = parseFields(text)
  return typeof error === 'string' ? error : null
}

const refusalOf = ({ status, headers, text }: Answer, { label, permission }: Call) => {
  const message = read(parseFields(text), 'error', 'message')
  const said = typeof message === 'string' ? ` ${label} says: ${message}` : ''
  if (status === 401)
    return new ApiRefusal(status, `${label} does not accept the API key (401). Save a valid one.${said}`)
  if (status === 403)
    return new ApiRefusal(
      status,
      `The API key lacks a permission (${label} answers 403). Give it ${permission} in ${label}.${said}`,
    )
  if (status === 429)
    return new ApiRefusal(
      status,
      `${label} limits the number of requests (429). Try again later.${said}`,
      secondsIn(headers),
    )
  return new ApiRefusal(status, `${label} answers with status ${status}.${said || ' Try again later.'}`, 5)
}

const send = async (url: string, { key, method = 'GET', form, headers }: Call): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json, application/vnd.api+json', ...headers },
    ...(form && { body: new URLSearchParams(entriesOf(form)) }),
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
    redirect: 'error',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const entriesOf = (form: Form | string[], within?: string): [string, string][] =>
  Object.entries(form).flatMap(([field, value]) => {
    const name = within === undefined ? field : `${within}[${field}]`
    return typeof value === 'string' ? [[name, value]] : entriesOf(value, name)
  })

const secondsIn = (headers: Headers) => {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d{1,4}$/.test(seconds) ? Number(seconds) : 5
}

/** A text that the answer must have. */
export const textIn = (answer: Fields, field: string, { label }: Pick<Call, 'label'>) => {
  const text = answer[field]
  if (typeof text !== 'string') throw new Error(`${label} answered without \`${field}\``)
  return text
}
