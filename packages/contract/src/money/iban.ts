/** Whether the text is meant as an IBAN: it begins with a country and two check digits and has no other words, or says so. */
export const claimsIban = (text: string) => /\biban\b/i.test(text) || /^[A-Z]{2}\d{2}[A-Z\d]*$/i.test(compact(text))

/** ISO 13616: moved to the end, the first four characters make the whole 1 modulo 97, with A as 10 up to Z as 35. */
export const isIban = (text: string) => {
  const iban = compact(text).toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  const digits = [...`${iban.slice(4)}${iban.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

const compact = (text: string) => text.replace(/^\s*iban\b[\s:.]*/i, '').replace(/[\s-]/g, '')
