import { formatList, formatMoney } from '~/components/format/format.ts'

type Amount = { currency: string; amountCents: number }

/** Never adds different currencies. */
export const totalsByCurrency = (amounts: Amount[]): Amount[] => {
  const totals = new Map<string, number>()
  for (const { currency, amountCents } of amounts) totals.set(currency, (totals.get(currency) ?? 0) + amountCents)
  return [...totals].map(([currency, amountCents]) => ({ currency, amountCents }))
}

/** "¥1,000, €120.00 and $35.50" */
export const formatTotals = (amounts: Amount[]) =>
  formatList(totalsByCurrency(amounts).map(({ amountCents, currency }) => formatMoney(amountCents, currency)))

/** Marking a line as paid books the highest exported amount, because that may have been sent; otherwise the amount due. */
export const amountToBook = ({ exportedCents, amountCents }: { exportedCents: number | null; amountCents: number }) =>
  exportedCents ?? amountCents

/** Payment files exclude partners whose payout details are missing or changed in the last 48 hours. */
export const isReady = (due: { needsDetails: boolean; destinationHeldUntil: string | null }) =>
  !due.needsDetails && due.destinationHeldUntil === null
