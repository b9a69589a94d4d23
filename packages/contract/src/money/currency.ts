import { z } from 'zod'
import { CURRENCIES } from './currencies.ts'

const KNOWN = new Set(CURRENCIES)
const MESSAGE = 'must be an ISO 4217 currency code such as USD'

export const currency = z
  .string('must be a string')
  // Before it is made upper case: some letters of other alphabets become A to Z.
  .regex(/^[A-Za-z]{3}$/, MESSAGE)
  .toUpperCase()
  .refine((code) => KNOWN.has(code), MESSAGE)
