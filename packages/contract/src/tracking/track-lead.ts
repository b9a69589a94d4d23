import { z } from 'zod'
import { leadCreditedBy } from '../customers/customers.ts'
import { additionalData, descriptiveText, namedProgram, optionalIdentifier } from '../fields.ts'
import { optionalCode } from '../programs/codes.ts'

/** POST /api/v1/track/lead: sent with an API key by the merchant's server, without one by the browser. */
export const leadRequest = z.object({
  customer_key: optionalIdentifier.describe('Your stable ID of the customer. Send the same value with sales'),
  click_id: optionalIdentifier.describe('The value of the `service_click_id` cookie'),
  promotion_code: optionalCode.describe(
    'The code that the customer entered. From your server only: settles the lead even without a click',
  ),
  email: descriptiveText(254).describe("The customer's email address. Stored only as a keyed hash and in masked form"),
  program_id: namedProgram.nullish().describe("If sent, must be the API key's program"),
  additional_data: additionalData.describe('With `test_mode: true`, the call creates a test event and nothing else'),
})
export type LeadRequest = z.infer<typeof leadRequest>

export const leadAnswer = z.strictObject({
  success: z.literal(true).describe('Always true: errors have another shape'),
  lead_id: z.int().optional().describe('Absent if a browser sent the lead and it is provisional or a duplicate'),
  customer_key: z.string().optional().describe('The customer key that is stored for the customer'),
  click_id: z
    .string()
    .optional()
    .describe(
      'The click that the customer is credited to; absent if a code is credited. For a provisional or duplicate lead from a browser, the click it sent',
    ),
  credited_by: leadCreditedBy
    .optional()
    .describe('What the partner is credited for; absent if a browser sent the lead'),
  provisional: z.literal(true).optional().describe('The lead is provisional: it does not count or pay yet'),
  duplicate: z.literal(true).optional().describe('The lead was already credited; nothing changed'),
})
