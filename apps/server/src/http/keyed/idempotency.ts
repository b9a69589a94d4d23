import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY,
  IDEMPOTENT_REPLAYED_HEADER,
  isDeeperThan,
  MAX_JSON_DEPTH,
} from '@tributary/contract'
import { type IdempotentCall, idempotentCall, keyOfCall, type Replayable } from '../../idempotency/idempotency-keys.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { sortKeys } from '../../tracking/sales/sale-call.ts'
import type { Call, Dependencies } from '../context.ts'
import type { JsonObject } from '../read-json.ts'

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
