import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from '@tributary/contract'

type Details = {
  field?: string
  /** Overrides the status of the code, for the few codes that have two. */
  status?: ErrorStatus
  retryAfterSeconds?: number
  /** The reason in a few words, for the result of a bulk action. */
  inShort?: string
  /** Extra fields for the error body, such as the `sale_id` of a duplicate invoice. */
  facts?: Record<string, unknown>
}

/** An error to report to the caller. Anything else that is thrown is a bug or a transient database error. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly field?: string
  readonly retryAfterSeconds?: number
  readonly inShort?: string
  readonly facts: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? ERROR_STATUS[code]
    this.field = details.field
    this.retryAfterSeconds = details.retryAfterSeconds
    this.inShort = details.inShort
    this.facts = details.facts ?? {}
  }
}

/** Thrown before any work starts, so nothing was recorded. */
export const overloaded = () =>
  new Refusal('overloaded', 'The service is overloaded and recorded nothing. Retry in a second.', {
    retryAfterSeconds: 1,
  })
