/** Whether the text is meant to be an IBAN: it contains the word, or is a country code and two check digits with nothing else. */
export const looksLikeIban = (text: string) => /\biban\b/i.test(text) || /^[A-Z]{2}\d{2}[A-Z\d]*$/i.test(compact(text))

/** ISO 13616 checksum: with the first four characters moved to the end and A to Z as 10 to 35, the number is 1 modulo 97. */
export const isIban = (text: string) => {
  const iban = compact(text).toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  const digits = [...`${iban.slice(4)}${iban.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

const compact = (text: string) => text.replace(/^\s*iban\b[\s:.]*/i, '').replace(/[\s-]/g, '')
