import { z } from 'zod'
import { CURRENCIES } from './currencies.ts'

const KNOWN = new Set(CURRENCIES)
const MESSAGE = 'must be an ISO 4217 currency code such as USD'

export const currency = z
  .string('must be a string')
  // Checked before upper-casing, which turns some non-ASCII letters into A to Z.
  .regex(/^[A-Za-z]{3}$/, MESSAGE)
  .toUpperCase()
  .refine((code) => KNOWN.has(code), MESSAGE)
  .describe('ISO 4217 code, such as USD')
