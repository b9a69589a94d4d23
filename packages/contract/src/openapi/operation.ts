import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Permission } from '../names.ts'

/** One call of the API: what the OpenAPI document, the reference page and the tenant test know of it. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  /** `partner`: signed in, and a partner; a member of a workspace is none. */
  caller: 'public' | 'key' | 'session' | 'partner' | 'browser or key'
  permission?: Permission
  summary: string
  /** Takes an `Idempotency-Key`. */
  isIdempotent?: true
  query?: z.ZodObject
  request?: z.ZodType
  status?: 200 | 201
  answers: z.ZodType[]
  refusals: ErrorCode[]
  /** Codes that are bad input here and something else elsewhere. */
  refusalsAs400?: ErrorCode[]
}

export const session: ErrorCode[] = ['unauthenticated', 'forbidden']
export const ofProgram: ErrorCode[] = [...session, 'program_not_found']
export const body: ErrorCode[] = ['invalid_json', 'invalid_request', 'payload_too_large']
