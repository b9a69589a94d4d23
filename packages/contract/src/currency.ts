import { z } from 'zod'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

export const currency = z
  .string('must be a string')
  .toUpperCase()
  .refine((code) => CURRENCIES.has(code), 'must be an ISO 4217 currency code such as USD')
