import type { FrontProxy } from './proxy.ts'
import type { Shop } from './shop.ts'
import { until } from './stage.ts'

const SHOPPERS = 4
/** Bounds the load to a few dozen calls a second. */
const PAUSE_MS = 100
const RETRY_MS = 250

/** What the shop knows from responses alone. Times are those of the acknowledgement. */
export type Sold = { amount: number; refund: number; at: number; refundedAt: number | null }
export type Book = {
  sales: Map<string, Sold>
  /** Customers whose lead was acknowledged. */
  leads: Map<number, number>
  /** Sent, whether or not it was acknowledged. */
  sent: Map<string, { amount: number; refund: number }>
  /** Customers who were in the middle of something when the traffic ended. */
  unfinished: Set<number>
}
export type Traffic = ReturnType<typeof openTraffic>

class Abandoned extends Error {}

type Mode = 'open' | 'closing' | 'abandoned'
type State = { mode: Mode; acknowledged: number; retries: Map<string, number>; failure: Error | null }

/** One attempt: the body of a 2xx response, or the reason to try again. */
const attempt = async ({ proxy, shop }: Given, { customer, path, body }: Call) => {
  const response = await proxy
    .request(`/api/v1/track/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${shop.key}`,
        // The proxy appends its peer, which is trusted: visitors keep their own addresses.
        'x-forwarded-for': `198.18.${Math.floor(customer / 250) % 250}.${(customer % 250) + 1}`,
      },
      body: JSON.stringify(body),
    })
    .catch(() => null)
  const text = (await response?.text().catch(() => null)) ?? null
  if (!response || text === null) return { again: 'no answer' }
  if (response.ok) return { body: JSON.parse(text) }
  // An earlier attempt was recorded, but its answer was lost.
  if (response.status === 409 && text.includes('duplicate_invoice')) return { body: {} }
  if ([429, 502, 503, 504].includes(response.status)) return { again: String(response.status) }
  throw new Error(`${path} answered ${response.status}: ${text}`)
}

type Given = { proxy: FrontProxy; shop: Shop }
type Call = { customer: number; path: string; body: object }

/** Repeats a call until it is acknowledged, as the SDK does. */
const openCalls = (given: Given, state: State) => async (customer: number, path: string, body: object) => {
  for (;;) {
    if (state.mode === 'abandoned') throw new Abandoned()
    const answer = await attempt(given, { customer, path, body })
    if (answer.again === undefined) {
      const at = Date.now()
      state.acknowledged++
      await Bun.sleep(PAUSE_MS)
      return { body: answer.body, at }
    }
    state.retries.set(answer.again, (state.retries.get(answer.again) ?? 0) + 1)
    await Bun.sleep(RETRY_MS)
  }
}

/** Clicks, signs up, buys twice and gets a part of it back. Again for the same customer, it changes nothing that is recorded. */
const visit = async (customer: number, { book, call, shop }: Visiting) => {
  book.unfinished.add(customer)
  const customer_key = `customer_${customer}`
  const { body: clicked } = await call(customer, 'click', { affiliate_url: shop.affiliateUrl })
  const lead = await call(customer, 'lead', { customer_key, click_id: clicked.click_id })
  book.leads.set(customer, lead.at)
  for (const turn of [1, 2]) {
    const [amount, invoice_id] = [997 * turn + 37 * customer, `invoice_${customer}_${turn}`]
    const refund = turn === 1 ? 0 : Math.floor(amount / 3)
    book.sent.set(invoice_id, { amount, refund })
    const { at } = await call(customer, 'sale', { customer_key, amount, invoice_id })
    const sold: Sold = { amount, refund, at, refundedAt: null }
    book.sales.set(invoice_id, sold)
    if (refund === 0) continue
    const refunded = await call(customer, 'refund', { invoice_id, amount: refund, refund_id: `refund_${customer}` })
    sold.refundedAt = refunded.at
  }
  book.unfinished.delete(customer)
}

type Visiting = { book: Book; call: ReturnType<typeof openCalls>; shop: Shop }

/** A few visitors at a time, who come one after the other until the traffic ends. */
export const openTraffic = (proxy: FrontProxy, shop: Shop) => {
  const book: Book = { sales: new Map(), leads: new Map(), sent: new Map(), unfinished: new Set() }
  const state: State = { mode: 'open', acknowledged: 0, retries: new Map(), failure: null }
  const visiting = { book, call: openCalls({ proxy, shop }, state), shop }
  let customers = 0
  let running: Promise<void>[] = []

  const shopper = async () => {
    while (state.mode === 'open') await visit(++customers, visiting)
  }
  const note = (error: Error) => {
    if (error instanceof Abandoned) return
    state.failure ??= error
    state.mode = 'abandoned'
  }
  const end = async (how: Mode) => {
    state.mode = how
    await Promise.all(running)
    if (state.failure) throw state.failure
  }
  return {
    book,
    start: () => {
      state.mode = 'open'
      running = Array.from({ length: SHOPPERS }, () => shopper().catch(note))
    },
    /** Until so many more calls are acknowledged: a count, so that a slow machine does the same. */
    untilAcknowledged: async (count: number) => {
      const goal = state.acknowledged + count
      await until(`${count} calls are acknowledged`, () => state.failure !== null || state.acknowledged >= goal)
      if (state.failure) throw state.failure
    },
    /** Lets every customer finish. */
    finish: () => end('closing'),
    /** The machine is gone: whatever was in progress stays unfinished. */
    abandon: () => end('abandoned'),
    /** Sends everything of these customers again, from the shop's own records. */
    resend: async (again: Iterable<number>) => {
      state.mode = 'open'
      for (const customer of again) await visit(customer, visiting)
    },
    acknowledged: () => state.acknowledged,
    /** Calls that had to be repeated since the last time, by reason. */
    takeRetries: () => {
      const text = [...state.retries].map(([why, count]) => `${count}× ${why}`).join(', ') || 'none'
      state.retries.clear()
      return text
    },
  }
}
