import { z } from 'zod'
import type { ReasonCode } from '../explain/reasons.ts'
import { additionalData, descriptive, identifier, isDeeperThan, namedProgram, optionalIdentifier } from '../fields.ts'
import { MAX_AMOUNT, MAX_JSON_DEPTH, MAX_METADATA_BYTES } from '../limits.ts'
import { currency } from '../money/currency.ts'

/** POST /api/v1/track/sale, from the merchant's server only. In test mode every field but `additional_data` may be absent. */
export const saleRequest = z.object({
  customer_key: optionalIdentifier.describe('The same value as at lead time'),
  click_id: optionalIdentifier.describe('For a customer who never became a lead'),
  amount: z
    .int()
    .positive()
    .max(MAX_AMOUNT)
    .describe('Integer, in minor units of the currency by ISO 4217: 4900 is 49.00 EUR, 4900 JPY, 4.900 KWD'),
  invoice_id: identifier.describe('Idempotency key: one sale per `invoice_id` and program, for ever'),
  currency: currency.nullish().describe("ISO 4217; the program's currency by default"),
  event_name: descriptive(255),
  subscription_id: optionalIdentifier,
  metadata: z
    .record(z.string(), z.unknown(), 'must be an object')
    .refine((data) => !isDeeperThan(MAX_JSON_DEPTH, data), {
      message: `must have at most ${MAX_JSON_DEPTH} levels of nesting`,
      abort: true,
    })
    .refine(
      (data) => new TextEncoder().encode(JSON.stringify(data)).length <= MAX_METADATA_BYTES,
      `must be at most ${MAX_METADATA_BYTES} bytes`,
    )
    .nullish(),
  program_id: namedProgram.nullish().describe("If given, must be the API key's program"),
  additional_data: additionalData,
})

/** Why a sale is credited to nobody. All that the rule can answer, and nothing else. */
export const UNCREDITED_REASONS = [
  'customer_unknown',
  'click_not_found',
  'click_expired',
  'no_click_before_sale',
] as const satisfies ReasonCode[]
export type UncreditedReason = (typeof UNCREDITED_REASONS)[number]

export const saleAnswer = z.strictObject({
  success: z.literal(true),
  sale_id: z.int(),
  attributed: z.boolean(),
  reason: z
    .enum(UNCREDITED_REASONS)
    .optional()
    .describe('Why the sale is not attributed. It is kept, and credited once a lead of that customer settles'),
  commission_id: z.int().nullable(),
})
