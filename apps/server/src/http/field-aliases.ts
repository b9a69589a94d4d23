import { FIELD_ALIASES, isDeeperThan, MAX_JSON_DEPTH } from '@tributary/contract'
import { Refusal } from '../refusal.ts'
import type { JsonObject } from './read-json.ts'

/** Many servers read a missing cookie as an empty string, so empty means absent. */
const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

/** Comparing deeply nested values would overflow the stack, and no field is this deep. */
const isTooDeep = (value: unknown) => isDeeperThan(MAX_JSON_DEPTH, value)

type Alias = (typeof FIELD_ALIASES)[number]

/**
 * Renames aliases such as the SDK's names. Two spellings with different values are an error. `aliases` lists only fields the call
 * reads, because an unused field must not lose a click.
 */
export const applyAliases = (body: JsonObject, aliases: readonly Alias[] = FIELD_ALIASES): JsonObject => {
  // Nearly every call uses the canonical names.
  if (!aliases.some((names: readonly string[]) => names.some((name, index) => index > 0 && name in body))) return body
  const renamed = { ...body }
  for (const [name, ...others] of aliases) {
    const spellings = [name, ...others].filter(
      (spelling) => Object.hasOwn(body, spelling) && !isAbsent(body[spelling]) && !isTooDeep(body[spelling]),
    )
    const [first, ...more] = spellings.map((spelling) => body[spelling])
    if (more.some((value) => !Bun.deepEquals(value, first)))
      throw new Refusal(
        'conflicting_fields',
        `${spellings.join(' and ')} are the same field but have different values. Send only ${name}.`,
        {
          field: name,
        },
      )
    if (spellings[0]) renamed[name] = body[spellings[0]]
  }
  return renamed
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Renames aliases, and rejects a misplaced `test_mode`: the call would otherwise be recorded as real. */
export const normalizeBody = (body: JsonObject): JsonObject => {
  const renamed = applyAliases(body)
  const { test_mode, testMode, additional_data } = renamed
  const inside = isObject(additional_data) ? additional_data : {}
  const isMisplaced = [test_mode, testMode, inside.testMode].includes(true)
  if (!isMisplaced || inside.test_mode === true) return renamed
  throw new Refusal(
    'invalid_request',
    'test_mode is in the wrong place. Send {"additional_data":{"test_mode":true}}. Nothing was recorded.',
    { field: 'additional_data.test_mode' },
  )
}
