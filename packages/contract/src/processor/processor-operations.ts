import { z } from 'zod'
import { answerOf, listOf } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import {
  connectAddress,
  connectProcessorRequest,
  processorConnection,
  processorEvent,
  processorEventDetail,
  processorEventsQuery,
  replayAnswer,
  replayRequest,
  webhookAnswer,
} from './processor.ts'

const PROCESSOR = '/api/programs/{programId}/processor'
const keyManager = { caller: 'session' as const, permission: 'key:manage' as const }
const reader = { caller: 'session' as const, permission: 'tracking:list' as const }

const webhook = {
  method: 'post' as const,
  caller: 'public' as const,
  request: z.record(z.string(), z.unknown()).describe('The event. The signature covers the exact bytes of the body'),
  answers: [webhookAnswer],
}

/** Webhooks, the processor connection and received events. */
export const PROCESSOR_OPERATIONS: Operation[] = [
  {
    ...webhook,
    path: '/api/v1/processor/webhook',
    summary: 'Receive a platform webhook',
    description:
      'Receives events from accounts that merchants connected through the platform account. `event.account` names the account. A 2xx means the event is committed; duplicates are acknowledged and change nothing.',
    refusals: ['invalid_signature', 'payload_too_large', 'unavailable'],
  },
  {
    ...webhook,
    path: '/api/v1/processor/webhook/{programId}',
    summary: 'Receive a program webhook',
    description:
      "Receives events from the merchant's own processor account, signed with the secret of the program's webhook endpoint at the processor. A 2xx means the event is committed; duplicates are acknowledged and change nothing.",
    refusals: ['invalid_signature', 'program_not_found', 'payload_too_large', 'unavailable'],
  },
  {
    caller: 'session',
    permission: 'program:read',
    method: 'get',
    path: PROCESSOR,
    summary: 'Get the processor connection',
    description:
      'Returns the status of the connection, the account behind it, and the webhook URL to set at the payment processor.',
    answers: [answerOf(processorConnection)],
    refusals: programErrors,
  },
  {
    ...keyManager,
    method: 'put',
    path: PROCESSOR,
    summary: 'Connect your own processor account',
    description:
      'Stores the signing secret of your webhook endpoint at the processor. The status is `pending` until the first correctly signed event arrives. Send a new secret to rotate it: the old one keeps working for 24 hours, or until an event arrives that is signed with the new one.',
    request: connectProcessorRequest,
    answers: [answerOf(processorConnection)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  {
    ...keyManager,
    method: 'delete',
    path: PROCESSOR,
    summary: 'Disconnect the processor',
    description: 'New events are no longer accepted. Sales and commissions stay as they are.',
    answers: [answerOf(processorConnection)],
    refusals: programErrors,
  },
  {
    ...keyManager,
    method: 'post',
    path: `${PROCESSOR}/connect`,
    summary: 'Start connecting through the platform',
    description: "Returns the address of the processor's consent page. 409 if the instance has no platform account.",
    answers: [answerOf(connectAddress)],
    refusals: [...programErrors, 'conflict'],
  },
  {
    ...reader,
    method: 'get',
    path: `${PROCESSOR}/events`,
    summary: 'List processor events',
    description: 'Lists the webhook events that were received, with what each one did and why.',
    query: processorEventsQuery,
    answers: [listOf(processorEvent)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    ...reader,
    method: 'get',
    path: `${PROCESSOR}/events/{eventId}`,
    summary: 'Get a processor event',
    description:
      'Returns an event as it was received. Personal data is redacted unless your role includes `member:manage`.',
    answers: [answerOf(processorEventDetail)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...keyManager,
    method: 'post',
    path: `${PROCESSOR}/replay`,
    summary: 'Replay processor events',
    description:
      'Processes stored events again, one page per call. With `dryRun` (the default) it only reports what would change.',
    request: replayRequest,
    answers: [answerOf(replayAnswer)],
    refusals: [...bodyErrors, ...programErrors],
  },
]
