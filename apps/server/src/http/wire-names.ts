import { FIELD_ALIASES, isDeeperThan, MAX_JSON_DEPTH } from '@tributary/contract'
import { Refusal } from '../refusal.ts'
import type { JsonObject } from './read-json.ts'

/** A cookie that is not there reads as an empty text on many a server, so beside a value it is none. */
const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

/** No field has so many levels. Comparing two such values would exhaust the stack. */
const isTooDeep = (value: unknown) => isDeeperThan(MAX_JSON_DEPTH, value)

type Alias = (typeof FIELD_ALIASES)[number]

/**
 * A caller may use the SDK's names on the wire. Two spellings with different values could mean either, so neither is taken. Only of
 * fields that the call has: what it does not read must not lose a click.
 */
export const withWireNames = (body: JsonObject, aliases: readonly Alias[] = FIELD_ALIASES): JsonObject => {
  // Nearly every call uses the names of the wire, and then there is nothing to compare.
  if (!aliases.some((names: readonly string[]) => names.some((name, place) => place > 0 && name in body))) return body
  const renamed = { ...body }
  for (const [name, ...others] of aliases) {
    const spellings = [name, ...others].filter(
      (spelling) => Object.hasOwn(body, spelling) && !isAbsent(body[spelling]) && !isTooDeep(body[spelling]),
    )
    const [first, ...more] = spellings.map((spelling) => body[spelling])
    if (more.some((value) => !Bun.deepEquals(value, first)))
      throw new Refusal('conflicting_fields', `${spellings.join(' and ')} are the same field; send one.`, {
        field: name,
      })
    if (spellings[0]) renamed[name] = body[spellings[0]]
  }
  return renamed
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/**
 * What a merchant's server says, by its names on the wire. A test that is marked in the wrong place would be real, and so would the
 * money that it makes.
 */
export const asMeant = (body: JsonObject): JsonObject => {
  const meant = withWireNames(body)
  const { test_mode, testMode, additional_data } = meant
  const inside = isObject(additional_data) ? additional_data : {}
  const isMisplaced = [test_mode, testMode, inside.testMode].includes(true)
  if (!isMisplaced || inside.test_mode === true) return meant
  throw new Refusal(
    'invalid_request',
    'A test is marked in additional_data: send {"additional_data":{"test_mode":true}}. Nothing was recorded.',
    { field: 'additional_data.test_mode' },
  )
}
