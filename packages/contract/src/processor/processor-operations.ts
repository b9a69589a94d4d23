import { z } from 'zod'
import { answerOf, listOf } from '../lists.ts'
import { body, type Operation, ofProgram } from '../openapi/operation.ts'
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
const ofKeyManager = { caller: 'session' as const, permission: 'key:manage' as const }
const ofReader = { caller: 'session' as const, permission: 'tracking:list' as const }

const webhook = {
  method: 'post' as const,
  caller: 'public' as const,
  request: z.record(z.string(), z.unknown()).describe('An event, signed by the processor over its exact bytes'),
  answers: [webhookAnswer],
}

/** The payment processor: its webhooks, its connection, and what came of its events. */
export const PROCESSOR_OPERATIONS: Operation[] = [
  {
    ...webhook,
    path: '/api/v1/processor/webhook',
    summary: 'Receive an event of an account that is connected to the platform',
    refusals: ['invalid_signature', 'payload_too_large', 'unavailable'],
  },
  {
    ...webhook,
    path: '/api/v1/processor/webhook/{programId}',
    summary: "Receive an event of a merchant's own account",
    refusals: ['invalid_signature', 'program_not_found', 'payload_too_large', 'unavailable'],
  },
  {
    caller: 'session',
    permission: 'program:read',
    method: 'get',
    path: PROCESSOR,
    summary: 'Read the connection to the payment processor',
    answers: [answerOf(processorConnection)],
    refusals: ofProgram,
  },
  {
    ...ofKeyManager,
    method: 'put',
    path: PROCESSOR,
    summary: "Connect the merchant's own account, or rotate its signing secret",
    request: connectProcessorRequest,
    answers: [answerOf(processorConnection)],
    refusals: [...body, ...ofProgram, 'conflict'],
  },
  {
    ...ofKeyManager,
    method: 'delete',
    path: PROCESSOR,
    summary: 'Disconnect the payment processor',
    answers: [answerOf(processorConnection)],
    refusals: ofProgram,
  },
  {
    ...ofKeyManager,
    method: 'post',
    path: `${PROCESSOR}/connect`,
    summary: 'Begin to connect an account through the platform',
    answers: [answerOf(connectAddress)],
    refusals: [...ofProgram, 'conflict'],
  },
  {
    ...ofReader,
    method: 'get',
    path: `${PROCESSOR}/events`,
    summary: 'List the events that the processor sent, and what became of each',
    query: processorEventsQuery,
    answers: [listOf(processorEvent)],
    refusals: ['invalid_request', ...ofProgram],
  },
  {
    ...ofReader,
    method: 'get',
    path: `${PROCESSOR}/events/{eventId}`,
    summary: 'Read an event as it was received',
    answers: [answerOf(processorEventDetail)],
    refusals: [...ofProgram, 'not_found'],
  },
  {
    ...ofKeyManager,
    method: 'post',
    path: `${PROCESSOR}/replay`,
    summary: 'Process kept events again, or see what that would change',
    request: replayRequest,
    answers: [answerOf(replayAnswer)],
    refusals: [...body, ...ofProgram],
  },
]
