import { z } from 'zod'
import { identifier, optionalIdentifier } from '../fields.ts'
import { MAX_AMOUNT } from '../limits.ts'
import { INTERVALS } from '../money/rules/reward-rules.ts'

export const MAX_SALE_ITEMS = 100

/** What was sold, so that reward rules can tell products and plans apart. */
export const saleItem = z.strictObject({
  product_id: identifier.describe('Your ID of the product'),
  plan_id: optionalIdentifier.describe('Your ID of the plan or price'),
  interval: z.enum(INTERVALS, 'must be one_time, month or year').nullish().describe('How often the item is billed'),
  amount: z
    .int('must be an integer in minor units (for example 2900 for $29.00)')
    .min(0, 'must be at least 0')
    .max(MAX_AMOUNT, 'must be at most 10^12')
    .describe('What the item cost, as a part of `amount`, in minor units'),
})

export const saleItems = z
  .array(saleItem, 'must be a list of items')
  .max(MAX_SALE_ITEMS, `must be at most ${MAX_SALE_ITEMS} items`)
  .nullish()
  .describe(
    'What was sold, for reward rules about products, plans and intervals. What is left of `amount` is an item without a product',
  )
