import { checkFields, milliseconds, optionalIdempotencyKey, optionalSignal, programId } from './check-arguments.ts'
import {
  type CheckoutCustomer,
  type CheckoutMetadataOf,
  type CheckoutMode,
  checkoutMetadata,
} from './checkout-metadata.ts'
import { type CookieSource, clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError, TributaryError } from './errors.ts'
import {
  type AnyLead,
  type Lead,
  type LeadResult,
  leadBody,
  leadResult,
  type TestLead,
  type TestResult,
} from './lead.ts'
import { type Pace, realPace } from './pace.ts'
import { type Refund, type RefundResult, refundBody, refundResult } from './refund.ts'
import { type Sale, type SaleResult, saleBody, saleResult } from './sale.ts'
import { type Settings, send } from './send.ts'
import { USER_AGENT } from './version.ts'
import { type LeadAnswer, PATHS, type RefundAnswer, type SaleAnswer, type TestAnswer } from './wire.ts'

export type TributaryOptions = {
  /** A program API key, `trk_…`. Keep it on your server, never in a web page. Undefined, as from an unset variable, throws. */
  apiKey: string | undefined
  /** The address of your service, such as `https://track.example.com`. */
  baseUrl: string | undefined
  /** Default for `checkoutMetadata`. */
  programId?: number | string | null | undefined
  /** Timeout per attempt. Default: 10 seconds. */
  timeoutMs?: number | null | undefined
  /** Time limit for a call, including all attempts and waits. Default: 30 seconds. */
  budgetMs?: number | null | undefined
  /** A custom `fetch`, for a proxy or a test. */
  fetch?: typeof fetch | null | undefined
  /** @internal */
  pace?: Pace
}

export type CallOptions = {
  /** Cancels the call, which then rejects with the signal's reason. It may already have been recorded. */
  signal?: AbortSignal | null | undefined
  timeoutMs?: number | null | undefined
  budgetMs?: number | null | undefined
  /**
   * Makes the call safe to repeat, even after a restart: the same key and arguments return the stored result. The same key with other
   * arguments is rejected (`idempotency_key_reused`). Keys are kept for at least 30 days.
   */
  idempotencyKey?: string | null | undefined
}

const OPTIONS = ['apiKey', 'baseUrl', 'programId', 'timeoutMs', 'budgetMs', 'fetch', 'pace'] as const
const CALL_OPTIONS = ['signal', 'timeoutMs', 'budgetMs', 'idempotencyKey'] as const

type Checkout<Mode> = Omit<CheckoutCustomer, 'programId'> & {
  programId?: number | string | null | undefined
  mode?: Mode | undefined
}

/**
 * Sends leads, sales and refunds from your server. Wrong arguments throw synchronously. Network errors and a busy service are retried
 * within the budget. Other errors reject with a `TributaryError`.
 */
export class Tributary {
  readonly #settings: Settings
  readonly #programId: string | null

