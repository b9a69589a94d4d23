import { z } from 'zod'
import { additionalData, descriptive, namedProgram, optionalIdentifier } from '../fields.ts'

/** POST /api/v1/track/lead: with an API key from the merchant's server, without one from the browser. */
export const leadRequest = z.object({
  customer_key: optionalIdentifier.describe("The customer's own stable identifier; use the same value at sale time"),
  click_id: optionalIdentifier.describe('The value of the `service_click_id` cookie'),
  email: descriptive(254).describe('Kept as a keyed hash and in masked form only'),
  program_id: namedProgram.nullish().describe("If given, must be the API key's program"),
  additional_data: additionalData,
})
export type LeadRequest = z.infer<typeof leadRequest>

export const leadAnswer = z.strictObject({
  success: z.literal(true),
  lead_id: z.int().optional(),
  customer_key: z.string().optional(),
  click_id: z.string().optional(),
  provisional: z.literal(true).optional().describe('The lead is only provisional: it neither counts nor pays yet'),
  duplicate: z.literal(true).optional().describe('The lead was settled before; nothing changed'),
})
