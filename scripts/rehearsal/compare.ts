import { LEAD_CENTS, PERCENT, type Sale, type Shop } from './shop.ts'
import type { Book, Sold } from './traffic.ts'

type Books = Pick<Shop, 'sales' | 'balance'>

const halfUp = (numerator: number, denominator: number) => Math.floor((2 * numerator + denominator) / (2 * denominator))

const commissionOf = ({ amount, refund }: { amount: number; refund: number }) => {
  const earned = halfUp(amount, 100 / PERCENT)
  return { earned, reversed: refund === 0 ? 0 : halfUp(earned * refund, amount) }
}

/** The mistake in a recorded sale, or null. The refund may be missing only if `mayLackRefund`. */
const faultOf = (sale: Sale, sent: { amount: number; refund: number } | undefined, mayLackRefund: boolean) => {
  if (!sent) return `${sale.invoiceId} was never sent`
  const refund = mayLackRefund && sale.refundedCents === 0 ? 0 : sent.refund
  const { earned, reversed } = commissionOf({ amount: sent.amount, refund })
  const expected = [sent.amount, refund, earned, reversed]
  const recorded = [sale.amountCents, sale.refundedCents, sale.commissionCents, sale.commissionReversedCents ?? 0]
  if (expected.join() === recorded.join()) return null
  return `${sale.invoiceId} should be ${expected.join(', ')} and is ${recorded.join(', ')}`
}

const requireNone = (faults: string[]) => {
  if (faults.length > 0) throw new Error(`${faults.length} wrong sales:\n  ${faults.slice(0, 10).join('\n  ')}`)
}

/** Every acknowledged sale once, with its refund and commission, nothing else, and the balance that follows from them. */
export const compareEverything = async (shop: Books, { sales, leads, unfinished }: Book) => {
  if (unfinished.size > 0) throw new Error(`${unfinished.size} customers are not finished`)
  const recorded = await shop.sales()
  const faults = recorded.flatMap((sale) => faultOf(sale, sales.get(sale.invoiceId), false) ?? [])
  const found = new Set(recorded.map(({ invoiceId }) => invoiceId))
  for (const invoice of sales.keys()) if (!found.has(invoice)) faults.push(`${invoice} is missing`)
  if (found.size !== recorded.length) faults.push(`${recorded.length - found.size} sales are recorded twice`)
  requireNone(faults)
  const kept = [...sales.values()].map(commissionOf).reduce((sum, { earned, reversed }) => sum + earned - reversed, 0)
  const expected = leads.size * LEAD_CENTS + kept
  const { earnedCents, reviewCents } = await shop.balance()
  // Every visitor has another address. If the proxy's counted instead, all but five leads would be in review.
  if (reviewCents !== 0) throw new Error(`${reviewCents} cents are in review: are the visitors' addresses lost?`)
  if (earnedCents !== expected) throw new Error(`The partner should have ${expected} cents and has ${earnedCents}.`)
  return `${sales.size} sales and ${leads.size} leads as acknowledged, balance ${(earnedCents / 100).toFixed(2)} USD to the cent`
}

const isBy = (time: number, at: number | null) => at !== null && at <= time

/** Sales acknowledged by a time are recorded. Later sales may be missing; their customers are returned. */
export const compareUntil = async (shop: Books, { sales, sent, leads, unfinished }: Book, time: number) => {
  const recorded = new Map((await shop.sales()).map((sale) => [sale.invoiceId, sale]))
  const hasRefund = (sold: Sold | undefined) => sold !== undefined && isBy(time, sold.refundedAt)
  const faults = [...recorded.values()].flatMap(
    (sale) => faultOf(sale, sent.get(sale.invoiceId), !hasRefund(sales.get(sale.invoiceId))) ?? [],
  )
  const missing = [...sales].filter(([invoice]) => !recorded.has(invoice))
  for (const [invoice, { at }] of missing) if (isBy(time, at)) faults.push(`${invoice} is missing`)
  requireNone(faults)
  const later = [...leads].filter(([, at]) => !isBy(time, at)).map(([customer]) => customer)
  for (const [invoice, { at, refundedAt, refund }] of sales)
    if (!isBy(time, refund > 0 ? refundedAt : at)) later.push(Number(invoice.split('_')[1]))
  const kept = sales.size - missing.length
  return { again: new Set([...later, ...unfinished]), kept, missing: missing.length }
}
