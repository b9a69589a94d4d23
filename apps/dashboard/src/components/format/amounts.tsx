import { formatMoney } from './format.ts'

type Amount = { currency: string; amountCents: number }

/** Sums in several currencies, which nobody may add up: one a line. Nothing at all is zero of the program's own. */
export const Amounts = ({ of, currency }: { of: Amount[]; currency: string }) => {
  const shown = of.length > 0 ? of : [{ currency, amountCents: 0 }]
  return shown.map((amount) => (
    <span key={amount.currency} className="block whitespace-nowrap">
      {formatMoney(amount.amountCents, amount.currency)}
    </span>
  ))
}
