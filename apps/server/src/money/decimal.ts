/** An amount in major units as text: 1234 is 12.34 in euros, 1234 in yen and 1.234 in dinars. No float is involved. */
export const decimal = (amountCents: number, currency: string) => {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const sign = amountCents < 0 ? '-' : ''
  const text = String(Math.abs(amountCents)).padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
