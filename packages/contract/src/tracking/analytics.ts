import { z } from 'zod'
import { pageNumber } from '../lists.ts'
import { amounts, calculated, periodQuery } from './events.ts'

export const analyticsQuery = periodQuery

const HOUR = 3_600
/** Upper limits in seconds of how long a conversion took since the first click. The last group has none. */
export const CONVERSION_TIMES = [60, 600, HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR] as const

const times = z
  .array(
    z.strictObject({
      fromSeconds: z.int(),
      toSeconds: z.int().nullable().describe('Null for the last group'),
      conversions: z.int(),
    }),
  )
  .describe("Time since the customer's first click, from fastest to slowest")

const part = z.strictObject({ sales: z.int(), revenue: amounts })
const parts = {
  first: part.describe("Customers' first sales"),
  renewals: part.describe('Later sales of the same customers'),
}

export const analytics = z.strictObject({
  timezone: z.string(),
  ...calculated,
  dateFrom: z.string(),
  dateTo: z.string(),
  funnel: z
    .strictObject({ clicks: z.int(), leads: z.int(), customers: z.int().describe('Customers with their first sale') })
    .describe('What happened in the period. A customer may have clicked before it'),
  sales: z.strictObject(parts),
  days: z.array(z.strictObject({ date: z.string(), ...parts })),
  timeToLead: times,
  timeToSale: times,
})
export type Analytics = z.infer<typeof analytics>

export const cohortsQuery = z.object({
  months: pageNumber.max(24, 'must be at most 24').default(12).describe('Number of months, including this one'),
})
export type CohortsQuery = z.infer<typeof cohortsQuery>

export const cohorts = z.strictObject({
  timezone: z.string(),
  ...calculated,
  currency: z.string().describe("The program's currency. Revenue in other currencies is not included"),
  hasOtherCurrencies: z.boolean(),
  rows: z
    .array(
      z.strictObject({
        month: z.string().describe("Month of the customers' first sale, such as 2026-03"),
        customers: z.int(),
        revenueCents: z
          .array(z.int())
          .describe('Revenue in that month, the month after it, and so on until now, before refunds'),
        refundedCents: z
          .array(z.int())
          .describe('How much of the revenue of each month was refunded or lost in disputes, at any time'),
      }),
    )
    .describe('Newest first. Months without new customers are included'),
})
export type Cohorts = z.infer<typeof cohorts>
