import { MAX_ROW_ID } from '@tributary/contract'

/** The subset of JSON Schema that the contract uses. */
export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  description?: string
  default?: unknown
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}

export type Field = { name: string; type: string; required: boolean; meaning: string }

/** Flattens an object into table rows: `data.id`, `data.days[].clicks`. */
export const fieldsOf = (schema: Schema, prefix = ''): Field[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key
    const required = schema.required?.includes(key) ?? false
    const field = { name, type: typeOf(property), required, meaning: meaningOf(property) }
    const within = variantsOf(property).flatMap((variant) => fieldsWithin(variant, name))
    return isPlainObject(property) && within.length > 0 ? within : [field, ...within]
  })

/** An undescribed object gets no row: its fields say enough. */
const isPlainObject = ({ type, description }: Schema) => type === 'object' && !description

const fieldsWithin = (variant: Schema, name: string): Field[] =>
  variant.items
    ? variantsOf(variant.items).flatMap((item) => fieldsOf(item, `${name}[].`))
    : fieldsOf(variant, `${name}.`)

/** The alternatives of a schema. Most have only one. */
export const variantsOf = (schema: Schema): Schema[] => (schema.anyOf ? schema.anyOf.flatMap(variantsOf) : [schema])

const typeOf = (schema: Schema): string => [...new Set(variantsOf(schema).flatMap(wordsFor))].join(' or ')

const wordsFor = ({ const: only, enum: choices, type, items, format }: Schema): string[] => {
  if (only !== undefined) return [JSON.stringify(only)]
  if (choices) return [choices.map((choice) => JSON.stringify(choice)).join(' | ')]
  if (items) return [`array of ${typeOf(items)}`]
  return [type ?? 'any value'].flat().map((name) => (name === 'string' && format ? `string (${format})` : name))
}

/** The description, limits and default. */
const meaningOf = (schema: Schema): string => {
  const limits = variantsOf(schema).flatMap(({ maxLength, minimum, maximum }) => [
    ...(maxLength ? [`At most ${maxLength} characters`] : []),
    ...rangeOf(minimum, maximum),
  ])
  const fallback =
    schema.default === undefined || schema.default === null ? [] : [`Default \`${JSON.stringify(schema.default)}\``]
  return [...(schema.description ? [schema.description] : []), ...new Set(limits), ...fallback].join('. ')
}

const rangeOf = (minimum: number | undefined, maximum: number | undefined) => {
  if (!isChosen(maximum)) return []
  return [isChosen(minimum) ? `From ${minimum} to ${maximum}` : `At most ${maximum}`]
}

/** Ignores the limits of safe integers, which zod gives every integer. */
const isChosen = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < MAX_ROW_ID
