import { MAX_BODY_BYTES } from '@tributary/contract'
import type { z } from 'zod'
import { Refusal } from '../refusal.ts'
import type { Call } from './context.ts'
import { plainWords } from './plain-words.ts'

export type JsonObject = Record<string, unknown>

const tooLarge = () =>
  new Refusal('payload_too_large', `The body is larger than ${MAX_BODY_BYTES / 1024} KiB. Send less.`)

/** A broken connection says nothing about this service, so it is not reported as an outage. */
export const cutOff = () =>
  new Refusal('invalid_request', 'The connection closed before the whole body arrived. Send the call again.')

/** A body of 64 KiB in ten seconds is slower than any telephone; whoever sends a byte now and then only holds a place. */
const BODY_WITHIN_MS = 10_000
const LOOKED_AFTER_MS = 500

type Arrival = { since: number; giveUp(): void }

/** Bodies on their way, the oldest first. One timer looks after them all: one for each would cost more than reading it. */
const arriving = new Set<Arrival>()

const giveUpLate = () => {
  const latest = performance.now() - BODY_WITHIN_MS
  for (const arrival of arriving) {
    if (arrival.since > latest) return
    arriving.delete(arrival)
    arrival.giveUp()
  }
}
setInterval(giveUpLate, LOOKED_AFTER_MS).unref()

/** Waits for the body as long as anybody may take to send it. `whenLate` is for whoever has to close the connection then. */
export const readInTime = (request: Request, whenLate: () => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const giveUp = () => {
      whenLate()
      reject(new Refusal('invalid_request', 'The body did not arrive within 10 seconds. Send the call again.'))
    }
    const arrival = { since: performance.now(), giveUp }
    arriving.add(arrival)
    readText(request).then(
      (text) => {
        arriving.delete(arrival)
        resolve(text)
      },
      (error) => {
        arriving.delete(arrival)
        reject(error instanceof Refusal ? error : cutOff())
      },
    )
  })

const readText = (request: Request): Promise<string> => {
  const length = request.headers.get('content-length')
  if (length === null) return readChunks(request)
  return Number(length) > MAX_BODY_BYTES ? Promise.reject(tooLarge()) : request.bytes().then(decoded)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Not leniently: put one sign in place of all that cannot be read, and two invoices of different names are one. */
const decoded = (body: Uint8Array): string => {
  try {
    return utf8.decode(body)
  } catch {
    throw new Refusal('invalid_json', 'The body is not valid UTF-8, which JSON is sent in. Encode it as UTF-8.')
  }
}

/** Nobody has said how much is coming. */
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

/** The body as a JSON object, whatever its content type says: browsers send it as text/plain to save the preflight. */
export const readJson = async (c: Call): Promise<JsonObject> => {
  const patience = c.get('patience')
  patience?.pause()
  // Closed after the refusal, else the rest of it would be waited for.
  const text = await readInTime(c.req.raw, () => c.header('connection', 'close'))
  patience?.resume()
  return parseObject(text)
}

const INSTEAD = 'Send a JSON object such as {"name":"value"}.'

/** Who forgot the body or sent it as a form does not look for a comma. */
const whatIsWrongWith = (text: string) => {
  if (text.trim() === '') return 'The body is empty.'
  if (/^[\w.[\]%-]+=/.test(text)) return 'The body has form fields, and is not valid JSON.'
  return 'The body is not valid JSON.'
}

export const parseObject = (text: string): JsonObject => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('invalid_json', `${whatIsWrongWith(text)} ${INSTEAD}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('invalid_json', `The body must be a JSON object. ${INSTEAD}`)
  return value as JsonObject
}

/** As `readJson`, where a call without a body means an empty object. */
export const readOptionalJson = async (c: Call): Promise<JsonObject> => (c.req.raw.body ? readJson(c) : {})

/** Checks a request against its schema and says which field is wrong and how it should be. */
export const check = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> => {
  const result = schema.safeParse(value, { reportInput: true, error: plainWords })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') || undefined
  const wrong = issue && isMissing(issue) ? 'is missing' : issue?.message
  throw new Refusal('invalid_request', `${field ?? 'The body'} ${wrong}.`, { field })
}

const isMissing = ({ code, input }: z.core.$ZodIssue) =>
  (code === 'invalid_type' || code === 'invalid_value') && input === undefined
