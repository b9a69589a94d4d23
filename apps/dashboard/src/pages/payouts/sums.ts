import { formatList, formatMoney } from '~/components/format/format.ts'

type Amount = { currency: string; amountCents: number }

/** By currency, for nobody may add up euros and dollars. */
export const sumsOf = (amounts: Amount[]): Amount[] => {
  const sums = new Map<string, number>()
  for (const { currency, amountCents } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amountCents)
  return [...sums].map(([currency, amountCents]) => ({ currency, amountCents }))
}

/** "¥1,000, €120.00 and $35.50" */
export const sumText = (amounts: Amount[]) =>
  formatList(sumsOf(amounts).map(({ amountCents, currency }) => formatMoney(amountCents, currency)))

/** What marking a line paid books: the highest amount in an exported file, which may have been sent, or else what is due. */
export const amountToBook = ({ exportedCents, amountCents }: { exportedCents: number | null; amountCents: number }) =>
  exportedCents ?? amountCents
