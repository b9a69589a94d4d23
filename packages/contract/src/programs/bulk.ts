import { z } from 'zod'
import { rowId } from '../fields.ts'
import { MAX_BULK, MAX_SELECTED } from '../limits.ts'
import { commissionsQuery, decideReviewRequest, voidCommissionRequest } from '../money/money.ts'
import { linksQuery, partnersQuery } from './partners.ts'

/** The filters of a list, without its pages. */
export const partnerIdsQuery = partnersQuery.omit({ page: true, pageSize: true, sort: true })
export const linkIdsQuery = linksQuery.omit({ page: true, pageSize: true, sort: true })
export const commissionIdsQuery = commissionsQuery.omit({ page: true, pageSize: true, sort: true })

export const matchingIds = z.strictObject({ ids: z.array(z.int()).describe(`At most ${MAX_SELECTED}`) })

const ids = z
  .array(rowId, 'must be a list of IDs')
  .min(1, 'must have at least one entry')
  .max(MAX_BULK, `must have at most ${MAX_BULK} entries`)
  .describe(`At most ${MAX_BULK}`)

export const PARTNER_BULK_ACTIONS = ['suspend', 'reinstate', 'invite'] as const

export const bulkPartnersRequest = z.object({
  ids,
  action: z
    .enum(PARTNER_BULK_ACTIONS)
    .describe(
      '`reinstate` ends a suspension or takes back a rejection. `invite` emails the partner an invitation to the portal',
    ),
})

export const bulkCommissionsRequest = z.discriminatedUnion(
  'action',
  [
    z.object({
      ids,
      action: z.literal('release').describe('Approves commissions in review'),
      reason: decideReviewRequest.shape.reason,
    }),
    z.object({
      ids,
      action: z.literal('reject').describe('Rejects commissions in review'),
      reason: decideReviewRequest.shape.reason,
    }),
    z.object({
      ids,
      action: z.literal('void').describe('Voids commissions'),
      reason: voidCommissionRequest.shape.reason,
    }),
  ],
  'must be release, reject or void',
)
export type BulkCommissions = z.infer<typeof bulkCommissionsRequest>

export const bulkResult = z.strictObject({
  done: z.int().describe('How many were changed'),
  skipped: z
    .array(z.strictObject({ reason: z.string().describe('In a few words'), count: z.int() }))
    .describe('How many were not, by reason'),
})
export type BulkResult = z.infer<typeof bulkResult>

/** How an operation that lists the IDs of `noun` is described. */
export const idsOf = (noun: string) => ({
  summary: `List the IDs of matching ${noun}`,
  description: `Returns the IDs of all ${noun} that match the filters, for bulk actions. Refused if there are more than ${MAX_SELECTED.toLocaleString('en-US')}.`,
})
