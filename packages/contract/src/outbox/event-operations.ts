import { operations } from '../openapi/declaration.ts'
import { EVENT_RETENTION_DAYS } from './event-types.ts'
import { publishedEvents, publishedEventsQuery } from './published-events.ts'

/** Events for the merchant's own systems. */
export const EVENTS = operations({
  list: {
    method: 'get',
    path: '/api/v1/events',
    caller: 'key',
    summary: 'List or stream events',
    description: `Returns the program's events in order, starting after a sequence. Sequences have no gaps, and events are never reordered. An event changes only if its customer is erased: the customer key is replaced. With \`Accept: text/event-stream\`, the response is a stream of server-sent events that stays open: \`id\` is the sequence, followed by the epoch if it is not 0 (\`42-1763459000000\`), \`event\` is the type and \`data\` is the event. A client that reconnects with \`Last-Event-ID\` continues without a gap. Events are kept for ${EVENT_RETENTION_DAYS} days. If events after \`after\` have been deleted, the response is 410 \`events_expired\`. If you have events that the service lost in a restore from a backup, it is 409 \`events_ahead\`. With \`epoch\` this is certain; without it, only if \`after\` is past the last event. Both messages say how to continue.`,
    query: publishedEventsQuery,
    response: publishedEvents,
    stream: true,
    errors: ['events_expired', 'events_ahead'],
  },
})
