import fc from 'fast-check'

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

/** Values that the service knows; tests add the IDs they create. */
export const KNOWN_WORDS = ['USD', 'UTC', 'person@example.com', 'a long password', '2026-01-01']

/** What attackers and broken clients send. */
const wild = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '\0',
    'a\0b',
    '\ud800',
    'x'.repeat(300),
    "'; DROP TABLE sales; --",
    '<script>',
    '../..',
    '2026-02-30',
    '2026-01-01T00:00:00Z',
    'infinity',
    '-infinity',
    '1e999',
    '%00',
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    null,
    true,
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
)

const fitting = (schema: Schema): fc.Arbitrary<unknown> => {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(choice)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return objectOf(schema.properties ?? {})
  if (type === 'array') return fc.array(valueFor(schema.items ?? {}), { maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number')
    return fc.oneof(number(schema), fc.constantFrom(0, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1))
  if (type === 'string') return text(schema)
  return wild
}

const number = ({ minimum = 0, maximum = 5_000 }: Schema) =>
  fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) })

const text = ({ format, pattern }: Schema) => {
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri') return fc.webUrl()
  if (pattern === '^[A-Z]{3}$') return fc.constantFrom('USD', 'EUR', 'JPY', 'XXX')
  return fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...KNOWN_WORDS))
}

const objectOf = (properties: Record<string, Schema>) =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(schema)])), {
    requiredKeys: [],
  })

/** Mostly valid values, so that calls get past validation; sometimes anything. */
export const valueFor = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fitting(schema) }, { weight: 1, arbitrary: wild })

export const wildText = wild.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))
export type { Schema }
