/** By convention, the names of dates and only those end in `At`. */
const isDate = (name: string, value: unknown): value is string => /(^a|A)t$/.test(name) && typeof value === 'string'

/** Dates are stored as ISO 8601 text. */
export const toJson = (value: object) => JSON.stringify(value)

/** Restores dates, so that the facts can be fed back into the rule. */
export const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isDate(name, part) ? new Date(part) : fromJson(part)]),
  )
}
