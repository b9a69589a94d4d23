import { identifier } from '@tributary/contract'

export type Fields = Record<string, unknown>

/** Events are read field by field without assuming a shape, because API versions differ. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Reads a nested field: `read(invoice, 'parent', 'subscription_details', 'metadata')`. */
export const read = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner, name) => fieldsOf(inner)[name], value)

/** The values at paths such as `payments.data.*.payment.charge`, in their order; `*` is every item of a list. */
export const valuesAt = (value: unknown, ...paths: string[]): unknown[] =>
  paths.flatMap((path) => valuesIn(value, path))

export const valueAt = (value: unknown, path: string): unknown => valuesIn(value, path)[0]

const valuesIn = (value: unknown, path: string) =>
  path
    .split('.')
    .reduce<unknown[]>(
      (found, name) => found.flatMap((inner) => (name === '*' ? itemsOf(inner) : [fieldsOf(inner)[name]])),
      [value],
    )

/** The items of a list; empty if it is none. */
export const itemsOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : [])

/** Reads an ID, given directly or as an expanded object. */
export const idOf = (value: unknown): string | null => {
  const id = typeof value === 'string' ? value : fieldsOf(value).id
  return identifier.safeParse(id).data ?? null
}

/** The first ID at one of these paths. */
export const idAt = (value: unknown, ...paths: string[]): string | null =>
  valuesAt(value, ...paths)
    .map(idOf)
    .find((id) => id !== null) ?? null

export const wholeNumber = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** A Unix timestamp in seconds. */
export const timeOf = (value: unknown): Date | null => {
  const seconds = wholeNumber(value)
  return seconds !== null && seconds > 0 && seconds < 8_640_000_000_000 ? new Date(seconds * 1000) : null
}

/** Parses an event's body; empty if it is not a JSON object. */
export const parseFields = (text: string): Fields => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A moment in ISO 8601 with its time zone. */
export const momentOf = (value: unknown): Date | null => {
  const at = typeof value === 'string' && /(Z|[+-]\d{2}:?\d{2})$/.test(value) ? new Date(value) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}

/** Where processors state the payer's address: what the customer entered, else that of their customer or of the receipt. */
const EMAILS = [
  ['customer_details', 'email'],
  ['customer', 'email'],
  ['customer_email'],
  ['user_email'],
  ['billing_details', 'email'],
  ['receipt_email'],
]

/** The payer's address in a payment or an invoice, if it states one. */
export const emailIn = (object: Fields): unknown =>
  EMAILS.map((path) => read(object, ...path)).find((email) => typeof email === 'string')
