import { z } from 'zod'
import { creditedBy } from '../customers/customers.ts'
import type { ReasonCode } from '../explain/reasons.ts'
import {
  additionalData,
  descriptiveText,
  identifier,
  isDeeperThan,
  namedProgram,
  optionalIdentifier,
} from '../fields.ts'
import { MAX_AMOUNT, MAX_JSON_DEPTH, MAX_METADATA_BYTES } from '../limits.ts'
import { currency } from '../money/currency.ts'
import { optionalCode } from '../programs/codes.ts'
import { saleItems } from './sale-items.ts'

/** POST /api/v1/track/sale, server-side only. In test mode only `additional_data` is required. */
export const saleRequest = z.object({
  customer_key: optionalIdentifier.describe('The customer key you sent with the lead'),
  click_id: optionalIdentifier.describe('For a customer without a lead: the value of the `service_click_id` cookie'),
  promotion_code: optionalCode.describe(
    'The code that the customer entered. Credits the partner who owns it, even without a click',
  ),
  amount: z
    .int()
    .positive()
    .max(MAX_AMOUNT)
    .describe('Amount in minor units by ISO 4217: 4900 is $49.00, ¥4,900 or KWD 4.900'),
  tax: z
    .int()
    .nonnegative()
    .max(MAX_AMOUNT)
    .nullish()
    .describe('Tax included in `amount`, in minor units. Commission is calculated on `amount` − `tax`'),
  invoice_id: identifier.describe('Your ID for the payment. Each one is one sale per program, forever'),
  currency: currency.nullish().describe("ISO 4217 code. Defaults to the program's currency"),
  items: saleItems,
  event_name: descriptiveText(255).describe('A label of your choice, such as `Renewal`'),
  subscription_id: optionalIdentifier.describe('Your ID for the subscription'),
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
    .nullish()
    .describe('Your own data, at most 8 KiB of JSON'),
  program_id: namedProgram.nullish().describe("If sent, must be the API key's program"),
  additional_data: additionalData.describe('With `test_mode: true`, the call creates a test event and no money'),
})

/** Every reason for which the attribution rule leaves a sale uncredited. */
export const UNCREDITED_REASONS = [
  'customer_unknown',
  'click_not_found',
  'click_expired',
  'no_click_before_sale',
  'code_unknown',
  'code_disabled',
  'code_pending',
  'partner_not_approved',
  'existing_customer',
] as const satisfies ReasonCode[]
export type UncreditedReason = (typeof UNCREDITED_REASONS)[number]

export const saleAnswer = z.strictObject({
  success: z.literal(true).describe('Always true: errors have another shape'),
  sale_id: z.int().describe('ID of the sale'),
  attributed: z.boolean().describe('True if a partner is credited'),
  reason: z
    .enum(UNCREDITED_REASONS)
    .optional()
    .describe(
      'Why no partner is credited. The sale is stored, and credited once a lead links the customer to an earlier click',
    ),
  credited_by: creditedBy.nullable().describe('What the partner is credited for; null if none is credited'),
  commission_id: z.int().nullable().describe('The commission it earned, if any'),
})
