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
  /** A program API key, `trk_…`. It belongs on your server, never on a web page. */
  apiKey: string
  /** Where your service answers, such as `https://track.example.com`. */
  baseUrl: string
  /** For `checkoutMetadata`, so that not every checkout has to name it. */
  programId?: number | string | null | undefined
  /** How long one attempt may take: 10 seconds by default. */
  timeoutMs?: number | null | undefined
  /** How long a call may take with all its attempts and waits: 30 seconds by default. */
  budgetMs?: number | null | undefined
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof fetch | null | undefined
  /** @internal */
  pace?: Pace
}

export type CallOptions = {
  /** Ends the call wherever it is; it then rejects with the signal's reason. What was sent by then may be recorded. */
  signal?: AbortSignal | null | undefined
  timeoutMs?: number | null | undefined
  budgetMs?: number | null | undefined
  /**
   * Your own name for this call. Sent again with the same name and the same arguments, also after a restart, it has no effect
   * and gives the stored result; with other arguments it is refused (`idempotency_key_reused`). Kept at least 30 days.
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
 * Reports sign-ups, sales and refunds from your server. Wrong arguments throw at once. What the network or a busy service spoils
 * is tried again within the budget; what the service refuses rejects with a `TributaryError`.
 */
export class Tributary {
  readonly #settings: Settings
  readonly #programId: string | null

  constructor(options: TributaryOptions) {
    checkFields('new Tributary', options, OPTIONS)
    const given = options.fetch ?? globalThis.fetch
    if (typeof given !== 'function')
      throw new TributaryArgumentError('fetch is missing here: pass one, or use Node 18 or newer.', 'fetch')
    this.#settings = {
      apiKey: readApiKey(options.apiKey),
      baseUrl: readBaseUrl(options.baseUrl),
      timeoutMs: milliseconds('timeoutMs', options.timeoutMs, 10_000),
      budgetMs: milliseconds('budgetMs', options.budgetMs, 30_000),
      // Workers refuse a fetch that is called as the method of something else.
      fetch: ((input, init) => given(input, init)) as typeof fetch,
      pace: options.pace ?? realPace,
      userAgent: USER_AGENT,
    }
    this.#programId = options.programId == null ? null : programId('programId', options.programId)
  }

  /** A sign-up. Sent again for the same customer, it changes nothing. */
  trackLead(lead: TestLead, options?: CallOptions): Promise<TestResult>
  trackLead(lead: Lead, options?: CallOptions): Promise<LeadResult>
  trackLead(lead: AnyLead, options?: CallOptions): Promise<LeadResult | TestResult>
  trackLead(lead: AnyLead, options: CallOptions = {}): Promise<LeadResult | TestResult> {
    const body = leadBody(lead)
    const answer = this.#send<LeadAnswer | TestAnswer>(PATHS.lead, body, options)
    return answer.then((it) => leadResult(it, body))
  }

  /** A payment. One sale per `invoiceId`, however often it is sent. */
  trackSale(sale: Sale, options: CallOptions = {}): Promise<SaleResult> {
    const answer = this.#send<SaleAnswer>(PATHS.sale, saleBody(sale), options)
    return answer.then(saleResult, duplicateSale)
  }

  /** Money that went back. Parts add up; without `amount` it is all that is left. */
  trackRefund(refund: Refund, options: CallOptions = {}): Promise<RefundResult> {
    const body = refundBody(refund, options.idempotencyKey)
    return this.#send<RefundAnswer>(PATHS.refund, body, options).then((it) => refundResult(it, body))
  }

  /** See the function of this name; `programId` may come from the options. */
  checkoutMetadata<Mode extends CheckoutMode = 'subscription'>(checkout: Checkout<Mode>): CheckoutMetadataOf<Mode> {
    return checkoutMetadata({ ...checkout, programId: checkout?.programId ?? this.#programId ?? '' })
  }

  clickIdFromCookies(cookies: CookieSource): string | null {
    return clickIdFromCookies(cookies)
  }

  #send<Answer>(path: string, body: object, options: CallOptions): Promise<Answer> {
    checkFields('the options of a call', options, CALL_OPTIONS)
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

/** The service knows this very sale already, of us or of the payment processor: whoever sends it again has what they wanted. */
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
      ? 'apiKey is missing: pass a program API key (trk_…). Is its environment variable set?'
      : 'apiKey is not a program API key: one begins with trk_ and has no spaces or line breaks.',
    'apiKey',
  )
}

const readBaseUrl = (baseUrl: unknown): string => {
  const example = 'pass the address of your service, such as https://track.example.com.'
  if (typeof baseUrl !== 'string' || baseUrl === '')
    throw new TributaryArgumentError(`baseUrl is missing: ${example}`, 'baseUrl')
  const url = parsedUrl(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new TributaryArgumentError(`baseUrl is not a plain http(s) address: ${example}`, 'baseUrl')
  if (/\/api(\/v1)?\/*$/.test(url.pathname))
    throw new TributaryArgumentError(`baseUrl has the path of the API, which is added by itself: ${example}`, 'baseUrl')
  return url.href.replace(/\/+$/, '')
}

const parsedUrl = (text: string) => {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
