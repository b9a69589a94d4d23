import type { RefusalCode } from './wire.ts'

/**
 * Why a call failed: an error code of the service, or a problem on the way to it. `(string & {})` allows codes of newer services
 * while editors still complete the known ones.
 */
export type TributaryErrorCode =
  | RefusalCode
  /** No response: the connection was refused, reset or closed. */
  | 'network_error'
  /** No response within `timeoutMs`. */
  | 'timed_out'
  /** A response that did not come from the service, such as a proxy's error page. */
  | 'unexpected_answer'
  /** `baseUrl` redirects. The SDK does not follow redirects, because the call would lose its body. */
  | 'redirected'
  | (string & {})

type Details = {
  code: TributaryErrorCode
  status?: number | null
  requestId?: string | null
  field?: string | null
  saleId?: number | null
  sameRequest?: boolean | null
  reportedBy?: string | null
  retryAfterMs?: number | null
  cause?: unknown
}

/** The service rejected the call, or there was no response within the budget. */
export class TributaryError extends Error {
  override readonly name: string = 'TributaryError'
  readonly code: TributaryErrorCode
  /** The HTTP status, or null without a response. */
  readonly status: number | null
  /** Include it when you ask for help. It is in the service's log too. */
  readonly requestId: string | null
  /** The request field that caused the error, by its API name. */
  readonly field: string | null
  /** With `duplicate_invoice`: the sale that already has this invoice ID. */
  readonly saleId: number | null
  /** With `duplicate_invoice`: always false, because repeating the same sale is not an error. */
  readonly sameRequest: boolean | null
  /** With `duplicate_invoice`: `processor` if the payment processor reported the sale. `trackSale` treats that as success. */
  readonly reportedBy: string | null
  /** How long the service asked to wait, if that was longer than the budget. */
  readonly retryAfterMs: number | null
  /** How many times the call was sent. */
  readonly attempts: number

  constructor(message: string, details: Details, attempts = 1) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.field = details.field ?? null
    this.saleId = details.saleId ?? null
    this.sameRequest = details.sameRequest ?? null
    this.reportedBy = details.reportedBy ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.attempts = attempts
  }
}

/** Thrown before anything is sent: the calling code is wrong, and retrying does not help. */
export class TributaryArgumentError extends TypeError {
  override readonly name: string = 'TributaryArgumentError'
  readonly code = 'invalid_argument'
  /** The name of the argument. */
  readonly field: string | null

  constructor(message: string, field: string | null = null) {
    super(message)
    this.field = field
  }
}
