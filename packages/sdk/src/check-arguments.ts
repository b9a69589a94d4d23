import { TributaryArgumentError } from './errors.ts'
import { MAX_AMOUNT, MAX_IDENTIFIER_LENGTH } from './wire.ts'

/** Checks that throw at once and say what to pass. `null` and `undefined` both mean absent, for cookies are often neither. */

const fail = (field: string, message: string): never => {
  throw new TributaryArgumentError(`${field} ${message}`, field)
}

/** What was passed, so that the reader sees the mistake; never the value itself, which may be personal. */
export const kindOf = (value: unknown) => {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'an array' : `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}

/** A misspelt optional field would be dropped in silence, and a sale be recorded in the wrong currency. */
export const checkFields = (method: string, input: unknown, known: readonly string[]) => {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new TributaryArgumentError(`${method} takes one object with named fields, not ${kindOf(input)}.`)
  const unknown = Object.keys(input).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TributaryArgumentError(`${method} has no field ${unknown}. It takes: ${known.join(', ')}.`, unknown)
}

/** Identifiers are compared for equality by the service, so they are refused rather than changed. */
export const optionalIdentifier = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' || typeof value === 'bigint')
    return fail(field, `must be a string, not ${kindOf(value)}: pass String(id), and the same wherever you name it.`)
  if (typeof value !== 'string') return fail(field, `must be a string, not ${kindOf(value)}.`)
  if (value === '') return fail(field, 'must not be empty.')
  if (value.length > MAX_IDENTIFIER_LENGTH) return fail(field, `must be at most ${MAX_IDENTIFIER_LENGTH} characters.`)
  if (value.includes('\0') || /\p{Surrogate}/u.test(value))
    return fail(field, 'must not contain NUL or broken characters.')
  return value
}

export const identifier = (field: string, value: unknown, what: string): string =>
  optionalIdentifier(field, value) ?? fail(field, `is missing: pass ${what}.`)

export const optionalText = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : fail(field, `must be a string, not ${kindOf(value)}.`)
}

export const optionalAmount = (field: string, value: unknown): number | undefined => {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'number')
    return fail(field, `must be a number, not ${kindOf(value)}: whole cents, such as 4900 for 49.00.`)
  if (!Number.isInteger(value)) return fail(field, 'must be a whole number of cents, such as 4900 for 49.00.')
  if (value <= 0) return fail(field, 'must be more than 0. Money that went back is a refund: use trackRefund.')
  return value <= MAX_AMOUNT ? value : fail(field, 'must be at most 10^12 cents.')
}

export const amount = (field: string, value: unknown): number =>
  optionalAmount(field, value) ?? fail(field, 'is missing: pass whole cents, such as 4900 for 49.00.')

export const optionalCurrency = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  const isCode = typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)
  return isCode ? value : fail(field, 'must be an ISO 4217 code of three letters, such as EUR.')
}

export const programId = (field: string, value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text)) return text
  return fail(field, 'must be the whole number that the program settings show as its ID, such as 12.')
}

export const milliseconds = (field: string, value: unknown, byDefault: number): number => {
  if (value === null || value === undefined) return byDefault
  const isSpan = typeof value === 'number' && Number.isFinite(value) && value > 0
  return isSpan ? value : fail(field, 'must be a number of milliseconds above 0.')
}

/** Sent as a header, so it is printable ASCII. */
export const optionalIdempotencyKey = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  const isKey = typeof value === 'string' && /^[ -~]{1,255}$/.test(value)
  return isKey ? value : fail(field, 'must be 1 to 255 printable ASCII characters.')
}

/** All that the SDK asks of a signal; one of another realm or of a polyfill that can do it will do. */
export const optionalSignal = (field: string, value: unknown): AbortSignal | undefined => {
  if (value === null || value === undefined) return undefined
  const { aborted, addEventListener, throwIfAborted } = value as Partial<AbortSignal>
  const isSignal = [typeof addEventListener, typeof throwIfAborted].every((kind) => kind === 'function')
  if (isSignal && typeof aborted === 'boolean') return value as AbortSignal
  return fail(field, `must be an AbortSignal, such as the signal of an AbortController, not ${kindOf(value)}.`)
}

/** An object that survives the way as JSON. */
export const optionalObject = (field: string, value: unknown, maxBytes: number) => {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return fail(field, `must be an object, not ${kindOf(value)}.`)
  if (new TextEncoder().encode(asJson(field, value)).length > maxBytes)
    return fail(field, `must be at most ${maxBytes} bytes of JSON.`)
  return value as Record<string, unknown>
}

const asJson = (field: string, value: object): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return fail(field, 'cannot be written as JSON: it contains itself, or a bigint.')
  }
}
