import { minorDigits } from '@tributary/contract'

/** "$29.00". The number of digits comes from the contract, because runtimes disagree about some currencies. */
export const formatMoney = (decimal: string, currency: string) => {
  const digits = minorDigits(currency)
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat('en-US', options).format(decimal as `${number}`).replaceAll('\u00a0', ' ')
}
