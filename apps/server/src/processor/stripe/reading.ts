import { identifier } from '@tributary/contract'

export type Fields = Record<string, unknown>

/** An event is read field by field and never believed to have a shape: two generations of the API send different ones. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Follows names into nested objects: `read(invoice, 'parent', 'subscription_details', 'metadata')`. */
export const read = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner, name) => fieldsOf(inner)[name], value)

/** The rows of one of Stripe's lists. */
export const rowsOf = (list: unknown): unknown[] => {
  const rows = fieldsOf(list).data
  return Array.isArray(rows) ? rows : []
}

/** An identifier stands alone, or inside the object that it names where that was expanded. */
export const idOf = (value: unknown): string | null => {
  const id = typeof value === 'string' ? value : fieldsOf(value).id
  return identifier.safeParse(id).data ?? null
}

export const wholeNumber = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

/** Stripe's seconds since 1970. */
export const timeOf = (value: unknown): Date | null => {
  const seconds = wholeNumber(value)
  return seconds !== null && seconds > 0 && seconds < 8_640_000_000_000 ? new Date(seconds * 1000) : null
}
