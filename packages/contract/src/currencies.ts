/** Codes of ISO 4217 that stand for no currency: the one for tests, and the one for none. */
const NO_CURRENCIES = ['XTS', 'XXX']

/** Without a library: the dashboard's pages load this too. */
export const CURRENCIES = Intl.supportedValuesOf('currency').filter((code) => !NO_CURRENCIES.includes(code))
