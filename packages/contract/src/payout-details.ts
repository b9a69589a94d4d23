import { z } from 'zod'
import { plainText, timestamp } from './fields.ts'

export const PAYOUT_METHODS = ['paypal', 'wise', 'bank', 'other'] as const

const line = (maxLength: number) => plainText(maxLength)

/** Where a partner wants their money. */
export const payoutDetailsRequest = z.object({
  method: z.enum(PAYOUT_METHODS),
  account: line(200).describe('An e-mail address, an IBAN, …'),
  holder: line(120).describe('Whose account it is'),
  note: line(500).nullable().default(null),
})
export const payoutDetails = z.strictObject({
  method: z.enum(PAYOUT_METHODS),
  account: z.string(),
  holder: z.string(),
  note: z.string().nullable(),
  updatedAt: timestamp,
})
export type PayoutDetails = z.infer<typeof payoutDetails>
