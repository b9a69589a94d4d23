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

/** Visitors who click, sign up, buy twice and get a part of it back. Every call is repeated until it is acknowledged, as the SDK does. */
export const openTraffic = (proxy: FrontProxy, shop: Shop) => {
  const book: Book = { sales: new Map(), leads: new Map(), sent: new Map(), unfinished: new Set() }
  const retries = new Map<string, number>()
  let acknowledged = 0
  let customers = 0
  let mode: 'open' | 'closing' | 'abandoned' = 'open'
  let running: Promise<void>[] = []
  let failure: Error | null = null

  const attempt = async (customer: number, path: string, body: object) => {
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
    if (!response || text === null) return { kind: 'retry' as const, why: 'no answer' }
    if (response.ok) return { kind: 'done' as const, body: JSON.parse(text) }
    if (response.status === 409 && text.includes('duplicate_invoice')) return { kind: 'done' as const, body: {} }
    if ([429, 502, 503, 504].includes(response.status)) return { kind: 'retry' as const, why: String(response.status) }
    throw new Error(`${path} answered ${response.status}: ${text}`)
  }
  const call = async (customer: number, path: string, body: object) => {
    for (;;) {
      if (mode === 'abandoned') throw new Abandoned()
      const answer = await attempt(customer, path, body)
      if (answer.kind === 'done') {
        const at = Date.now()
        acknowledged++
        await Bun.sleep(PAUSE_MS)
        return { body: answer.body, at }
      }
      retries.set(answer.why, (retries.get(answer.why) ?? 0) + 1)
      await Bun.sleep(RETRY_MS)
    }
  }
  /** Running it again for the same customer changes nothing that is recorded. */
  const visit = async (customer: number) => {
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
  const shopper = async () => {
    while (mode === 'open') await visit(++customers)
  }
  const end = async (how: 'closing' | 'abandoned') => {
    mode = how
    await Promise.all(running)
    if (failure) throw failure
  }
  const note = (error: Error) => {
    if (error instanceof Abandoned) return
    failure ??= error
    mode = 'abandoned'
  }
  return {
    book,
    start: () => {
      mode = 'open'
      running = Array.from({ length: SHOPPERS }, () => shopper().catch(note))
    },
    /** Until so many more calls are acknowledged: a count, so that a slow machine does the same. */
    untilAcknowledged: async (count: number) => {
      const goal = acknowledged + count
      await until(`${count} calls are acknowledged`, () => failure !== null || acknowledged >= goal)
      if (failure) throw failure
    },
    /** Lets every customer finish. */
    finish: () => end('closing'),
    /** The machine is gone: whatever was in progress stays unfinished. */
    abandon: () => end('abandoned'),
    /** Sends everything of these customers again, from the shop's own records. */
    resend: async (again: Iterable<number>) => {
      mode = 'open'
      for (const customer of again) await visit(customer)
    },
    acknowledged: () => acknowledged,
    /** Calls that had to be repeated since the last time, by reason. */
    takeRetries: () => {
      const text = [...retries].map(([why, count]) => `${count}× ${why}`).join(', ') || 'none'
      retries.clear()
      return text
    },
  }
}
