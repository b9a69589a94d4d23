import { z } from 'zod'
import type { Operation } from '../openapi/operation.ts'
import { webhookAnswer } from './processor.ts'

const webhook = {
  method: 'post' as const,
  caller: 'public' as const,
  request: z.record(z.string(), z.unknown()).describe('The event. The signature covers the exact bytes of the body'),
  example: { id: 'evt_1', object: 'event', type: 'invoice.paid' },
  answers: [webhookAnswer],
  exampleAnswer: { success: true, received: true },
}

/** Routes of their own: the signature covers the bytes of the body. */
export const PROCESSOR_WEBHOOKS: Operation[] = [
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
    ...webhook,
    path: '/api/v1/processor/{processor}/webhook/{programId}',
    summary: 'Receive a webhook of a payment processor',
    description:
      "Receives events from the merchant's own account at this processor. A 2xx means the event is committed; duplicates are acknowledged and change nothing. A signed event that nothing can be read from is kept with the reason. 404 if the program is not connected to the processor.",
    refusals: [
      'invalid_signature',
      'invalid_json',
      'not_found',
      'program_not_found',
      'payload_too_large',
      'unavailable',
    ],
  },
]
