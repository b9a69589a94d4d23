import { z } from 'zod'
import { rowId } from '../fields.ts'
import { rowNumber } from '../lists.ts'

/** The first amount that the end of a hold period makes payable. */
export const nextPayable = z
  .strictObject({
    on: z.string().describe("The day in the program's time zone, such as 2026-12-18"),
    amountCents: z.int().describe('What becomes payable on that day'),
  })
  .nullable()
  .describe('The next held amount that becomes payable; null if the partner is not approved or nothing is held by date')
export type NextPayable = z.infer<typeof nextPayable>

export const holdsQuery = z.object({
  partnerId: rowNumber.optional().describe('Only commissions of this partner'),
  groupId: rowNumber.optional().describe('Only commissions of partners who are in this group now'),
})

export const heldAmount = z.strictObject({
  currency: z.string(),
  commissions: z.int().describe('How many commissions a release would make payable'),
  amountCents: z.int().describe('The amount that a release would make payable'),
  next: nextPayable,
})
export type HeldAmount = z.infer<typeof heldAmount>

export const releaseHoldsRequest = z
  .object({
    partnerId: rowId.optional().describe('Only commissions of this partner'),
    groupId: rowId.optional().describe('Only commissions of partners who are in this group now'),
  })
  .refine(({ partnerId, groupId }) => partnerId === undefined || groupId === undefined, {
    path: ['groupId'],
    message: 'must not be sent together with partnerId',
  })

export const releasedHolds = z.strictObject({
  released: z
    .array(heldAmount.omit({ next: true }))
    .describe('What became payable, per currency; empty if nothing was held'),
})
