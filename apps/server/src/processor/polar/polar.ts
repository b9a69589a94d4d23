import { CLICK_COOKIE, PROCESSOR_METADATA } from '@tributary/contract'
import { idsIn } from '../personal-data/concerns.ts'
import type { PersonalData } from '../personal-data/redact.ts'
import type { Processor } from '../port.ts'
import {
  isPlausibleStandardWebhook,
  isStandardWebhookSignedWith,
  standardWebhookId,
} from '../signatures/standard-webhooks.ts'
import { emailIn, idOf, read } from '../translating/fields.ts'
import { listEvents } from './list-events.ts'
import { EVENT_TYPES, readEvent, translate } from './translate.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** IDs of one person or one of their purchases; not products, discounts or the organization. */
const PERSONAL_IDS = ['order_id', 'checkout_id', 'subscription_id', 'customer_id']

const personalData: PersonalData = {
  fields: [
    ...['name', 'billing_name', 'customer_billing_name', 'customer_billing_address', 'external_id', 'avatar_url'],
    ...['customer_external_id', 'external_customer_id', 'customer_tax_id'],
    // What the customer entered.
    ...['custom_field_data', 'customer_cancellation_comment'],
  ],
  identifying: [...PERSONAL_IDS, 'organization_id', 'billing_reason', 'timestamp'],
  relatedIds: (body) => {
    const ids = idsIn(body, { fields: PERSONAL_IDS, pattern: UUID })
    const own = idOf(read(body, 'data', 'id'))
    return own && /^(order|checkout|subscription|customer)\./.test(String(read(body, 'type'))) ? [...ids, own] : ids
  },
}

const example = (programId: number) => `const clickId = request.cookies.${CLICK_COOKIE}

await polar.checkouts.create({
  // … your products and URLs
  metadata: {
    ${PROCESSOR_METADATA.programId}: ${programId},
    ${PROCESSOR_METADATA.customerKey}: user.id, // the same ID as in the lead call
    ...(clickId && { ${PROCESSOR_METADATA.clickId}: clickId }), // Polar refuses empty texts
  },
})`

export const polar: Processor = {
  name: 'polar',
  label: 'Polar',
  eventTypes: EVENT_TYPES,
  setUp: {
    place: 'your Polar dashboard',
    steps: [
      'Open Settings → Webhooks in your Polar dashboard and choose “Add Endpoint”.',
      'Enter the endpoint URL, keep the format “Raw”, and select the events listed below.',
      'Copy the secret of the new endpoint (polar_whs_…) and save it here.',
    ],
    metadata:
      'Polar copies the metadata of the checkout session to the order, to the subscription and to every renewal.',
    example,
    // A merchant can choose the secret, so it need not have a prefix.
    secret: { label: 'Webhook secret', placeholder: 'At least 16 characters', pattern: /^[!-~]{16,200}$/ },
    hasSandbox: true,
    apiKey: {
      label: 'Organization access token',
      placeholder: 'polar_oat_…',
      pattern: /^polar_(oat|pat)_\w{10,200}$/,
      permissions: ['webhooks:read'],
    },
    account: { label: 'Organization ID', placeholder: '1dbfc517-0bbf-4301-9ba8-555ca42b9737', pattern: UUID },
  },
  isPlausible: isPlausibleStandardWebhook,
  // The key is the text of the whole secret, with its prefix. Other senders of Standard Webhooks decode it from Base64.
  isSignedWith: (secret, delivery) => isStandardWebhookSignedWith(Buffer.from(secret, 'utf8'), delivery),
  eventIdIn: standardWebhookId,
  read: readEvent,
  translate,
  payer: ({ object }) => ({ email: emailIn(object), customerId: object.customer_id }),
  ownIds: UUID,
  personalData,
  listEvents: (_, account, since) => listEvents(account, since),
}
