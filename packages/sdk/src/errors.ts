import type { RefusalCode } from './wire.ts'

/**
 * Why a call did not succeed: a code of the service, or what happened on the way to it. `(string & {})` leaves room for codes
 * of newer services and still lets editors complete the known ones.
 */
export type TributaryErrorCode =
  | RefusalCode
  /** No answer: the connection was refused, reset or cut. */
  | 'network_error'
  /** No answer within `timeoutMs`. */
  | 'timed_out'
  /** An answer that is not the service's: a proxy's error page, say. */
  | 'unexpected_answer'
  /** `baseUrl` answers with a redirect; a call that follows one can lose its body. */
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

/** The call was refused, or no answer came within the budget. */
export class TributaryError extends Error {
  override readonly name: string = 'TributaryError'
  readonly code: TributaryErrorCode
  /** The HTTP status, or null where no answer came. */
  readonly status: number | null
  /** Quote it when you ask for help: the service's log has it too. */
  readonly requestId: string | null
  /** The wire name of the field that the message is about. */
  readonly field: string | null
  /** With `duplicate_invoice`: the sale that has this invoice id. */
  readonly saleId: number | null
  /** With `duplicate_invoice`: false, for this call is not the one that made that sale; a plain repeat is no error. */
  readonly sameRequest: boolean | null
  /** With `duplicate_invoice`: `processor`, where the payment processor has told of that sale. `trackSale` takes this for done. */
  readonly reportedBy: string | null
  /** How long the service asked to wait, where that was more than the budget allowed. */
  readonly retryAfterMs: number | null
  /** How often the call was sent. */
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

/** Thrown before anything is sent: the caller's code is wrong, and trying again will not mend it. */
export class TributaryArgumentError extends TypeError {
  override readonly name: string = 'TributaryArgumentError'
  readonly code = 'invalid_argument'
  /** The argument, as the SDK names it. */
  readonly field: string | null

  constructor(message: string, field: string | null = null) {
    super(message)
    this.field = field
  }
}
