import { z } from 'zod'
import { identifier } from '../fields.ts'

/** Sent in the body because a customer key can be an email address, and proxies log URLs. */
export const eraseRequest = z
  .object({
    customerKey: identifier.describe('The customer key sent with the lead. Send this or `clickId`'),
    clickId: identifier.describe("The customer's click ID. Send this or `customerKey`"),
  })
  .partial()
  .refine(({ customerKey, clickId }) => (customerKey === undefined) !== (clickId === undefined), {
    error: 'must have exactly one of customerKey and clickId',
  })

/** How many rows of each kind were erased. All zero if there was nothing left to erase. */
export const erasure = z.object({
  customers: z.int(),
  sales: z.int(),
  clicks: z.int(),
  testEvents: z.int(),
  paymentReports: z.int().describe('Reports about their payments'),
  processorEvents: z.int().describe('Stored webhook events'),
})
