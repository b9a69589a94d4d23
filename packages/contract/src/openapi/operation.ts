import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Permission } from '../names.ts'

/** One API call. The OpenAPI document, the reference page and the tenant-isolation test are built from these. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  /** `partner`: signed in as a partner. Workspace members do not qualify. */
  caller: 'public' | 'key' | 'session' | 'partner' | 'browser or key'
  permission?: Permission
  summary: string
  description: string
  /** Accepts an `Idempotency-Key` header. */
  acceptsIdempotencyKey?: true
  query?: z.ZodObject
  request?: z.ZodType
  example?: object
  /** Media types of a body that is not JSON. */
  file?: readonly string[]
  status?: 200 | 201
  answers: z.ZodType[]
  exampleAnswer?: object
  refusals: ErrorCode[]
  /** Codes that this call answers with 400 instead of their usual status. */
  refusalsAs400?: ErrorCode[]
}

export const sessionErrors: ErrorCode[] = ['unauthenticated', 'forbidden']
export const programErrors: ErrorCode[] = [...sessionErrors, 'program_not_found']
export const bodyErrors: ErrorCode[] = ['invalid_json', 'invalid_request', 'payload_too_large']
