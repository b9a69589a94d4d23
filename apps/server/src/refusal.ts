import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from '@tributary/contract'

type Details = {
  field?: string
  /** Only where one code has two meanings on the wire; else the table decides. */
  status?: ErrorStatus
  retryAfterSeconds?: number
  /** What the caller can work with, beside the error: `sale_id` of a duplicate invoice. */
  facts?: Record<string, unknown>
}

/** The caller's call is refused, for a reason they are told. Anything else that is thrown is a bug or bad weather. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly field?: string
  readonly retryAfterSeconds?: number
  readonly facts: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? ERROR_STATUS[code]
    this.field = details.field
    this.retryAfterSeconds = details.retryAfterSeconds
    this.facts = details.facts ?? {}
  }
}
