import { identifier } from '@tributary/contract'

export type Fields = Record<string, unknown>

/** Events are read field by field without assuming a shape, because API versions differ. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Reads a nested field: `read(invoice, 'parent', 'subscription_details', 'metadata')`. */
export const read = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner, name) => fieldsOf(inner)[name], value)

/** The rows of a Stripe list. */
export const rowsOf = (list: unknown): unknown[] => {
  const rows = fieldsOf(list).data
  return Array.isArray(rows) ? rows : []
}

/** Reads an ID, given directly or as an expanded object. */
export const idOf = (value: unknown): string | null => {
  const id = typeof value === 'string' ? value : fieldsOf(value).id
  return identifier.safeParse(id).data ?? null
}

export const wholeNumber = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** A Unix timestamp in seconds. */
export const timeOf = (value: unknown): Date | null => {
  const seconds = wholeNumber(value)
  return seconds !== null && seconds > 0 && seconds < 8_640_000_000_000 ? new Date(seconds * 1000) : null
}
