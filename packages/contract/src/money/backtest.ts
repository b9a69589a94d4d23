import { z } from 'zod'
import { rowId } from '../fields.ts'
import { isInOrder, moment } from '../tracking/events.ts'
import { rewardRequest } from './rewards.ts'

const DAY_MS = 86_400_000
/** A little over three years. */
export const MAX_BACKTEST_DAYS = 1_100

type Period = { from: string; to: string }

const isOrdered = ({ from, to }: Period) => isInOrder({ dateFrom: from, dateTo: to })
const isShort = ({ from, to }: Period) => Date.parse(to) - Date.parse(from) < MAX_BACKTEST_DAYS * DAY_MS

/** A date without a time means the whole day in the program's time zone. */
export const backtestRequest = z
  .strictObject({
    terms: rewardRequest.describe('The proposed reward terms, as in `PUT …/reward`'),
    against: rewardRequest
      .optional()
      .describe('Other terms to compare them with, for the same partners. Default: the terms that were in effect'),
    groupId: rowId
      .optional()
      .describe('The group whose terms are replaced. Default: the default group and all groups without custom terms'),
    from: moment.describe("First day in the program's time zone, or an ISO 8601 time"),
    to: moment.describe("Last day in the program's time zone, or an ISO 8601 time"),
  })
  .refine(isOrdered, { message: 'must not be after to', path: ['from'] })
  .refine(isShort, {
    message: `must be at most ${MAX_BACKTEST_DAYS} days before to. Choose a shorter period`,
    path: ['from'],
  })
export type BacktestRequest = z.infer<typeof backtestRequest>

const compared = {
  actualCents: z
    .int()
    .describe('Earned under the actual terms, or those of `against`, after refunds, lost disputes and rejections'),
  proposedCents: z.int().describe('What the proposed terms would have earned, after the same reversals'),
  differenceCents: z.int().describe('`proposedCents` minus `actualCents`'),
}

export const backtestPartner = z.strictObject({
  partnerId: z.int(),
  partnerName: z.string(),
  partnerArchived: z.boolean(),
  ...compared,
})
export type BacktestPartner = z.infer<typeof backtestPartner>

export const backtestBlock = z.strictObject({
  currency: z.string(),
  partners: z.array(backtestPartner).describe('Partners with earnings in this currency, largest first'),
  totals: z.strictObject(compared),
})
export type BacktestBlock = z.infer<typeof backtestBlock>

export const backtest = z
  .array(backtestBlock)
  .describe(
    "One block per currency. If no partner earned anything, one empty block in the program's currency. With `Accept: text/event-stream` the response is a stream of `progress` events with `done` and `total` customers, then one `result` event with this body or one `error` event",
  )

/** Data of each `progress` event when the response is a stream. */
export const backtestProgress = z.strictObject({
  done: z.int().describe('Customers compared so far'),
  total: z.int().describe('Customers who signed up or bought in the period'),
})
export type BacktestProgress = z.infer<typeof backtestProgress>
