import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { payout, payoutPreview } from './payouts.ts'

export const SCHEDULE_FREQUENCIES = ['off', 'weekly', 'twice_monthly', 'monthly'] as const

/** The last day of the month to choose: every month has it, and twice a month needs 14 more days. */
const LAST_DAY = { monthly: 28, twice_monthly: 14 }

const whole = (last: number) => z.int(`must be a whole number from 1 to ${last}`).min(1, 'must be at least 1')

export const payoutScheduleRequest = z
  .object({
    frequency: z.enum(SCHEDULE_FREQUENCIES).describe('How often a draft is prepared; `off` for never'),
    day: whole(LAST_DAY.monthly)
      .nullish()
      .describe(
        'The day of the month: 1 to 28 for `monthly`, 1 to 14 for `twice_monthly`, which also runs 14 days later',
      ),
    weekday: whole(7).max(7, 'must be at most 7').nullish().describe('Only for `weekly`. 1 is Monday, 7 is Sunday'),
  })
  .superRefine(({ frequency, day, weekday }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (frequency === 'weekly') {
      if (!weekday) issue('weekday', 'must be a whole number from 1 (Monday) to 7 (Sunday)')
    } else if (frequency !== 'off' && (!day || day > LAST_DAY[frequency]))
      issue('day', `must be a whole number from 1 to ${LAST_DAY[frequency]}`)
  })
export type PayoutScheduleRequest = z.infer<typeof payoutScheduleRequest>

export const payoutSchedule = z.strictObject({
  frequency: z.enum(SCHEDULE_FREQUENCIES),
  day: z.int().nullable().describe('The day of the month. `twice_monthly` also runs 14 days later'),
  weekday: z.int().nullable().describe('1 is Monday, 7 is Sunday. Only for `weekly`'),
  nextOn: z
    .string()
    .nullable()
    .describe("The next day a draft is prepared, at midnight in the program's time zone; null if off"),
  openDraftId: z.int().nullable().describe('The draft that waits for a decision'),
})
export type PayoutSchedule = z.infer<typeof payoutSchedule>

const draftLine = payoutPreview.element.omit({ excludedReason: true }).extend({
  amountCents: z.int().describe('Payable now; 0 if nothing is left to pay'),
  draftCents: z.int().describe('Payable when the draft was prepared; 0 if it became payable since'),
  payoutId: z
    .int()
    .nullable()
    .describe('The payout that pays this balance instead; null if there is none, or something is payable now'),
})

export const payoutDraft = z.strictObject({
  id: z.int(),
  period: z.string().describe("The scheduled day in the program's time zone"),
  preparedAt: timestamp,
  lines: z.array(draftLine),
})
export type PayoutDraft = z.infer<typeof payoutDraft>

export const confirmedDraft = payout.extend({
  changes: z
    .array(z.strictObject({ partnerId: z.int(), currency: z.string(), draftCents: z.int(), amountCents: z.int() }))
    .describe('Amounts that differ between draft and payout; 0 on the side without this balance'),
})
export const discardedDraft = z.strictObject({ id: z.int(), status: z.literal('discarded') })
