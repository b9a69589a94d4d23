import { TributaryArgumentError } from './errors.ts'
import { MAX_AMOUNT, MAX_IDENTIFIER_LENGTH } from './wire.ts'

/** Checks that throw synchronously and say what to pass. `null` and `undefined` both mean absent. */

const fail = (field: string, message: string): never => {
  throw new TributaryArgumentError(`${field} ${message}`, field)
}

/** The type of an argument for error messages, without its value, which may be personal data. */
export const kindOf = (value: unknown) => {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'an array' : `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}

/** Rejects unknown fields: a misspelled `currency` would otherwise be ignored silently. */
export const checkFields = (method: string, input: unknown, known: readonly string[]) => {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new TributaryArgumentError(`${method} takes one object with named fields, not ${kindOf(input)}.`)
  const unknown = Object.keys(input).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TributaryArgumentError(`${method} has no field ${unknown}. It takes: ${known.join(', ')}.`, unknown)
}

/** The service compares identifiers for equality, so an invalid one is rejected rather than changed. */
export const optionalIdentifier = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' || typeof value === 'bigint')
    return fail(field, `must be a string, not ${kindOf(value)}. Pass String(id), and the same value in every call.`)
  if (typeof value !== 'string') return fail(field, `must be a string, not ${kindOf(value)}.`)
  if (value === '') return fail(field, 'must not be empty.')
  if (value.length > MAX_IDENTIFIER_LENGTH) return fail(field, `must be at most ${MAX_IDENTIFIER_LENGTH} characters.`)
  if (value.includes('\0') || /\p{Surrogate}/u.test(value))
    return fail(field, 'must not contain NUL or unpaired surrogates.')
  return value
}

export const identifier = (field: string, value: unknown, what: string): string =>
  optionalIdentifier(field, value) ?? fail(field, `is missing. Pass ${what}.`)

/** Checkouts often give an empty string if the customer entered no code. */
export const optionalCode = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value !== 'string') return fail(field, `must be a string, not ${kindOf(value)}.`)
  return /^[!-~]{1,64}$/.test(value)
    ? value
    : fail(field, 'must be 1 to 64 letters without accents, digits and punctuation, without spaces.')
}

export const optionalText = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : fail(field, `must be a string, not ${kindOf(value)}.`)
}

export const optionalAmount = (field: string, value: unknown): number | undefined => {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'number')
    return fail(
      field,
      `must be a number, not ${kindOf(value)}. Pass an integer in minor units (for example 2900 for $29.00).`,
    )
  if (!Number.isInteger(value)) return fail(field, 'must be an integer in minor units (for example 2900 for $29.00).')
  if (value <= 0) return fail(field, 'must be greater than 0. To record a refund, use trackRefund.')
  return value <= MAX_AMOUNT ? value : fail(field, 'must be at most 10^12.')
}

export const amount = (field: string, value: unknown): number =>
  optionalAmount(field, value) ??
  fail(field, 'is missing. Pass an integer in minor units (for example 2900 for $29.00).')

export const optionalTax = (field: string, value: unknown, amount: number): number | undefined => {
  if (value === null || value === undefined) return undefined
  const isTax = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= amount
  return isTax ? value : fail(field, 'must be an integer in minor units from 0 to amount (for example 463 for $4.63).')
}

const MAX_ITEMS = 100
const INTERVALS = ['one_time', 'month', 'year'] as const
type WireItem = { product_id: string; plan_id?: string; interval?: (typeof INTERVALS)[number]; amount: number }

export const optionalItems = (field: string, value: unknown, amount: number): WireItem[] | undefined => {
  if (value === null || value === undefined) return undefined
  if (!Array.isArray(value) || value.length > MAX_ITEMS)
    return fail(field, `must be a list of at most ${MAX_ITEMS} items.`)
  const items = value.map((item, index) => wireItem(`${field}[${index}]`, Object(item)))
  const sum = items.reduce((total, item) => total + item.amount, 0)
  return sum > amount ? fail(field, 'must not add up to more than amount.') : items
}

const wireItem = (field: string, item: Record<string, unknown>): WireItem => {
  const { productId, planId, interval, amount } = item
  if (!(typeof amount === 'number' && Number.isInteger(amount) && amount >= 0))
    return fail(`${field}.amount`, 'must be an integer in minor units, at least 0.')
  const known = INTERVALS.find((one) => one === interval)
  if (!known && interval !== null && interval !== undefined)
    return fail(`${field}.interval`, 'must be one_time, month or year.')
  const plan = optionalIdentifier(`${field}.planId`, planId)
  return {
    product_id: identifier(`${field}.productId`, productId, 'your ID of the product'),
    ...(plan !== undefined && { plan_id: plan }),
    ...(known && { interval: known }),
    amount,
  }
}

export const optionalCurrency = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  const isCode = typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)
  return isCode ? value : fail(field, 'must be a three-letter ISO 4217 code such as EUR.')
}

export const programId = (field: string, value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text)) return text
  return fail(field, 'must be the program ID from the program settings, such as 12.')
}

export const milliseconds = (field: string, value: unknown, byDefault: number): number => {
  if (value === null || value === undefined) return byDefault
  const isSpan = typeof value === 'number' && Number.isFinite(value) && value > 0
  return isSpan ? value : fail(field, 'must be a number of milliseconds greater than 0.')
}

/** Sent as a header, so only printable ASCII is allowed. */
export const optionalIdempotencyKey = (field: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  const isKey = typeof value === 'string' && /^[ -~]{1,255}$/.test(value)
  return isKey ? value : fail(field, 'must be 1 to 255 printable ASCII characters.')
}

/** Checks only what the SDK uses, so that signals from polyfills and other realms work too. */
export const optionalSignal = (field: string, value: unknown): AbortSignal | undefined => {
  if (value === null || value === undefined) return undefined
  const { aborted, addEventListener, throwIfAborted } = value as Partial<AbortSignal>
  const isSignal = [typeof addEventListener, typeof throwIfAborted].every((kind) => kind === 'function')
  if (isSignal && typeof aborted === 'boolean') return value as AbortSignal
  return fail(field, `must be an AbortSignal such as controller.signal, not ${kindOf(value)}.`)
}

/** An object that can be serialized as JSON. */
export const optionalObject = (field: string, value: unknown, maxBytes: number) => {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return fail(field, `must be an object, not ${kindOf(value)}.`)
  if (new TextEncoder().encode(toJson(field, value)).length > maxBytes)
    return fail(field, `must be at most ${maxBytes} bytes of JSON.`)
  return value as Record<string, unknown>
}

const toJson = (field: string, value: object): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return fail(field, 'cannot be serialized as JSON. Remove circular references and bigints.')
  }
}
