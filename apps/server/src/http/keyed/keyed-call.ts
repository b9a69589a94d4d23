import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY,
  IDEMPOTENT_REPLAYED_HEADER,
  isDeeperThan,
  MAX_JSON_DEPTH,
  saleRequest,
} from '@tributary/contract'
import { type IdempotentCall, idempotentCall, keyOfCall, type Replayable } from '../../idempotency/idempotency-keys.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { sortKeys } from '../../tracking/sales/create-sales.ts'
import type { Call, Dependencies } from '../context.ts'
import type { JsonObject } from '../read-json.ts'

const BEARER = /^Bearer +(\S+) *$/i

const REVOKED = 'This API key is invalid or revoked. Create a new one in the program settings.'
const MALFORMED = 'The Authorization header is malformed. Send "Authorization: Bearer trk_…" with the whole key.'

/** The program of the caller's API key. A bad key is always an error, never treated as a call without a key. */
export const requireKey = async (c: Call, { keyedPrograms, limits }: Dependencies): Promise<Program> => {
  const header = c.req.header('authorization')
  if (header === undefined)
    throw new Refusal(
      'missing_api_key',
      'The Authorization header is missing. Send your program API key from your server: "Authorization: Bearer trk_…".',
    )
  const key = BEARER.exec(header)?.[1]
  const ip = c.get('clientIp')
  // An uncached key costs a database lookup, so wrong keys are rate-limited by IP address.
  const program = key ? await keyedPrograms(key, () => limits.guess.refuse(ip)) : null
  if (!key || !program) {
    limits.guess.count(ip)
    throw new Refusal('invalid_api_key', key ? REVOKED : MALFORMED)
  }
  limits.key(key)
  return program
}

type Named = { program_id?: number | null; additional_data: { program_id: number | null } }

/** A program named in the body must be the key's own. */
export const refuseOtherProgram = (program: Program, { program_id, additional_data }: Named) => {
  const named = [program_id, additional_data.program_id].filter((id) => id !== null && id !== undefined)
  if (named.some((id) => id !== program.id))
    throw new Refusal(
      'program_mismatch',
      `program_id must be ${program.id}, the program this API key belongs to. Leave it out, or use the other program's key.`,
      {
        field: 'program_id',
      },
    )
}

/** An invalid currency has its own error code. It may be absent. */
export const requireCurrency = (value: unknown) => {
  if (!saleRequest.shape.currency.safeParse(value).success)
    throw new Refusal('invalid_currency', 'currency must be an ISO 4217 code such as USD.', { field: 'currency' })
}

type KeyedRequest = { program: Program; body: JsonObject }

/** The caller's `Idempotency-Key` with a digest of the request, or null. */
export const readIdempotencyKey = (
  c: Call,
  { hashKey, clock }: Dependencies,
  { program, body }: KeyedRequest,
): IdempotentCall | null => {
  const key = c.req.header(IDEMPOTENCY_HEADER)
  if (key === undefined) return null
  if (!IDEMPOTENCY_KEY.test(key))
    throw new Refusal('invalid_request', `${IDEMPOTENCY_HEADER} must be 1 to 255 printable ASCII characters.`, {
      field: IDEMPOTENCY_HEADER,
    })
  return idempotentCall(hashKey, {
    programId: program.id,
    key: keyOfCall(key),
    request: `${c.req.path} ${canonicalJson(body)}`,
    at: clock(),
  })
}

/** Sorts the fields, so that their order does not make a retry look different. */
const canonicalJson = (body: JsonObject) => {
  const [tooDeep] = Object.entries(body).find(([, value]) => isDeeperThan(MAX_JSON_DEPTH, value)) ?? []
  if (tooDeep !== undefined)
    throw new Refusal('invalid_request', `${tooDeep} must have at most ${MAX_JSON_DEPTH} levels of nesting.`, {
      field: tooDeep,
    })
  return JSON.stringify(sortKeys(body as Parameters<typeof sortKeys>[0]))
}

/** Marks a stored response. */
export const markReplay = (c: Call, { isReplayed }: Replayable<object>) => {
  if (isReplayed) c.header(IDEMPOTENT_REPLAYED_HEADER, 'true')
}
