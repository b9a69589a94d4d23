/** By convention the name of every moment ends so, and the name of nothing else does. */
const isMoment = (name: string, value: unknown): value is string => /(^a|A)t$/.test(name) && typeof value === 'string'

/** Facts as they are stored: moments as ISO 8601 text. */
export const toJson = (value: object) => JSON.stringify(value)

/** And back, so that they can be given to the rule again. */
export const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isMoment(name, part) ? new Date(part) : fromJson(part)]),
  )
}
