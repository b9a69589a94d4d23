import { z } from 'zod'
import { isInOrder, moment } from '../tracking/events.ts'
import { rewardRequest } from './rewards.ts'

const DAY_MS = 86_400_000
/** Three years, and a little more. */
export const MAX_BACKTEST_DAYS = 1_100

type Period = { from: string; to: string }

const isOrdered = ({ from, to }: Period) => isInOrder({ dateFrom: from, dateTo: to })
const isShort = ({ from, to }: Period) => Date.parse(to) - Date.parse(from) < MAX_BACKTEST_DAYS * DAY_MS

/** A date without a time is that whole day, in the time zone of the program. */
export const backtestRequest = z
  .strictObject({
    terms: rewardRequest.describe('As they would be set'),
    from: moment.describe('The first day, or an ISO 8601 time'),
    to: moment.describe('The last day, or an ISO 8601 time'),
  })
  .refine(isOrdered, { message: 'must not be after to', path: ['from'] })
  .refine(isShort, {
    message: `must be at most ${MAX_BACKTEST_DAYS} days before to. Choose a shorter period`,
    path: ['from'],
  })

const compared = {
  actualCents: z.int().describe('Earned under the terms that held, after refunds, lost disputes and rejections'),
  proposedCents: z.int().describe('What the proposed terms would have earned, after the same'),
  differenceCents: z.int().describe('`proposedCents` less `actualCents`'),
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
  partners: z.array(backtestPartner).describe('Who earned or would have earned in this currency, the most first'),
  totals: z.strictObject(compared),
})
export type BacktestBlock = z.infer<typeof backtestBlock>

export const backtest = z
  .array(backtestBlock)
  .describe(
    'One block per currency; an empty one in the currency of the program where no partner earned. Nothing is saved. With `Accept: text/event-stream` the answer is a stream: `progress` events with `done` and `total` customers, then one `result` event with this answer, or one `error` event',
  )

/** With `Accept: text/event-stream`, the data of each `progress` event. */
export const backtestProgress = z.strictObject({
  done: z.int().describe('Customers compared so far'),
  total: z.int().describe('Customers who signed up or bought in the period'),
})
export type BacktestProgress = z.infer<typeof backtestProgress>
