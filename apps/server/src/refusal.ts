import { ERROR_STATUS, type ErrorCode, type ErrorStatus } from '@tributary/contract'

/** Why a call got 503, for operators: the label of `tributary_unavailable_total` and a field of the log. */
export type UnavailableReason =
  | 'queue_full'
  | 'queue_delay'
  | 'stopping'
  | 'same_key_queue_full'
  | 'same_key_delay'
  | 'merchant_queue_full'
  | 'merchant_queue_delay'
  | 'connections_queue_full'
  | 'connections_delay'
  | 'commit_timeout'
  | 'answer_timeout'
  | 'cannot_commit'
  | `database_${string}`
  | 'too_many_streams'
  | 'too_many_bodies'
  | 'too_many_uploads'
  | 'too_many_backtests'
  | 'account_connecting'
  | 'payment_processor'
  | 'accounts'
  | 'identity_provider'

/** Every code but those of 503, which need a reason. */
export type RefusalCode = Exclude<ErrorCode, UnavailableCode>
type UnavailableCode = 'overloaded' | 'unavailable'
type UnavailableDetails = Details & { reason: UnavailableReason; retryAfterSeconds: number }

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
  readonly reason?: UnavailableReason
  readonly facts: Record<string, unknown>

  constructor(code: UnavailableCode, message: string, details: UnavailableDetails)
  constructor(code: RefusalCode, message: string, details?: Details)
  constructor(code: ErrorCode, message: string, details: Details & { reason?: UnavailableReason } = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? ERROR_STATUS[code]
    this.field = details.field
    this.retryAfterSeconds = details.retryAfterSeconds
    this.inShort = details.inShort
    this.reason = details.reason
    this.facts = details.facts ?? {}
  }
}

/** Thrown before any work starts, so nothing was recorded. */
export const overloaded = (reason: UnavailableReason) =>
  new Refusal('overloaded', 'The service is overloaded and recorded nothing. Retry in a second.', {
    reason,
    retryAfterSeconds: 1,
  })
