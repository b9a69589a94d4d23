import { z } from 'zod'
import { timestamp } from '../fields.ts'
import {
  codeData,
  commissionData,
  leadData,
  linkData,
  partnerData,
  payoutData,
  pingData,
  processorData,
  saleData,
  termsData,
} from './event-data.ts'
import {
  DEFAULT_EVENTS_LIMIT,
  MAX_EVENTS_LIMIT,
  PUBLISHED_EVENT_TYPES,
  type PublishedEventType,
} from './event-types.ts'

/** The schema of `data` for each type of event. */
export const PUBLISHED_EVENT_DATA = {
  'partner.applied': partnerData,
  'partner.approved': partnerData,
  'partner.rejected': partnerData,
  'partner.suspended': partnerData,
  'partner.updated': partnerData,
  'link.created': linkData,
  'link.updated': linkData,
  'code.created': codeData,
  'code.updated': codeData,
  'lead.created': leadData,
  'sale.created': saleData,
  'sale.updated': saleData,
  'sale.refunded': saleData,
  'sale.disputed': saleData,
  'sale.voided': saleData,
  'commission.created': commissionData,
  'commission.updated': commissionData,
  'commission.payable': commissionData,
  'commission.voided': commissionData,
  'payout.created': payoutData,
  'payout.updated': payoutData,
  'payout.paid': payoutData,
  'payout.failed': payoutData,
  'terms.changed': termsData,
  'processor.connected': processorData,
  'processor.disconnected': processorData,
  'test.ping': pingData,
} as const satisfies Record<PublishedEventType, z.ZodObject>

export type PublishedEventData = { [Type in PublishedEventType]: z.infer<(typeof PUBLISHED_EVENT_DATA)[Type]> }

export const eventId = z.string().regex(/^evt_\d+_\d+$/)

/** The part of an event that is the same for every type. */
const envelope = {
  id: eventId.describe('The same in every delivery of the event. Unique, also after a restore from a backup'),
  sequence: z.int().describe('Position in the program: 1, 2, 3, … without gaps'),
  timestamp: timestamp.describe('When it happened. ISO 8601 in UTC, with milliseconds'),
  changes: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .optional()
    .describe('What changed: the value before and after, by field of `data`. Absent if the object is new'),
}

export const publishedEventOf = <Type extends PublishedEventType>(type: Type) =>
  z.strictObject({ ...envelope, type: z.literal(type), data: PUBLISHED_EVENT_DATA[type] })

export const publishedEvent = z.strictObject({
  ...envelope,
  type: z.enum(PUBLISHED_EVENT_TYPES).describe('What happened'),
  data: z.record(z.string(), z.unknown()).describe('The object as it was after the change'),
})

/** An event with typed data. */
export type PublishedEvent = {
  [Type in PublishedEventType]: Omit<z.infer<typeof publishedEvent>, 'type' | 'data'> & {
    type: Type
    data: PublishedEventData[Type]
  }
}[PublishedEventType]

const sequenceText = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(Number.MAX_SAFE_INTEGER)

export const publishedEventsQuery = z.object({
  after: sequenceText
    .optional()
    .describe(
      'Only events after this sequence: the last one you have. Leave it out to start with the oldest stored event',
    ),
  epoch: sequenceText
    .optional()
    .describe(
      'The `epoch` of the response that you read `after` from. A restore from a backup is noticed only with it',
    ),
  limit: sequenceText
    .min(1, 'must be at least 1')
    .max(MAX_EVENTS_LIMIT, `must be at most ${MAX_EVENTS_LIMIT}`)
    .default(DEFAULT_EVENTS_LIMIT)
    .describe('Events per response'),
})

export const publishedEvents = z.strictObject({
  data: z.array(publishedEvent).describe('In order of their sequence'),
  has_more: z.boolean().describe('True if there are further events. Send the last `sequence` as `after`'),
  epoch: z.int().describe('Changes with each restore from a backup; 0 before the first. Send it with `after`'),
})
