/**
 * Decimal digits of each currency by ISO 4217. Never ask the runtime instead: CLDR has 0 digits for HUF and IQD, which would make
 * amounts wrong by a factor of 100 or 1,000. Codes without a minor unit (gold, SDR, tests) are left out.
 */
const BY_DIGITS: [digits: number, codes: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC
    CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
    PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
    UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  // Withdrawn since 2020, but still used by existing records.
  [2, 'ANG BGN CUC HRK SLL ZWL'],
]

const DIGITS = new Map(
  BY_DIGITS.flatMap(([digits, codes]) => codes.split(/\s+/).map((code): [string, number] => [code, digits])),
)

// The dashboard bundles this file, so it imports nothing.
export const CURRENCIES = [...DIGITS.keys()].sort()

/** Unknown codes get two digits, like most currencies. */
export const minorDigits = (currency: string) => DIGITS.get(currency) ?? 2

/** An amount in major units as text, without floats: 1234 is "12.34" in euros, "1234" in yen and "1.234" in dinars. */
export const toDecimal = (amount: number, currency: string) => {
  const digits = minorDigits(currency)
  const sign = amount < 0 ? '-' : ''
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Converts an amount typed in major units, with a point or a comma, to minor units. Returns null for too many decimals: "1,200"
 * dollars might mean twelve hundred.
 */
export const fromDecimal = (text: string, currency: string) => {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,15})(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  const digits = minorDigits(currency)
  if (whole === undefined || fraction.length > digits) return null
  const amount = Number(whole + fraction.padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) return null
  return sign && amount > 0 ? -amount : amount
}
