import type { Interval } from '@tributary/contract'
import { MAX_SALE_ITEMS } from '@tributary/contract/tracking/sale-items'
import type { SaleItems, SoldItem } from '../../money/rewards/rules.ts'

/** A line of an invoice, in any unit that all lines of it share. */
export type Line = {
  productId: string | null
  planId: string | null
  interval: Interval | null
  amountCents: number | null
}

/**
 * What an invoice is for: the lines of one product and plan in one item, without those that a credit outweighs. `totalCents` is the sum of
 * all lines if the event has only some of them.
 */
export const itemsOfLines = (lines: Line[], totalCents = 0): { items?: SaleItems } => {
  const items = new Map<string, SoldItem>()
  for (const { amountCents, ...line } of lines) {
    if (amountCents === null) return {}
    const name = JSON.stringify(line)
    items.set(name, { ...line, amountCents: amountCents + (items.get(name)?.amountCents ?? 0) })
  }
  const charged = [...items.values()].filter(({ amountCents }) => amountCents > 0)
  if (charged.every(({ productId, planId }) => productId === null && planId === null)) return {}
  // Those that cost most; the rest is an item without a product.
  const parts = charged.toSorted((a, b) => b.amountCents - a.amountCents).slice(0, MAX_SALE_ITEMS)
  const sum = charged.reduce((total, { amountCents }) => total + amountCents, 0)
  return { items: { totalCents: Math.max(sum, totalCents), parts } }
}

/** Longer terms than a year are yearly, and shorter ones than a month are monthly. */
export const intervalOf = (unit: unknown): Interval => {
  if (unit === 'year') return 'year'
  return unit === 'day' || unit === 'week' || unit === 'month' ? 'month' : 'one_time'
}
