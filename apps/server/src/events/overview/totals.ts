import type { Counts } from '@tributary/contract'

type Money = { currency: string; revenueCents: number; commissionCents: number }

/** Leaves out currencies without an amount. */
export const amountsOf = (rows: Money[]) => ({
  revenue: rows
    .filter((row) => row.revenueCents > 0)
    .map((row) => ({ currency: row.currency, amountCents: row.revenueCents })),
  commissions: rows
    .filter((row) => row.commissionCents > 0)
    .map((row) => ({ currency: row.currency, amountCents: row.commissionCents })),
})

export const totalsOf = (parts: Counts[]): Counts => {
  const sum = (name: 'clicks' | 'leads' | 'sales') => parts.reduce((total, part) => total + part[name], 0)
  return {
    clicks: sum('clicks'),
    leads: sum('leads'),
    sales: sum('sales'),
    revenue: sumByCurrency(parts.flatMap((part) => part.revenue)),
    commissions: sumByCurrency(parts.flatMap((part) => part.commissions)),
  }
}

export const sumByCurrency = (amounts: Counts['revenue']) => {
  const sums = new Map<string, number>()
  for (const { currency, amountCents } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amountCents)
  return [...sums]
    .map(([currency, amountCents]) => ({ currency, amountCents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