  constructor(options: TributaryOptions) {
    checkFields('new Tributary', options, OPTIONS)
    const given = options.fetch ?? globalThis.fetch
    if (typeof given !== 'function')
      throw new TributaryArgumentError('fetch is missing in this runtime. Pass one, or use Node 18 or newer.', 'fetch')
    this.#settings = {
      apiKey: readApiKey(options.apiKey),
      baseUrl: readBaseUrl(options.baseUrl),
      timeoutMs: milliseconds('timeoutMs', options.timeoutMs, 10_000),
      budgetMs: milliseconds('budgetMs', options.budgetMs, 30_000),
      // Workers throw if fetch is called as a method of another object.
      fetch: ((input, init) => given(input, init)) as typeof fetch,
      pace: options.pace ?? realPace,
      userAgent: USER_AGENT,
    }
    this.#programId = options.programId == null ? null : programId('programId', options.programId)
  }

  /** Sends a lead. Repeating it for the same customer changes nothing. */
  trackLead(lead: TestLead, options?: CallOptions): Promise<TestResult>
  trackLead(lead: Lead, options?: CallOptions): Promise<LeadResult>
  trackLead(lead: AnyLead, options?: CallOptions): Promise<LeadResult | TestResult>
  trackLead(lead: AnyLead, options: CallOptions = {}): Promise<LeadResult | TestResult> {
    const body = leadBody(lead)
    const answer = this.#send<LeadAnswer | TestAnswer>(PATHS.lead, body, options)
    return answer.then((it) => leadResult(it, body))
  }

  /** Sends a sale. Each `invoiceId` is recorded once, however often it is sent. */
  trackSale(sale: Sale, options: CallOptions = {}): Promise<SaleResult> {
    const answer = this.#send<SaleAnswer>(PATHS.sale, saleBody(sale), options)
    return answer.then(saleResult, duplicateSale)
  }

  /** Sends a refund. Partial refunds add up; without `amount`, it refunds the rest of the sale. */
  trackRefund(refund: Refund, options: CallOptions = {}): Promise<RefundResult> {
    const body = refundBody(refund, options.idempotencyKey)
    return this.#send<RefundAnswer>(PATHS.refund, body, options).then((it) => refundResult(it, body))
  }

  /** Like the function `checkoutMetadata`, with `programId` from the options by default. */
  checkoutMetadata<Mode extends CheckoutMode = 'subscription'>(checkout: Checkout<Mode>): CheckoutMetadataOf<Mode> {
    return checkoutMetadata({ ...checkout, programId: checkout?.programId ?? this.#programId ?? '' })
  }

  clickIdFromCookies(cookies: CookieSource): string | null {
    return clickIdFromCookies(cookies)
  }

  #send<Answer>(path: string, body: object, options: CallOptions): Promise<Answer> {
    checkFields('options', options, CALL_OPTIONS)
    return send<Answer>(this.#settings, {
      path,
      body,
      idempotencyKey: optionalIdempotencyKey('idempotencyKey', options.idempotencyKey),
      signal: optionalSignal('signal', options.signal),
      timeoutMs: milliseconds('timeoutMs', options.timeoutMs, this.#settings.timeoutMs),
      budgetMs: milliseconds('budgetMs', options.budgetMs, this.#settings.budgetMs),
    })
  }
}

/** The same sale is already recorded, sent by us or by the payment processor, so the call succeeded. */
const duplicateSale = (error: unknown): SaleResult => {
  if (!(error instanceof TributaryError) || error.saleId === null) throw error
  if (error.sameRequest !== true && error.reportedBy !== 'processor') throw error
  return { duplicate: true, saleId: error.saleId }
}

const readApiKey = (apiKey: unknown): string => {
  if (typeof apiKey === 'string' && /^trk_[\w-]+$/.test(apiKey)) return apiKey
  const empty = apiKey === undefined || apiKey === null || apiKey === ''
  throw new TributaryArgumentError(
    empty
      ? 'apiKey is missing. Pass a program API key (trk_…), and check that its environment variable is set.'
      : 'apiKey is not a program API key. It must start with trk_ and have no spaces or line breaks.',
    'apiKey',
  )
}

const readBaseUrl = (baseUrl: unknown): string => {
  const example = 'Pass the address of your service, such as https://track.example.com.'
  if (typeof baseUrl !== 'string' || baseUrl === '')
    throw new TributaryArgumentError(`baseUrl is missing. ${example}`, 'baseUrl')
  const url = parseUrl(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new TributaryArgumentError(`baseUrl is not a plain http(s) address. ${example}`, 'baseUrl')
  if (/\/api(\/v1)?\/*$/.test(url.pathname))
    throw new TributaryArgumentError(
      `baseUrl must not include the API path, which is added automatically. ${example}`,
      'baseUrl',
    )
  return url.href.replace(/\/+$/, '')
}

const parseUrl = (text: string) => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
