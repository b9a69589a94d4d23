import { operations } from '../openapi/declaration.ts'
import {
  connectAddress,
  connectProcessorRequest,
  processorConnection,
  processorEvent,
  processorEventDetail,
  processorEventQuery,
  processorEventsQuery,
  replayAnswer,
  replayRequest,
} from './processor.ts'
import { connectRequest, programProcessor } from './processors.ts'

const PROCESSOR = '/api/programs/{programId}/processor'
const EVENTS = `${PROCESSOR}/events` as const

/** The connection to the payment processor. Its signing secret is as powerful as an API key: the holder can report sales. */
export const PROCESSOR_CONNECTION = operations({
  get: {
    method: 'get',
    path: PROCESSOR,
    permission: 'program:read',
    summary: 'Get the processor connection',
    description:
      'Returns the status of the connection, the account behind it, and the webhook URL to set at the payment processor.',
    answer: processorConnection,
  },
  connect: {
    method: 'put',
    path: PROCESSOR,
    permission: 'key:manage',
    summary: 'Connect your own processor account',
    description:
      'Stores the signing secret of your webhook endpoint at the processor. The status is `pending` until the first correctly signed event arrives. Send a new secret to rotate it: the old one keeps working for 24 hours, or until an event arrives that is signed with the new one.',
    request: connectProcessorRequest,
    example: { webhookSecret: 'whsec_9f2k4m7q1' },
    answer: processorConnection,
    errors: ['conflict'],
  },
  disconnect: {
    method: 'delete',
    path: PROCESSOR,
    permission: 'key:manage',
    summary: 'Disconnect the processor',
    description: 'New events are no longer accepted. Sales and commissions stay as they are.',
    answer: processorConnection,
  },
  startConnecting: {
    method: 'post',
    path: `${PROCESSOR}/connect`,
    permission: 'key:manage',
    summary: 'Start connecting through the platform',
    description: "Returns the address of the processor's consent page. 409 if the instance has no platform account.",
    answer: connectAddress,
    errors: ['conflict'],
  },
})

const PROCESSORS = '/api/programs/{programId}/processors'

/** All payment processors that a program can be connected to. */
export const PROGRAM_PROCESSORS = operations({
  list: {
    method: 'get',
    path: PROCESSORS,
    permission: 'program:read',
    summary: 'List payment processors',
    description:
      'Lists every supported payment processor with the status of its connection, the webhook URL to enter there, and the events to subscribe to. A program can be connected to several.',
    list: programProcessor,
  },
  connect: {
    method: 'put',
    path: `${PROCESSORS}/{processor}`,
    permission: 'key:manage',
    summary: 'Connect a payment processor',
    description:
      'Stores the signing secret of your webhook endpoint at the processor, or creates the endpoint with your API key. The status is `pending` until the first correctly signed event arrives. Without a signing secret, an endpoint that was created here is updated to the current URL and event types.',
    request: connectRequest,
    example: { webhookSecret: 'whsec_9f2k4m7q1' },
    answer: programProcessor,
    errors: ['conflict'],
  },
  disconnect: {
    method: 'delete',
    path: `${PROCESSORS}/{processor}`,
    permission: 'key:manage',
    summary: 'Disconnect a payment processor',
    description: 'Its events are answered with 404 from now on. Sales and commissions stay as they are.',
    answer: programProcessor,
  },
})

/** Events that the processor sent. */
export const PROCESSOR_EVENTS = operations({
  list: {
    method: 'get',
    path: EVENTS,
    permission: 'tracking:list',
    summary: 'List processor events',
    description: 'Lists the webhook events that were received, with what each one did and why.',
    query: processorEventsQuery,
    list: processorEvent,
  },
  get: {
    method: 'get',
    path: `${EVENTS}/{eventId}`,
    permission: 'tracking:list',
    summary: 'Get a processor event',
    description:
      'Returns an event as it was received. Personal data is redacted unless your role includes `member:manage`. 409 if several events have this ID: then name the `processor` and the `scope`.',
    query: processorEventQuery,
    answer: processorEventDetail,
    errors: ['conflict'],
  },
  replay: {
    method: 'post',
    path: `${PROCESSOR}/replay`,
    permission: 'key:manage',
    summary: 'Replay processor events',
    description:
      'Processes stored events again, one page per call. With `dryRun` (the default) it only reports what would change.',
    request: replayRequest,
    example: { since: '2026-11-01', dryRun: true },
    answer: replayAnswer,
  },
})
