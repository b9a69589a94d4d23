import { optionalPageQuery } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
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
const ENDPOINT = `${ENDPOINTS}/{endpointId}` as const
const DELIVERIES = '/api/programs/{programId}/webhook-deliveries'

/** Endpoints that receive events. */
export const WEBHOOK_ENDPOINTS = operations({
  create: {
    method: 'post',
    path: ENDPOINTS,
    permission: 'key:manage',
    summary: 'Create a webhook endpoint',
    description: `Sends events to an address of yours from now on, signed by Standard Webhooks 1.0. The response has the signing secret, which is not shown again. A program has at most ${MAX_WEBHOOK_ENDPOINTS} endpoints.`,
    request: createWebhookEndpointRequest,
    example: {
      url: 'https://shop.example/hooks/tributary',
      events: ['sale.created', 'commission.payable'],
    },
    status: 201,
    answer: webhookEndpointWithSecret,
    errors: ['conflict'],
  },
  list: {
    method: 'get',
    path: ENDPOINTS,
    permission: 'key:manage',
    summary: 'List webhook endpoints',
    description: 'Lists the endpoints of a program with their health.',
    query: optionalPageQuery,
    list: webhookEndpoint,
  },
  change: {
    method: 'patch',
    path: ENDPOINT,
    permission: 'key:manage',
    summary: 'Edit a webhook endpoint',
    description:
      'Changes settings, or enables or disables the endpoint. Pending deliveries use the new settings; they wait while the endpoint is disabled and are sent when it is enabled again. Events that happen while it is disabled are not sent; read them with `GET /api/v1/events`.',
    request: changeWebhookEndpointRequest,
    example: { enabled: false },
    answer: webhookEndpoint,
  },
  remove: {
    method: 'delete',
    path: ENDPOINT,
    permission: 'key:manage',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, including pending deliveries. Its past deliveries stay listed.',
    answer: webhookEndpoint,
  },
  rotate: {
    method: 'post',
    path: `${ENDPOINT}/rotate`,
    permission: 'key:manage',
    summary: 'Rotate the signing secret',
    description: `Creates a new secret. For ${PREVIOUS_WEBHOOK_SECRET_HOURS} hours, requests carry a signature with each of the two. If you rotate again during these hours, the newest secret is replaced immediately; the one before it still works until its time ends.`,
    answer: webhookEndpointWithSecret,
  },
  test: {
    method: 'post',
    path: `${ENDPOINT}/test`,
    permission: 'key:manage',
    summary: 'Send a test event',
    description:
      'Sends `test.ping` to this endpoint only. The response has the delivery; get it again to see the result.',
    status: 201,
    answer: webhookDelivery,
    errors: ['conflict'],
  },
})

export const WEBHOOK_DELIVERIES = operations({
  list: {
    method: 'get',
    path: DELIVERIES,
    permission: 'key:manage',
    summary: 'List webhook deliveries',
    description: `Lists past and pending deliveries, one row per endpoint and event. Deliveries are kept for ${WEBHOOK_RETENTION_DAYS} days.`,
    query: webhookDeliveriesQuery,
    list: webhookDelivery,
  },
  get: {
    method: 'get',
    path: `${DELIVERIES}/{deliveryId}`,
    permission: 'key:manage',
    summary: 'Get a webhook delivery',
    description: 'Returns a delivery with every attempt: the request, the status and the first KB of the response.',
    answer: webhookDeliveryDetail,
  },
  resend: {
    method: 'post',
    path: `${DELIVERIES}/{deliveryId}/resend`,
    permission: 'key:manage',
    summary: 'Resend a delivery',
    description:
      'Resends the event with the same `webhook-id`, now and if necessary with all retries. Works for any delivery whose endpoint is enabled.',
    answer: webhookDelivery,
    errors: ['conflict'],
  },
  resendFailed: {
    method: 'post',
    path: `${DELIVERIES}/resend`,
    permission: 'key:manage',
    summary: 'Resend failed deliveries',
    description:
      'Resends deliveries that have failed to enabled endpoints, oldest first: those that wait for a retry, and those abandoned after the last one.',
    request: resendWebhooksRequest,
    example: { since: '2026-11-01' },
    answer: resentWebhooks,
    errors: ['not_found', 'conflict'],
  },
})
