import { formatMoney } from './format.ts'

type Amount = { currency: string; amountCents: number }

/** Nothing instead of zero. */
export const SomeAmounts = ({ of, currency }: { of: Amount[]; currency: string }) => {
  const some = of.filter(({ amountCents }) => amountCents !== 0)
  return some.length > 0 && <Amounts of={some} currency={currency} />
}

/** One line per currency, because amounts in different currencies can't be added. Empty means zero in the program's currency. */
export const Amounts = ({ of, currency }: { of: Amount[]; currency: string }) => {
  const shown = of.length > 0 ? of : [{ currency, amountCents: 0 }]
  return shown.map((amount) => (
    <span key={amount.currency} className="block whitespace-nowrap">
      {formatMoney(amount.amountCents, amount.currency)}
    </span>
  ))
}
