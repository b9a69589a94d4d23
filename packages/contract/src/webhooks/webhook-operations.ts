import { answerOf, listOf, optionalPageQuery } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import { MAX_WEBHOOK_ENDPOINTS, PREVIOUS_WEBHOOK_SECRET_HOURS, WEBHOOK_RETENTION_DAYS } from './webhook-limits.ts'
import {
  changeWebhookEndpointRequest,
  createWebhookEndpointRequest,
  resendWebhooksRequest,
  resentWebhooks,
  webhookDeliveriesQuery,
  webhookDelivery,
  webhookDeliveryDetail,
  webhookEndpoint,
  webhookEndpointWithSecret,
} from './webhooks.ts'

const ENDPOINTS = '/api/programs/{programId}/webhook-endpoints'
const ENDPOINT = `${ENDPOINTS}/{endpointId}`
const DELIVERIES = '/api/programs/{programId}/webhook-deliveries'
const keyManager = { caller: 'session' as const, permission: 'key:manage' as const }

/** Endpoints that receive events, and their deliveries. */
export const WEBHOOK_OPERATIONS: Operation[] = [
  {
    ...keyManager,
    method: 'post',
    path: ENDPOINTS,
    summary: 'Create a webhook endpoint',
    description: `Sends events to an address of yours from now on, signed by Standard Webhooks 1.0. The response has the signing secret, which is not shown again. A program has at most ${MAX_WEBHOOK_ENDPOINTS} endpoints.`,
    request: createWebhookEndpointRequest,
    status: 201,
    answers: [answerOf(webhookEndpointWithSecret)],
    refusals: [...bodyErrors, ...programErrors, 'conflict'],
  },
  {
    ...keyManager,
    method: 'get',
    path: ENDPOINTS,
    summary: 'List webhook endpoints',
    description: 'Lists the endpoints of a program with their health.',
    query: optionalPageQuery,
    answers: [listOf(webhookEndpoint)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    ...keyManager,
    method: 'patch',
    path: ENDPOINT,
    summary: 'Edit a webhook endpoint',
    description:
      'Changes settings, or enables or disables the endpoint. Pending deliveries use the new settings; they wait while the endpoint is disabled and are sent when it is enabled again. Events that happen while it is disabled are not sent; read them with `GET /api/v1/events`.',
    request: changeWebhookEndpointRequest,
    answers: [answerOf(webhookEndpoint)],
    refusals: [...bodyErrors, ...programErrors, 'not_found'],
  },
  {
    ...keyManager,
    method: 'delete',
    path: ENDPOINT,
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, including pending deliveries. Its past deliveries stay listed.',
    answers: [answerOf(webhookEndpoint)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...keyManager,
    method: 'post',
    path: `${ENDPOINT}/rotate`,
    summary: 'Rotate the signing secret',
    description: `Creates a new secret. For ${PREVIOUS_WEBHOOK_SECRET_HOURS} hours, requests carry a signature with each of the two. If you rotate again during these hours, the newest secret is replaced immediately; the one before it still works until its time ends.`,
    answers: [answerOf(webhookEndpointWithSecret)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...keyManager,
    method: 'post',
    path: `${ENDPOINT}/test`,
    summary: 'Send a test event',
    description:
      'Sends `test.ping` to this endpoint only. The response has the delivery; get it again to see the result.',
    status: 201,
    answers: [answerOf(webhookDelivery)],
    refusals: [...programErrors, 'not_found', 'conflict'],
  },
  {
    ...keyManager,
    method: 'get',
    path: DELIVERIES,
    summary: 'List webhook deliveries',
    description: `Lists past and pending deliveries, one row per endpoint and event. Deliveries are kept for ${WEBHOOK_RETENTION_DAYS} days.`,
    query: webhookDeliveriesQuery,
    answers: [listOf(webhookDelivery)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    ...keyManager,
    method: 'get',
    path: `${DELIVERIES}/{deliveryId}`,
    summary: 'Get a webhook delivery',
    description: 'Returns a delivery with every attempt: the request, the status and the first KB of the response.',
    answers: [answerOf(webhookDeliveryDetail)],
    refusals: [...programErrors, 'not_found'],
  },
  {
    ...keyManager,
    method: 'post',
    path: `${DELIVERIES}/{deliveryId}/resend`,
    summary: 'Resend a delivery',
    description:
      'Resends the event with the same `webhook-id`, now and if necessary with all retries. Works for any delivery whose endpoint is enabled.',
    answers: [answerOf(webhookDelivery)],
    refusals: [...programErrors, 'not_found', 'conflict'],
  },
  {
    ...keyManager,
    method: 'post',
    path: `${DELIVERIES}/resend`,
    summary: 'Resend failed deliveries',
    description:
      'Resends deliveries that have failed to enabled endpoints, oldest first: those that wait for a retry, and those abandoned after the last one.',
    request: resendWebhooksRequest,
    answers: [answerOf(resentWebhooks)],
    refusals: [...bodyErrors, ...programErrors, 'not_found', 'conflict'],
  },
]
