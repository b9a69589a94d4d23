/** Currencies of the countries where most merchants are. */
const OF_REGIONS: Record<string, string> = {
  USD: 'US EC SV PR',
  EUR: 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK ME XK MC',
  GBP: 'GB',
  AUD: 'AU',
  BRL: 'BR',
  CAD: 'CA',
  CHF: 'CH LI',
  CZK: 'CZ',
  DKK: 'DK',
  HUF: 'HU',
  INR: 'IN',
  JPY: 'JP',
  KRW: 'KR',
  MXN: 'MX',
  NOK: 'NO',
  NZD: 'NZ',
  PLN: 'PL',
  RON: 'RO',
  SEK: 'SE',
  SGD: 'SG',
  ZAR: 'ZA',
}

const currencyOf = (region: string | undefined) =>
  Object.entries(OF_REGIONS).find(([, regions]) => region && regions.split(' ').includes(region))?.[0]

/** The currency of the country in the browser's language settings: "de-CH" is Swiss, and "de" most likely German. */
export const browserCurrency = (languages: readonly string[] = navigator.languages) => {
  const locales = languages.map((language) => new Intl.Locale(language))
  const region = locales.find((locale) => locale.region)?.region ?? locales[0]?.maximize().region
  return currencyOf(region) ?? 'USD'
}
