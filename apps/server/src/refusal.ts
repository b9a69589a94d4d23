import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from '@tributary/contract'

type Details = {
  field?: string
  /** Only for a code with two statuses on the wire; otherwise the contract's table decides. */
  status?: ErrorStatus
  retryAfterSeconds?: number
  /** Extra fields in the response, such as `sale_id` for a duplicate invoice. */
  facts?: Record<string, unknown>
}

/** An expected error that the caller can act on. Anything else that is thrown is a bug or a transient database error. */
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
