/** A merchant's code, type-checked against the installed package but not run. */
import {
  type CallOptions,
  checkoutMetadata,
  type Lead,
  type SaleResult,
  Tributary,
  TributaryArgumentError,
  TributaryError,
  TributaryWebhookError,
  verifyWebhook,
  type WebhookEvent,
  withCheckoutMetadata,
} from '@tributary/sdk'
import { clickIdFrom as fromExpress } from '@tributary/sdk/express'
import { clickIdFrom as fromFastify } from '@tributary/sdk/fastify'
import { clickIdFrom as fromHono } from '@tributary/sdk/hono'
import { clickIdFrom as fromNext } from '@tributary/sdk/next'

/** As Node declares it. */
declare const process: { env: Record<string, string | undefined> }

const tributary = new Tributary({ apiKey: process.env.TRIBUTARY_KEY, baseUrl: process.env.TRIBUTARY_URL })
export const hasty = new Tributary({ apiKey: 'trk_a_b', baseUrl: 'https://track.example', budgetMs: 5_000 })
// @ts-expect-error both are required
export const incomplete = () => new Tributary({ apiKey: 'trk_a_b' })

export const signUp = async (request: Request, signal: AbortSignal) => {
  const lead: Lead = { customerExternalId: 'user_42', clickId: await fromNext(request), email: null }
  const options: CallOptions = { signal }
  const settled = await tributary.trackLead(lead, options)
  const id: number | null = settled.leadId
  const test = await tributary.trackLead({ ...lead, additionalData: { test_mode: true } })
  const eventId: number = test.eventId
  return { id, eventId }
}

/** Values that may be undefined can be passed on unchanged. */
type Visitor = { email: string | undefined; clickId: string | undefined; isTest: boolean }

export const signUpVisitor = async ({ email, clickId, isTest }: Visitor) => {
  const result = await tributary.trackLead({
    customerExternalId: 'user_42',
    clickId,
    email,
    additionalData: { test_mode: isTest, program_id: undefined },
  })
  // @ts-expect-error the result may be a test result
  const wrong = result.leadId
  await tributary.trackSale({ customerExternalId: 'u', clickId, amount: 1, invoiceId: 'i', currency: undefined })
  await tributary.trackRefund({ invoiceId: 'i', amount: undefined }, { signal: undefined, timeoutMs: undefined })
  const checkout = tributary.checkoutMetadata({ customerExternalId: 'u', clickId, programId: undefined })
  return { wrong, eventId: 'test' in result ? result.eventId : null, checkout }
}

export const pay = async (): Promise<number | null> => {
  const result: SaleResult = await tributary.trackSale({ customerExternalId: 'u', amount: 1, invoiceId: 'i' })
  return result.duplicate ? null : result.commissionId
}

export const mistakes = () => {
  // @ts-expect-error invoiceId is required
  tributary.trackSale({ customerExternalId: 'u', amount: 1 })
  // @ts-expect-error sales have no test mode
  tributary.trackSale({ customerExternalId: 'u', amount: 1, invoiceId: 'i', additionalData: { test_mode: true } })
  // @ts-expect-error customerExternalId or clickId is required
  tributary.trackSale({ amount: 1, invoiceId: 'i' })
  // @ts-expect-error IDs are strings
  tributary.trackLead({ customerExternalId: 42 })
}

export const metadata = () => {
  const customer = { clickId: null, customerExternalId: 'u', programId: 12 }
  const key: string = checkoutMetadata(customer).subscription_data.metadata.service_customer_key
  const session = withCheckoutMetadata({ mode: 'payment', success_url: 'https://shop.example' }, customer)
  const url: string = session.success_url
  // @ts-expect-error a payment has no subscription
  checkoutMetadata({ ...customer, mode: 'payment' }).subscription_data
  return { key, url }
}

export const explain = (error: unknown): string => {
  if (error instanceof TributaryArgumentError) return `${error.field}: ${error.message}`
  if (!(error instanceof TributaryError)) throw error
  return error.code === 'click_expired' ? 'too late' : `${error.status} ${error.requestId} ${error.field}`
}

const onRefund = (event: WebhookEvent<'sale.refunded'>): number => event.data.refundedCents

export const receive = async (request: Request): Promise<string | number> => {
  try {
    const event = verifyWebhook(await request.text(), request.headers, ['whsec_new', 'whsec_old'])
    if (event.type === 'sale.refunded') return onRefund(event)
    if (event.type === 'commission.payable') return event.data.amountCents
    // @ts-expect-error only sales have an invoice
    return event.data.invoiceId
  } catch (error) {
    return error instanceof TributaryWebhookError ? error.code : 'other'
  }
}

/** Node's headers and a buffer, as in Express. */
export const receiveInNode = (body: Uint8Array, headers: { [name: string]: string | string[] | undefined }) =>
  verifyWebhook(body, headers, 'whsec_secret', { toleranceMs: 60_000 }).sequence

export const clicks = [
  fromExpress({ headers: { cookie: 'a=1' } }),
  fromFastify({ headers: {} }),
  fromHono({ req: { header: () => undefined } }),
]
