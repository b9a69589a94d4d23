import { createHmac } from 'node:crypto'
import { stripePayment } from '../../apps/server/test/processor/stripe-events.ts'
import type { Conduct } from '../conduct.ts'
import type { Shop } from '../instance/shop.ts'
import { until } from '../instance/until.ts'
import type { Kind, Ledger } from '../ledger.ts'
import { type Answer, type Caller, openCaller } from './caller.ts'

export type VisitorOptions = {
  port: number
  shop: Shop
  ledger: Ledger
  conduct: Conduct
  visitors: number
  /** Retries unacknowledged calls unchanged until they are acknowledged. */
  retries?: boolean
  timeoutMs?: number
  /** Between two visits of a visitor. */
  pauseMs?: number
  /** Clicks of earlier visits: their visitors sign up and pay without clicking again. */
  clicked?: string[]
  /** The load's clock, used for signatures. */
  now?: () => Date
}

const TAX_CENTS = 0
const RETRY_PAUSE_MS = 50
const RETRIES_END_MS = 60_000

/** Visitors who click, sign up and pay until stopped. Every response goes into the ledger. */
export const startVisitors = (options: VisitorOptions) => {
  let isStopped = false
  let stoppedAt = Number.POSITIVE_INFINITY
  const mayContinue = () => !isStopped || (options.retries === true && performance.now() < stoppedAt + RETRIES_END_MS)
  const visitor = async (number: number) => {
    // Some open a new connection each time, as browsers do; most keep theirs, as servers do.
    const caller = openCaller({ port: options.port, isKept: number % 4 !== 3, timeoutMs: options.timeoutMs })
    for (let visits = number; !isStopped; visits++) {
      await visit({ ...options, caller, mayContinue, paysByProcessor: visits % 3 === 2 })
      if (options.pauseMs) await Bun.sleep(options.pauseMs)
    }
    caller.close()
  }
  const visiting = Array.from({ length: options.visitors }, (_, number) => visitor(number))
  const before = options.ledger.count('acknowledged')
  return {
    /** A count instead of a duration, so that a round is about the same on a busy machine. */
    untilAcknowledged: (count: number) =>
      until(`${count} calls are acknowledged`, () => options.ledger.count('acknowledged') >= before + count),
    stop: async () => {
      isStopped = true
      stoppedAt = performance.now()
      await Promise.all(visiting)
    },
  }
}

type Visit = VisitorOptions & { caller: Caller; mayContinue: () => boolean; paysByProcessor: boolean }

const visit = async (of: Visit) => {
  const earlier = of.clicked?.pop()
  if (earlier) return signUpAndPay(of, earlier)
  const clicked = await sendClick(of)
  if (!clicked) return of.retries ? undefined : Bun.sleep(5) // a rejected visitor does not retry immediately
  await signUpAndPay(of, clicked.click_id)
}

const signUpAndPay = async (of: Visit, clickId: string) => {
  const customerKey = crypto.randomUUID()
  if (of.paysByProcessor) return void (await sendWebhook(of, { clickId, customerKey }))
  const lead = await send(of, 'lead', customerKey, {
    path: '/api/v1/track/lead',
    body: { click_id: clickId, customer_key: customerKey },
    headers: { authorization: `Bearer ${of.shop.key}` },
  })
  if (lead) await sendSale(of, customerKey)
}

/** A click with the visit that it belongs to, as the script sends it, so that a retry is the same click. */
const sendClick = (of: Visit) => {
  const id = crypto.randomUUID()
  const body = { affiliate_url: of.shop.affiliateUrl, session_id: id, visit_id: Date.now() }
  return send(of, 'click', id, { path: '/api/v1/track/click', body })
}

const sendSale = (of: Visit, customerKey: string) => {
  const amountCents = 100 + Math.floor(Math.random() * 10_000)
  const body = { customer_key: customerKey, amount: amountCents, invoice_id: `invoice-${customerKey}` }
  const headers = { authorization: `Bearer ${of.shop.key}` }
  return send(of, 'sale', body.invoice_id, { path: '/api/v1/track/sale', body, headers }, { amountCents })
}

const sendWebhook = (of: Visit, { clickId, customerKey }: { clickId: string; customerKey: string }) => {
  const { shop, now = () => new Date() } = of
  const amountCents = 100 + Math.floor(Math.random() * 10_000)
  const metadata = {
    program_id: String(shop.programId),
    service_customer_key: customerKey,
    service_click_id: clickId,
  }
  // The processor counts whole seconds, and the payment must not be older than its click.
  const created = Math.ceil(now().getTime() / 1000)
  const event = stripePayment({ amount: amountCents, tax: TAX_CENTS, metadata, created }).completed()
  const raw = JSON.stringify({ ...event, id: `evt_${customerKey}` })
  const path = `/api/v1/processor/webhook/${shop.programId}`
  const request = () => ({ path, raw, headers: { 'stripe-signature': signatureOf(raw, shop.webhookSecret, now()) } })
  return send(of, 'webhook', `evt_${customerKey}`, request, { amountCents, customerKey })
}

/** Signs each delivery with the current time, as the processor does. */
const signatureOf = (raw: string, secret: string, at: Date) => {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${raw}`).digest('hex')}`
}

type Request = Parameters<Caller['ask']>[0]

/** Sends until acknowledged, or once; returns the body, or null if it was not acknowledged. */
const send = async (
  { caller, ledger, conduct, retries, mayContinue }: Visit,
  kind: Kind,
  id: string,
  request: Request | (() => Request),
  details: { amountCents?: number; customerKey?: string } = {},
) => {
  for (;;) {
    ledger.sending(kind, id, details)
    const answer = await caller.ask(typeof request === 'function' ? request() : request)
    conduct.note(kind, answer, caller.failure())
    if (answer && isAcknowledged(answer, ledger.sentBefore(kind, id))) {
      if (answer.status !== 200) conduct.forgive(kind, answer)
      ledger.answered(kind, id, 'acknowledged', kind === 'click' ? answer.body.click_id : undefined)
      return answer.body
    }
    ledger.answered(kind, id, answer && saysNothingRecorded(answer) ? 'refused' : 'unknown')
    if (!retries || !mayContinue() || (answer && answer.status < 429)) return null
    await Bun.sleep(RETRY_PAUSE_MS)
  }
}

/** A duplicate_invoice response to a retried sale acknowledges it. */
const isAcknowledged = ({ status, body }: Answer, isRepeated: boolean) =>
  status === 200 || (isRepeated && status === 409 && body?.error?.code === 'duplicate_invoice')

const saysNothingRecorded = ({ status, body }: Answer) => status === 429 || body?.error?.code === 'overloaded'
