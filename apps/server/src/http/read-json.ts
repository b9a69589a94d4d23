import { FIELD_ALIASES, isDeeperThan, MAX_BODY_BYTES, MAX_JSON_DEPTH } from '@tributary/contract'
import { Refusal } from '../refusal.ts'
import type { Call } from './context.ts'

export { check } from '../platform/check.ts'

export type JsonObject = Record<string, unknown>

const tooLarge = () =>
  new Refusal('payload_too_large', `The body is larger than ${MAX_BODY_BYTES / 1024} KiB. Send a smaller one.`)

/** A 4xx, because a broken connection is not an outage of this service. */
export const connectionClosed = () =>
  new Refusal('invalid_request', 'The connection closed before the whole body arrived. Retry the call.')

/** Slowloris guard. */
const BODY_WITHIN_MS = 10_000
const CHECK_INTERVAL_MS = 500

type PendingBody = { since: number; giveUp(): void }

/** Bodies being received, oldest first. One timer checks them all, because one per body would cost more than reading it. */
const pending = new Set<PendingBody>()

const giveUpLate = () => {
  const latest = performance.now() - BODY_WITHIN_MS
  for (const body of pending) {
    if (body.since > latest) return
    pending.delete(body)
    body.giveUp()
  }
}
setInterval(giveUpLate, CHECK_INTERVAL_MS).unref()

/** Reads the body, or rejects after 10 seconds. `whenLate` lets the caller close the connection. */
export const readInTime = (request: Request, whenLate: () => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const giveUp = () => {
      whenLate()
      reject(new Refusal('invalid_request', 'The body did not arrive within 10 seconds. Retry the call.'))
    }
    const body = { since: performance.now(), giveUp }
    pending.add(body)
    readText(request).then(
      (text) => {
        pending.delete(body)
        resolve(text)
      },
      (error) => {
        pending.delete(body)
        reject(error instanceof Refusal ? error : connectionClosed())
      },
    )
  })

const readText = (request: Request): Promise<string> => {
  const length = request.headers.get('content-length')
  if (length === null) return readChunks(request)
  return Number(length) > MAX_BODY_BYTES ? Promise.reject(tooLarge()) : request.bytes().then(decoded)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Strict, because replacement characters could make two different invoice IDs equal. */
const decoded = (body: Uint8Array): string => {
  try {
    return utf8.decode(body)
  } catch {
    throw new Refusal('invalid_json', 'The body is not valid UTF-8. Encode the JSON as UTF-8.')
  }
}

/** For bodies without a content length. */
const readChunks = async (request: Request): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return decoded(Buffer.concat(chunks))
}

/** Reads the body as a JSON object, whatever its content type: browsers send text/plain to avoid the CORS preflight. */
export const readJson = async (c: Call): Promise<JsonObject> => {
  const timeLimit = c.get('timeLimit')
  timeLimit?.pause()
  // Closes the connection, so that the server does not wait for the rest of the body.
  const text = await readInTime(c.req.raw, () => c.header('connection', 'close'))
  timeLimit?.resume()
  return parseObject(text)
}

const EXAMPLE = 'Send a JSON object such as {"name":"value"}.'

/** Recognizes an empty body and form fields, so that the caller does not search for a syntax error. */
const describeFault = (text: string) => {
  if (text.trim() === '') return 'The body is empty.'
  if (/^[\w.[\]%-]+=/.test(text)) return 'The body contains form fields, which is not valid JSON.'
  return 'The body is not valid JSON.'
}

export const parseObject = (text: string): JsonObject => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('invalid_json', `${describeFault(text)} ${EXAMPLE}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('invalid_json', `The body must be a JSON object. ${EXAMPLE}`)
  return value as JsonObject
}

/** Like `readJson`, but no body means an empty object. */
export const readOptionalJson = async (c: Call): Promise<JsonObject> => (c.req.raw.body ? readJson(c) : {})

/** Many servers read a missing cookie as an empty string, so empty means absent. */
const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

/** Comparing deeply nested values would overflow the stack, and no field is this deep. */
const isTooDeep = (value: unknown) => isDeeperThan(MAX_JSON_DEPTH, value)

type Alias = (typeof FIELD_ALIASES)[number]

/**
 * Renames aliases such as the SDK's names. Two spellings with different values are an error. `aliases` lists only fields the call
 * reads, because an unused field must not lose a click.
 */
export const applyAliases = (body: JsonObject, aliases: readonly Alias[] = FIELD_ALIASES): JsonObject => {
  // Nearly every call uses the canonical names.
  if (!aliases.some((names: readonly string[]) => names.some((name, index) => index > 0 && name in body))) return body
  const renamed = { ...body }
  for (const [name, ...others] of aliases) {
    const spellings = [name, ...others].filter(
      (spelling) => Object.hasOwn(body, spelling) && !isAbsent(body[spelling]) && !isTooDeep(body[spelling]),
    )
    const [first, ...more] = spellings.map((spelling) => body[spelling])
    if (more.some((value) => !Bun.deepEquals(value, first)))
      throw new Refusal(
        'conflicting_fields',
        `${spellings.join(' and ')} are the same field but have different values. Send only ${name}.`,
        {
          field: name,
        },
      )
    if (spellings[0]) renamed[name] = body[spellings[0]]
  }
  return renamed
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Renames aliases, and rejects a misplaced `test_mode`: the call would otherwise be recorded as real. */
export const normalizeBody = (body: JsonObject): JsonObject => {
  const renamed = applyAliases(body)
  const { test_mode, testMode, additional_data } = renamed
  const inside = isObject(additional_data) ? additional_data : {}
  const isMisplaced = [test_mode, testMode, inside.testMode].includes(true)
  if (!isMisplaced || inside.test_mode === true) return renamed
  throw new Refusal(
    'invalid_request',
    'test_mode is in the wrong place. Send {"additional_data":{"test_mode":true}}. Nothing was recorded.',
    { field: 'additional_data.test_mode' },
  )
}
